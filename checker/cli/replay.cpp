#include "checker/replay.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checker/cli/commands.hpp"
#include "checker/cli/select.hpp"
#include "checker/cli/text.hpp"
#include "checker/cli/traces.hpp"
#include "checker/trace_itf.hpp"

namespace ptmc::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : " ") + w;
  return text;
}

// The claim that the file names; what no longer exists is bad input, not a disagreement.
const Claim& claim_of(const Trace& t, const std::string& file, const Catalog& catalog) {
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

Replay replay_one(const Trace& t, const std::string& file, const Claim& claim, RunOptions options) {
  try {
    for (const std::string& m : t.subject.mutations) options.mutations.push_back(parse_mutation(m));
    const auto stepper = claim.stepper(options);
    return ptmc::replay(t, *stepper);
  } catch (const std::invalid_argument& error) {
    throw InputError(file + ": " + error.what());
  }
}

std::string text_of(const Trace& t, const Claim& claim, const Replay& r) {
  const TraceSubject& s = t.subject;
  std::string text =
      s.claim + " on " + s.arch + (s.features.empty() ? "" : " (" + joined(s.features) + ")") + "\n";
  for (const std::string& m : s.mutations) text += wrapped("--mutate " + m, 2);
  if (r.agreement == Replay::Agreement::differs)
    return text + wrapped(fmt::format("does not replay: state {}: {}", r.state, r.what), 2);
  text += "\n" + printed(t, claim) + "\n";
  return text + wrapped(fmt::format("replayed: {} steps, each enabled, each with the recorded effect",
                                    t.steps.size()),
                        0);
}

}  // namespace

Exit replay(const Options& options, const Catalog& catalog, Output& out) {
  Trace trace;
  try {
    trace = from_itf(read_file(options.file), options.file);
  } catch (const TraceError& error) {
    throw InputError(error.what());
  }
  const Claim& claim = claim_of(trace, options.file, catalog);
  const Replay found = replay_one(trace, options.file, claim, options.run);
  const bool agrees = found.agreement == Replay::Agreement::agrees;
  std::string text;
  if (options.json) {
    nlohmann::ordered_json j{{"claim", trace.subject.claim},
                             {"arch", trace.subject.arch},
                             {"mutations", trace.subject.mutations},
                             {"steps", trace.steps.size()},
                             {"replays", agrees},
                             {"state", found.state},
                             {"what", found.what}};
    text = j.dump(1) + "\n";
  } else {
    text = text_of(trace, claim, found);
  }
  deliver(options, text, out);
  return agrees ? Exit::ok : Exit::failed;
}

}  // namespace ptmc::cli
