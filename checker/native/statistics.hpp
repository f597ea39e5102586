// What repeated measurements say, without assuming how their noise is distributed: medians with 95% intervals
// by order statistics, ratios of paired runs, and runs in turns that make pairs of them.
#pragma once
#include <atomic>
#include <functional>
#include <string_view>
#include <vector>

#include "model/core/types.hpp"

namespace ptmc::native {

/// With fewer runs not even the least and the greatest value enclose the median in 95% of all cases.
constexpr u64 runs_min = 6;

/// A median in the unit of what was measured. With fewer than `runs_min` runs the interval is unbounded
/// (-inf, inf): nothing is known at 95%.
struct Estimate {
  double median, low, high;
  u64 runs;

  bool bounded() const { return runs >= runs_min; }
  bool operator==(const Estimate&) const = default;
};

/// The rank r (from 1) such that the r-th least and the r-th greatest of `runs` values enclose the median
/// with a probability of at least 95%, whatever their distribution; the largest such r. 0 if there is none.
u64 interval_rank(u64 runs);

/// Throws std::invalid_argument if there is no value or one is not finite.
Estimate estimate(std::vector<double> values);

/// The median of a[k] / b[k] and its interval: `a` and `b` were taken in turns, so what disturbs a pair
/// cancels out. Throws std::invalid_argument if the lengths differ, there is no pair, or a b[k] is not above
/// zero.
Estimate ratio_of(const std::vector<double>& a, const std::vector<double>& b);

/// Of a against b. `no_difference` says that none was seen: the interval reaches 1 within `resolution`, or
/// is unbounded.
enum class Comparison : u8 { faster, slower, no_difference };
std::string_view to_string(Comparison comparison);

/// Where one run's code and data lie in caches and predictors makes that much of a difference, whatever the
/// number of rounds: what is run against itself differs by as much.
constexpr double resolution = 0.01;

/// `ratio` is time of a by time of b: below 1 is faster. Less than `resolution` is no difference.
Comparison compare(const Estimate& ratio);

struct Turns {
  u64 rounds = 20;                               // At most.
  u64 rounds_least = runs_min;                   // Made even if `limit_ms` is over.
  double limit_ms = 0;                           // No further round begins after it; 0: no limit.
  const std::atomic<bool>* cancel = nullptr;     // May be null. True: no further run begins.
  std::function<double()> clock_ms{};            // Empty: the steady clock.
  std::function<void(u64 round)> before_each{};  // May be empty. Rounds that are complete.
};

/// Calls each of `runs` once a round, in order in even rounds and in reverse in odd ones (A B B A), so that
/// drift and what one leaves behind for the next hit all alike. Element [k][round] is what runs[k] returned.
/// Only complete rounds are in it: fewer than asked for after a cancel or the limit. What a run throws is
/// passed on.
std::vector<std::vector<double>> in_turns(const std::vector<std::function<double()>>& runs,
                                          const Turns& turns);

}  // namespace ptmc::native
