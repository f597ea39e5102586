#include "checker/cli/traces.hpp"

#include <algorithm>

#include "checker/cli/select.hpp"
#include "counterexamples/straighten.hpp"
#include "counterexamples/text.hpp"

namespace ptmc::cli {
namespace {

Voice voice_of(const Claim& claim) { return claim.voice == nullptr ? Voice() : *claim.voice; }

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : " ") + w;
  return text;
}

}  // namespace

Trace straightened(const Trace& trace, const Claim& claim, const RunOptions& options) {
  if (!claim.system) return trace;
  return straighten(trace, *claim.system(options), {.voice = voice_of(claim)}).trace;
}

std::string printed(const Trace& trace, const Claim& claim) {
  const Voice voice = voice_of(claim);
  return print(trace, columns_of(trace, voice), voice, {claim.commit, ""}).whole();
}

// What no longer exists is bad input, not a disagreement.
const Claim& claim_of(const Trace& t, const std::string& file, const std::vector<Claim>& catalog) {
  const TraceSubject& s = t.subject;
  std::vector<std::string> names;
  for (const Claim& c : catalog) {
    names.push_back(c.name);
    if (c.name != s.claim || c.arch != s.arch || c.instance != s.instance || c.features != joined(s.features))
      continue;
    if (!c.stepper) throw InputError(file + ": claim " + c.name + " has no machine to replay");
    return c;
  }
  const bool known = std::find(names.begin(), names.end(), s.claim) != names.end();
  throw InputError(file + ": no claim '" + s.claim + "' on " + s.arch + " in " + s.instance +
                   (known ? "; it exists elsewhere" : did_you_mean(s.claim, names)));
}

RunOptions options_of(const Trace& trace, RunOptions options) {
  for (const std::string& m : trace.subject.mutations) options.mutations.push_back(parse_mutation(m));
  options.machine = trace.subject.machine;
  return options;
}

}  // namespace ptmc::cli
