// A counterexample before and after minimising.
#pragma once
#include "checker/symbolic/generalise.hpp"
#include "counterexamples/minimise.hpp"
#include "properties/catalog.hpp"

namespace ptmc::cli {

/// What a reader has to take in.
struct TraceSize {
  std::size_t steps = 0, lines = 0;
  unsigned switches = 0;
  u64 actors = 0, cpus = 0, pages = 0, frames = 0;
};
TraceSize size_of(const Trace& trace, const Dimensions& machine, const Claim& claim);

struct Shrunk {
  TraceSize before, after;
  Minimised found;                 // Its trace names its machine and was run by the naive interpreter.
  std::vector<GeneralWord> words;  // Empty: not generalised.
  double seconds = 0;
};
/// Throws NotARun if the trace is no run of its machine that ends as it says, InternalError if the naive
/// interpreter does not follow the result.
Shrunk shrink(const Trace& trace, const Claim& claim, const RunOptions& options);

/// "steps  lines  ..." and rows under it, at most 72 columns wide.
std::string size_header(std::size_t name_width);
std::string size_row(const std::string& name, std::size_t name_width, const TraceSize& size);

}  // namespace ptmc::cli
