#include "checker/native/statistics.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace ptmc::native {
namespace {

constexpr double tail_max = 0.025;  // On each side of a 95% interval.

double steady_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

u64 interval_rank(u64 runs) {
  // The r-th least value is above the median with the probability that fewer than r of `runs` fair coins fall
  // below.
  const double n = static_cast<double>(runs);
  double tail = 0;
  for (u64 rank = 0;; ++rank) {
    const double k = static_cast<double>(rank);
    // By logarithms: 2^-runs underflows early.
    tail += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) - n * std::log(2.0));
    if (tail > tail_max) return rank;
  }
}

Estimate estimate(std::vector<double> values) {
  if (values.empty()) throw std::invalid_argument("no run, no estimate");
  for (const double v : values)
    if (!std::isfinite(v)) throw std::invalid_argument("a measured value is not finite");
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size(), half = n / 2;
  const double median = n % 2 == 1 ? values[half] : values[half - 1] + (values[half] - values[half - 1]) / 2;
  const u64 rank = interval_rank(n);
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  if (rank == 0) return {median, -unbounded, unbounded, n};
  return {median, values[rank - 1], values[n - rank], n};
}

Estimate ratio_of(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) throw std::invalid_argument("runs that are not pairs have no ratio");
  std::vector<double> ratios;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (!(b[k] > 0)) throw std::invalid_argument("a ratio to a run that took no time");
    ratios.push_back(a[k] / b[k]);
  }
  return estimate(std::move(ratios));
}

std::string_view to_string(Comparison comparison) {
  switch (comparison) {
    case Comparison::faster:
      return "faster";
    case Comparison::slower:
      return "slower";
    case Comparison::no_difference:
      break;
  }
  return "no difference";
}

Comparison compare(const Estimate& ratio) {
  if (!ratio.bounded()) return Comparison::no_difference;
  if (ratio.high < 1 - resolution) return Comparison::faster;
  if (ratio.low > 1 + resolution) return Comparison::slower;
  return Comparison::no_difference;
}

std::vector<std::vector<double>> in_turns(const std::vector<std::function<double()>>& runs,
                                          const Turns& turns) {
  const auto now_ms = turns.clock_ms ? turns.clock_ms : std::function<double()>(steady_ms);
  const auto cancelled = [&] { return turns.cancel != nullptr && *turns.cancel; };
  std::vector<std::vector<double>> values(runs.size());
  std::vector<double> round_values(runs.size());
  const double begin_ms = now_ms();
  for (u64 round = 0; round < turns.rounds; ++round) {
    if (turns.limit_ms > 0 && round >= turns.rounds_least && now_ms() - begin_ms >= turns.limit_ms) break;
    if (turns.before_each) turns.before_each(round);
    for (std::size_t k = 0; k < runs.size(); ++k) {
      if (cancelled()) return values;
      const std::size_t which = round % 2 == 0 ? k : runs.size() - 1 - k;
      round_values[which] = runs[which]();
    }
    for (std::size_t k = 0; k < runs.size(); ++k) values[k].push_back(round_values[k]);
  }
  return values;
}

}  // namespace ptmc::native
