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

Replay replay_one(const Trace& t, const std::string& file, const Claim& claim, const RunOptions& options) {
  try {
    const auto stepper = claim.stepper(options_of(t, options));
    return ptmc::replay(t, *stepper);
  } catch (const std::invalid_argument& error) {
    throw InputError(file + ": " + error.what());
  }
}

std::string text_of(const Trace& t, const Claim& claim, const Replay& r) {
  const TraceSubject& s = t.subject;
  std::string text =
      s.claim + " on " + s.arch + (claim.features.empty() ? "" : " (" + claim.features + ")") + "\n";
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
  const bool alone = agrees && !options.format.empty() && options.format != "text";
  if (alone) text = formatted(trace, claim, options.format);
  if (!options.format.empty() && !agrees)
    out.write(text);  // Not into a file that should hold the trace.
  else
    deliver(options, text, out);
  return agrees ? Exit::ok : Exit::failed;
}

}  // namespace ptmc::cli
