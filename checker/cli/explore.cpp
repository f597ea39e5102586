#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "checker/cli/commands.hpp"
#include "checker/cli/log.hpp"
#include "checker/cli/report.hpp"
#include "checker/cli/select.hpp"
#include "checker/cli/text.hpp"
#include "checker/cli/traces.hpp"
#include "checker/trace_itf.hpp"

namespace ptmc::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Machine {
  const Claim* claim;  // The first of those that share the machine.
  std::shared_ptr<const System> system;
  Exploration found;
};

struct Display : Observer {
  const Claim& claim;
  explicit Display(const Claim& c) : claim(c) {}
  void progress(const Progress& p) override {
    std::string text = fmt::format("{} {}: {:.1f} M states, {:.1f} M/s, depth {}", claim.instance, claim.arch,
                                   static_cast<double>(p.states) / 1e6, p.states_per_s / 1e6, p.level);
    if (p.eta_s) text += fmt::format(", {:.0f} s left", *p.eta_s);
    show_progress(text);
  }
};

std::string ending(Outcome outcome) {
  switch (outcome) {
    case Outcome::exhausted:
      return "every reachable state was visited";
    case Outcome::violated:
      return "violated";
    case Outcome::limit_states:
      return "ended by --limit-states";
    case Outcome::limit_memory:
      return "ended by --limit-memory";
    case Outcome::limit_time:
      return "ended by --limit-time";
    case Outcome::cancelled:
      break;
  }
  return "interrupted";
}

std::string text_of(const Machine& m) {
  const Exploration& e = m.found;
  const auto& predicates = m.system->predicates();
  const auto& actions = m.system->actions();
  std::string features = m.claim->features.empty() ? "" : " (" + m.claim->features + ")";
  std::string text = m.claim->instance + " on " + m.claim->arch + features + "\n";
  text += wrapped(fmt::format("{} states, {} edges, depth {}: {}", grouped(e.states), grouped(e.edges),
                              e.depth, ending(e.outcome)),
                  2);
  text += wrapped(
      fmt::format("{:.1f} s, {:.2f} M states a CPU-second, {:.1f} bytes a state", e.wall_s,
                  static_cast<double>(e.states) / 1e6 / std::max(e.cpu_s, 1e-6),
                  static_cast<double>(e.peak_bytes) / static_cast<double>(std::max<u64>(e.states, 1))),
      2);
  for (const Violation& v : e.violations) {
    text += wrapped(fmt::format("violated after {} steps: {}: {}", v.level, predicates[v.predicate].name,
                                predicates[v.predicate].sentence),
                    2);
    text += "\n" + printed(v.trace, *m.claim);
  }
  for (const Cover& c : e.covers)
    text += wrapped((c.reached ? fmt::format("reached after {} steps: ", c.level) : "not reached: ") +
                        predicates[c.predicate].sentence,
                    2);
  if (e.deadlocks != 0) text += wrapped(grouped(e.deadlocks) + " states without a successor", 2);
  for (std::size_t k = 0; k < e.fired.size(); ++k)
    text += fmt::format("  {:>15}  {}\n", e.fired[k] == 0 ? "never" : grouped(e.fired[k]), label(actions[k]));
  return text;
}

Json json_of(const Machine& m) {
  const Exploration& e = m.found;
  const auto& predicates = m.system->predicates();
  Json j{{"instance", m.claim->instance},
         {"arch", m.claim->arch},
         {"features", m.claim->features},
         {"ending", ending(e.outcome)},
         {"states", e.states},
         {"edges", e.edges},
         {"depth", e.depth},
         {"deadlocks", e.deadlocks}};
  j["violations"] = j["covers"] = j["actions"] = Json::array();
  for (const Violation& v : e.violations)
    j["violations"].push_back({{"property", predicates[v.predicate].name},
                               {"level", v.level},
                               {"states", v.states},
                               {"trace", Json::parse(to_itf(v.trace))}});
  for (const Cover& c : e.covers)
    j["covers"].push_back(
        {{"property", predicates[c.predicate].name}, {"reached", c.reached}, {"level", c.level}});
  for (std::size_t k = 0; k < e.fired.size(); ++k)
    j["actions"].push_back({{"action", label(m.system->actions()[k])}, {"fired", e.fired[k]}});
  return j;
}

// Claims about one instance share its machine: it is explored once.
std::vector<Machine> machines_of(const std::vector<Claim>& claims, const RunOptions& options) {
  std::vector<Machine> machines;
  std::set<std::vector<std::string>> seen;
  std::string why = "these claims are about words alone: there is no machine to explore";
  for (const Claim& c : claims) {
    if (!c.system || !seen.insert({c.instance, c.arch, c.features}).second) continue;
    try {
      machines.push_back({&c, c.system(options), {}});
    } catch (const std::invalid_argument& error) {
      if (options.mutations.empty()) throw;
      why = std::string("--mutate: ") + error.what();
    }
  }
  if (machines.empty()) throw InputError(why);
  return machines;
}

// Of what the trace is one: printing and replay go by it.
TraceSubject subject_of(const Claim& c, const RunOptions& options) {
  TraceSubject subject{c.name, c.instance, c.arch, {}, {}, options.machine};
  std::istringstream names(c.features);
  for (std::string name; names >> name;) subject.features.push_back(name);
  for (const Mutation& m : options.mutations) subject.mutations.push_back(m.text);
  return subject;
}

Exit exit_of(const std::vector<Machine>& machines) {
  Exit code = Exit::ok;
  for (const Machine& m : machines) {
    if (m.found.outcome == Outcome::violated) return Exit::failed;
    if (m.found.outcome != Outcome::exhausted) code = Exit::inconclusive;
  }
  return code;
}

}  // namespace

Exit explore(const Options& options, const Catalog& catalog, Output& out) {
  const double begin = wall_now_ms();
  const auto claims = select(catalog, options.claims, options.arch);
  auto machines = machines_of(claims, options.run);
  std::string text;
  Json report;
  report["machines"] = Json::array();
  for (Machine& m : machines) {
    Display display(*m.claim);
    m.found = ptmc::explore(*m.system, options.run.explore, &display);
    show_progress("");
    if (m.found.outcome == Outcome::cancelled) throw Interrupted();
    for (Violation& v : m.found.violations) {
      v.trace.subject = subject_of(*m.claim, options.run);
      v.trace = straightened(v.trace, *m.claim, options.run);
    }
    if (options.json)
      report["machines"].push_back(json_of(m));
    else
      text += (text.empty() ? "" : "\n") + text_of(m);
  }
  if (options.json) {
    const Timing t = timing_since(begin);
    report["reproduce"] = options.again;
    report["timing"] = {
        {"wall_ms", t.wall_ms}, {"cpu_ms", t.cpu_ms}, {"peak_memory_bytes", t.peak_memory_bytes}};
    text = report.dump(1) + "\n";
  }
  deliver(options, text, out);
  return exit_of(machines);
}

}  // namespace ptmc::cli
