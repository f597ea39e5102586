// What there is to say about a claim beyond its verdict.
#pragma once
#include <optional>

#include "checker/cli/commands.hpp"
#include "checker/cli/shrink.hpp"
#include "counterexamples/hints.hpp"

namespace ptmc::cli {

/// A cover of the claim's machine.
struct Seen {
  std::string name, sentence;
  std::optional<Trace>
      trace;  // Shortest, straightened, run by the naive interpreter; none within the limits.
};

/// The claim on other hardware.
struct Elsewhere {
  std::string arch, features;
  Verdict verdict = Verdict::unknown;
  std::string reason;
  std::size_t steps = 0;  // Of a violation's trace.
};

struct Explanation {
  const Claim* claim = nullptr;
  std::vector<Mutation> mutations;  // On top of the claim's own.
  std::optional<Verdict> verdict;   // None if it was not run: only covers were looked for.
  std::string reason;
  std::vector<Seen> covers;      // Of a claim that holds.
  std::optional<Shrunk> shrunk;  // Of one that is violated, and then:
  std::optional<Hints> hints;    // None if its actors are not data.
  std::vector<Elsewhere> elsewhere;
  std::vector<std::string> at_work;  // Without a machine to run: claims of the family that have one.
};

/// Throws InternalError where the naive interpreter differs.
Explanation explained(const Claim& claim, const Options& options, const Catalog& catalog);

std::string text_of(const Explanation& e);
std::string json_of(const std::vector<Explanation>& all);

}  // namespace ptmc::cli
