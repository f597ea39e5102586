#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "checker/cli/commands.hpp"
#include "checker/cli/runner.hpp"
#include "checker/cli/shrink.hpp"
#include "checker/cli/text.hpp"
#include "checker/cli/traces.hpp"
#include "checker/lower/setup.hpp"
#include "checker/trace_itf.hpp"

namespace ptmc::cli {
namespace {

// Where in the file a step stands that does not run, and what to do.
[[noreturn]] void complain(const Options& options, const std::string& text, const Trace& t,
                           const NotARun& e) {
  const std::size_t line = line_of_state(text, std::min(e.step + 1, t.steps.size()));
  throw InputError(fmt::format("{}:{}: {}; {}", options.file, line, e.what(),
                               e.step < t.steps.size() ? "remove the step, or add the steps that enable it"
                                                       : "lengthen the trace until it does"));
}

std::string in_words(const Minimised& m) {
  const std::size_t steps = m.trace.steps.size();
  std::string text = m.steps == Optimum::optimal ? "No run of this machine is shorter."
                                                 : "No part of it can be left out; a shorter one may exist.";
  if (m.switching == Optimum::optimal)
    text += fmt::format(" No run of {} steps has fewer switches.", steps);
  else if (m.switching == Optimum::minimal)
    text += " No order of these steps has fewer switches.";
  if (m.machine == Optimum::minimal)
    text += m.smaller_steps == 0 ? " With less of any one thing, nothing violates " + m.trace.predicate + "."
                                 : fmt::format(" Smaller machines take longer: {} steps with {}.",
                                               m.smaller_steps, to_text(m.smaller));
  else if (m.steps == Optimum::optimal)
    text += " A smaller machine may do: the limit was reached.";
  return text;
}

// "1 reclaim, 1 user_cpus; without allocator, HA"
std::string machine_in_words(const Minimised& m, const Claim& claim) {
  std::string without;
  for (std::size_t k = 0; k < m.dimensions.size(); ++k)
    if (m.dimensions[k].value == 0 && claim.dimensions[k].value != 0)
      without += (without.empty() ? "; without " : ", ") + m.dimensions[k].name;
  return "Machine: " + to_text(m.dimensions) + without;
}

std::string text_of(const Shrunk& s, const Claim& claim) {
  std::string words;
  for (const GeneralWord& w : s.words) words += "\n" + to_text(w);
  if (!words.empty()) words += "-: either value does, in any combination.\n";
  return printed(s.found.trace, claim) + "\n\n" + size_header(12) + size_row("given", 12, s.before) +
         size_row("smallest", 12, s.after) + "\n" + wrapped(machine_in_words(s.found, claim), 0) +
         wrapped(in_words(s.found), 0) + words;
}

nlohmann::ordered_json json_of(const TraceSize& s) {
  return {{"steps", s.steps}, {"lines", s.lines}, {"switches", s.switches}, {"actors", s.actors},
          {"cpus", s.cpus},   {"pages", s.pages}, {"frames", s.frames}};
}

nlohmann::ordered_json json_of(const Shrunk& s) {
  const auto word = [](Optimum o) {
    return o == Optimum::optimal ? "optimal" : o == Optimum::minimal ? "1-minimal" : "unknown";
  };
  nlohmann::ordered_json machine = nlohmann::ordered_json::object();
  for (const Dimension& d : s.found.dimensions) machine[d.name] = d.value;
  nlohmann::ordered_json words = nlohmann::ordered_json::object();
  for (const GeneralWord& w : s.words) words[w.name] = {{"value", w.value}, {"matters", w.matters}};
  const TraceSubject& subject = s.found.trace.subject;
  return {{"claim", subject.claim},
          {"arch", subject.arch},
          {"mutations", subject.mutations},
          {"property", s.found.trace.predicate},
          {"machine", machine},
          {"given", json_of(s.before)},
          {"smallest", json_of(s.after)},
          {"optimum",
           {{"machine", word(s.found.machine)},
            {"steps", word(s.found.steps)},
            {"switches", word(s.found.switching)}}},
          {"words", words},
          {"trace", nlohmann::ordered_json::parse(to_itf(s.found.trace))}};
}

}  // namespace

Exit minimise(const Options& options, const Catalog& catalog, Output& out) {
  const std::string file = read_file(options.file);
  Trace trace;
  try {
    trace = from_itf(file, options.file, Edits::accepted);
  } catch (const TraceError& error) {
    throw InputError(error.what());
  }
  const Claim& claim = claim_of(trace, options.file, catalog);
  Shrunk found;
  try {
    found = shrink(trace, claim, options.run);
  } catch (const NotARun& error) {
    complain(options, file, trace, error);
  } catch (const NotApplicable& error) {
    throw InputError(options.file + ": " + error.what());
  } catch (const std::invalid_argument& error) {
    throw InputError(options.file + ":" + std::to_string(line_of_state(file, 0)) + ": " + error.what() +
                     "; write the trace anew with this version");
  }
  if (options.run.explore.cancel != nullptr && *options.run.explore.cancel) throw Interrupted();
  if (!options.save.empty()) write_file(options.save, to_itf(found.found.trace));
  deliver(options, options.json ? json_of(found).dump(1) + "\n" : text_of(found, claim), out);
  return Exit::ok;
}

}  // namespace ptmc::cli
