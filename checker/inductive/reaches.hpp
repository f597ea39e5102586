// Is a state reachable? The explicit engine's answer to the proof engine.
#pragma once
#include <optional>

#include "checker/trace.hpp"

namespace ptmc {

/// A shortest trace to the state, by its named values, if `found`; neither found nor refuted within the
/// limit: nothing is known. Symmetry is not used. The system steps as the proof does: without fusing.
struct Reached {
  std::optional<bool> found;
  std::optional<Trace> trace;  // A shortest one, if found.
  u64 states = 0;
};
Reached reaches(const System& system, const DecodedState& state, u64 states_max);

}  // namespace ptmc
