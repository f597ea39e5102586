// The smallest counterexample: the fewest steps, then the smallest machine in which so few do, then the
// fewest context switches among runs of that length.
//
// Anytime: what a limit stops is kept as it was, and the result says what is known to be best and what is
// not.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>

#include "checker/explicit.hpp"
#include "counterexamples/straighten.hpp"

namespace ptmc {

struct MinimiseOptions {
  Voice voice;
  u64 time_max_ms = 10'000;    // Of all searches together.
  u64 states_max = 5'000'000;  // Of each.
  unsigned threads = 0;        // 0: one a core.
  const std::atomic<bool>* cancel = nullptr;
  Observer* observer = nullptr;  // Of each search. May be null.
};

enum class Optimum : u8 {
  optimal,  // No other is better.
  minimal,  // 1-minimal: nothing can be left out of this one.
  unknown,  // A limit ended the search.
};

struct Minimised {
  Trace trace;            // Of the machine of `dimensions`.
  Dimensions dimensions;  // In the order given; values may be smaller.
  unsigned switches = 0;
  Optimum machine = Optimum::unknown;  // minimal: with any one dimension smaller, nothing violates the claim.
  Optimum steps = Optimum::unknown;    // optimal: no run of this machine is shorter.
  Optimum switching =
      Optimum::unknown;  // optimal: no run of that length has fewer; minimal: no order of its steps.
  // A smaller machine whose shortest run is longer, if one was met: its steps; 0 if not.
  Dimensions smaller{};
  std::size_t smaller_steps = 0;
  unsigned machines = 0;  // Searched.
  u64 states = 0;         // In all searches.
};

/// A trace that its machine does not run: `step` is the first that fails, or one past the last.
struct NotARun : std::invalid_argument {
  std::size_t step;
  NotARun(std::size_t at, const std::string& what) : std::invalid_argument(what), step(at) {}
};

/// Builds the machine of these values; nothing if there is none.
using MachineOf = std::function<std::shared_ptr<const System>(const Dimensions&)>;

/// The claim that fails is the trace's, before and after. The trace may have been edited: its steps are run
/// again. Throws NotARun if the machine of `dimensions` does not run it or it does not end as it says.
Minimised minimise(const Trace& trace, const Dimensions& dimensions, const MachineOf& machine_of,
                   const MinimiseOptions& options);

}  // namespace ptmc
