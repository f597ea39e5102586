// The litmus rows as catalogue entries.
#pragma once
#include <vector>

#include "properties/catalog.hpp"

namespace ptmc::litmus {

/// Per program and architecture "litmus/PROGRAM", expected bounded: every run of the program, with all that
/// hardware may do in between, and no forbidden outcome among them. An allowed outcome that no run has is a
/// violation without a trace. Witnesses and counterexamples are replayed.
std::vector<Claim> claims();

}  // namespace ptmc::litmus
