// Re-execution of a trace by other code than found it.
#pragma once
#include <string>

#include "checker/stepper.hpp"

namespace ptmc {

struct Replay {
  enum class Agreement { agrees, differs };
  Agreement agreement = Agreement::agrees;
  std::size_t state = 0;  // Of the first disagreement: index into Trace::states.
  std::string what;       // One sentence about it, empty if there is none.
};

/// Checks that the first state is initial, that each step is enabled and leads to the next state, and that
/// the last state, and no state before it, ends the trace as claimed. Reports the first disagreement; throws
/// nothing of its own.
Replay replay(const Trace& trace, const Stepper& stepper);

}  // namespace ptmc
