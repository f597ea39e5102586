// Which bits of a counterexample's page-table words matter? The others may have any value: the same steps
// run, and end in the same violation.
#pragma once
#include <optional>

#include "checker/symbolic/source.hpp"
#include "checker/trace.hpp"

namespace ptmc {

struct GeneralWord {
  std::string name;  // "pte[0].word", of the first state.
  u64 value = 0;
  u64 matters = 0;  // Bits.
};

/// Bits are freed from the highest down, one after the other, each if the solver shows that no value of all
/// freed bits stops a step or saves the claim. So no single further bit can be freed. Nothing if the model
/// does not run the trace, or the solver gives up.
std::optional<std::vector<GeneralWord>> generalise(const SymbolicSource& source, const Trace& trace);

/// "pte[0]  bits 63..32  ---- ---0 ..." and the same for 31..0: the bits that matter, '-' for the others.
std::string to_text(const GeneralWord& word);

}  // namespace ptmc
