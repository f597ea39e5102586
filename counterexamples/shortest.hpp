// Among the shortest runs to a claim's violation, one with the fewest context switches.
#pragma once
#include "checker/voice.hpp"
#include "counterexamples/runner.hpp"

namespace ptmc {

struct Shortest {
  enum class Found { yes, none, limit } found = Found::limit;
  Trace trace;
  unsigned switches = 0;  // At least as many has every run of that length.
  u64 nodes = 0;
};

/// Level by level over states and the column that made the last step: each keeps its fewest switches. A step
/// that belongs to no CPU counts as none. `steps`: the length of a shortest run, known already. The same
/// result in every run.
Shortest shortest_with_fewest_switches(const Trace& subject, const System& system, std::size_t steps,
                                       const Voice& voice, u64 nodes_max);

}  // namespace ptmc
