// Running many claims: several at once, reported in the order of the catalogue.
#pragma once
#include <functional>
#include <stdexcept>
#include <vector>

#include "properties/catalog.hpp"

namespace ptmc::cli {

/// Ctrl-C.
struct Interrupted : std::runtime_error {
  Interrupted() : std::runtime_error("interrupted") {}
};

struct ClaimRun {
  const Claim* claim;
  std::vector<Result> results;
  double wall_ms = 0;  // Not the same from run to run.
};

struct RunnerState {
  std::size_t claims_done = 0;
  std::size_t claims = 0;
  const Claim* claim = nullptr;  // The last that said something.
  Progress progress;
};

struct Listener {
  std::function<void(const ClaimRun&)> done;  // In order, from one thread at a time.
  std::function<void(const RunnerState&)>
      progress;  // May be empty. From one thread at a time, not too often.
};

/// As many claims at once as there are threads; fewer claims share the threads among them. Verdicts do not
/// depend on it. Throws Interrupted if options.explore.cancel became true; InputError if a mutation means
/// nothing to any claim (those to which alone it means nothing come out n/a); InternalError if a claim
/// returns no result, a violation without a counterexample, or throws.
std::vector<ClaimRun> run_claims(const std::vector<Claim>& claims, const RunOptions& options,
                                 const Listener& listener);

}  // namespace ptmc::cli
