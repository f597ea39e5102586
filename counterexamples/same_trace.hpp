// The cheapest test of a candidate.
#pragma once
#include "counterexamples/candidates.hpp"

namespace ptmc {

/// Whether the trace, with the candidate's step wherever its actor comes to it, is a run of `system` to a
/// violation: then nothing needs to be explored. False says nothing. Throws std::invalid_argument if the
/// trace begins in no initial state of the system.
bool same_trace_violates(const Trace& trace, const System& system, const Candidate& candidate);

/// The bits of System::check() that say a property fails.
u64 properties_of(const System& system);

}  // namespace ptmc
