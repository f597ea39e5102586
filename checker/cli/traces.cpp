#include "checker/cli/traces.hpp"

#include "counterexamples/straighten.hpp"
#include "counterexamples/text.hpp"

namespace ptmc::cli {
namespace {

Voice voice_of(const Claim& claim) { return claim.voice == nullptr ? Voice() : *claim.voice; }

}  // namespace

Trace straightened(const Trace& trace, const Claim& claim, const RunOptions& options) {
  if (!claim.system) return trace;
  return straighten(trace, *claim.system(options), {.voice = voice_of(claim)}).trace;
}

std::string printed(const Trace& trace, const Claim& claim) {
  const Voice voice = voice_of(claim);
  return print(trace, columns_of(trace, voice), voice, {claim.commit, ""}).whole();
}

}  // namespace ptmc::cli
