// `ptmc explain`: shortest runs of a machine at work; of a broken one why, and what would mend it.
#include "checker/cli/explain.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include "checker/cli/log.hpp"
#include "checker/cli/runner.hpp"
#include "checker/cli/select.hpp"
#include "checker/cli/traces.hpp"
#include "checker/lower/setup.hpp"
#include "checker/replay.hpp"

namespace ptmc::cli {
namespace {

std::vector<std::string> names_of(const System& system) {
  std::vector<std::string> names;
  for (const Predicate& p : system.predicates()) names.push_back(p.name);
  return names;
}

bool holds(const Claim& c) { return c.expected == Verdict::bounded || c.expected == Verdict::proved; }
bool same_machine(const Claim& a, const Claim& b) {
  return a.instance == b.instance && a.arch == b.arch && a.system && b.system;
}

// ---- claims that hold ----
Trace checked(Trace trace, const Claim& claim, const RunOptions& options) {
  trace.subject = {claim.name, claim.instance, claim.arch, {}, {}, {}};
  std::istringstream names(claim.features);
  for (std::string name; names >> name;) trace.subject.features.push_back(name);
  for (const Mutation& m : options.mutations) trace.subject.mutations.push_back(m.text);
  const Replay again = replay(trace, *claim.stepper(options));
  if (again.agreement == Replay::Agreement::differs)
    throw InternalError(claim.name + ": the naive interpreter differs: " + again.what);
  return straightened(trace, claim, options);
}

std::vector<Seen> covers_of(const Claim& claim, const RunOptions& options) {
  std::vector<Seen> all;
  const auto system = claim.system(options);
  for (const Predicate& p : system->predicates()) {
    if (p.kind != Predicate::Kind::sometimes) continue;
    show_progress(claim.name + " on " + claim.arch + ": a run to " + p.name);
    Seen seen{p.name, p.sentence, {}};
    if (auto trace = trace_to(*system, p.name, options.explore))
      seen.trace = checked(std::move(*trace), claim, options);
    all.push_back(std::move(seen));
  }
  return all;
}

// ---- claims that are violated ----
RunOptions with(RunOptions options, const More& more, const Dimensions& machine) {
  options.mutations.insert(options.mutations.end(), more.begin(), more.end());
  options.machine = machine;
  return options;
}

/// The claim that the same machine, unbroken, holds.
const Claim* home_of(const Claim& claim, const Catalog& catalog) {
  for (const Claim& c : catalog)
    if (same_machine(c, claim) && c.features == claim.features && holds(c) && c.program) return &c;
  return nullptr;
}

HintMachines machines_of(const Claim& claim, const Claim* home, const Trace& trace,
                         const RunOptions& options) {
  const Dimensions& smallest = trace.subject.machine;
  HintMachines m;
  m.program = [=, &claim](const More& more) { return claim.program(with(options, more, smallest)); };
  m.small = [=, &claim](const More& more) { return claim.system(with(options, more, smallest)); };
  m.stepper = [=, &claim](const More& more) { return claim.stepper(with(options, more, {})); };
  m.whole_program = [=, &claim](const More& more) { return claim.program(with(options, more, {})); };
  m.whole = {[=, &claim](const More& more) { return claim.system(with(options, more, {})); }};
  m.tariff = claim.tariff;
  if (home == nullptr) return m;
  m.unbroken = code_of(home->program({}));
  std::vector<std::string> mine = names_of(*claim.system(options)), all = names_of(*home->system({}));
  std::sort(mine.begin(), mine.end());
  std::sort(all.begin(), all.end());
  if (std::includes(mine.begin(), mine.end(), all.begin(), all.end())) return m;
  RunOptions broken = options;  // The claim speaks of less than its machine promises.
  broken.mutations.clear();
  for (const std::string& text : trace.subject.mutations) broken.mutations.push_back(parse_mutation(text));
  m.whole.push_back([=](const More& more) { return home->system(with(broken, more, {})); });
  return m;
}

Hints hints_of(const Claim& claim, const Trace& trace, const RunOptions& options, const Catalog& catalog) {
  HintOptions o;
  o.threads = options.explore.threads;
  o.cancel = options.explore.cancel;
  if (options.explore.time_max_ms != no_limit) o.time_max_ms = options.explore.time_max_ms;
  if (options.explore.states_max != no_limit) o.states_max = options.explore.states_max;
  o.progress = [&](const std::string& text) {
    show_progress(claim.name + " on " + claim.arch + ": hints, " + text);
  };
  const HintMachines machines = machines_of(claim, home_of(claim, catalog), trace, options);
  return hints(trace, machines, o);
}

// ---- other hardware ----
struct Place {
  const Claim* claim;
  std::string features;
  Dimensions machine;
};

/// The feature sets in which the catalogue has the claim's machine.
std::vector<Place> feature_sets(const Claim& claim, const Catalog& catalog) {
  std::vector<Place> all{{&claim, claim.features, {}}};
  std::set<std::string> seen{claim.features};
  for (const Claim& c : catalog) {
    if (!same_machine(c, claim) || !seen.insert(c.features).second) continue;
    Dimensions machine;
    for (const Dimension& d : c.dimensions)
      for (const Dimension& own : claim.dimensions)
        if (own.name == d.name && own.value != d.value) machine.push_back(d);
    if (!machine.empty()) all.push_back({&claim, c.features, machine});
  }
  return all;
}

Elsewhere verdict_at(const Place& place, const RunOptions& options) {
  const Claim& claim = *place.claim;
  Elsewhere e{claim.arch, place.features, Verdict::unknown, "", 0};
  show_progress(claim.name + " on " + claim.arch + " " + place.features);
  try {
    for (const Result& r : claim.run(with(options, {}, place.machine))) {
      if (e.verdict == Verdict::violated) break;
      e.verdict = r.verdict;
      e.reason = r.reason;
      if (r.trace != nullptr) e.steps = r.trace->steps.size();
    }
  } catch (const std::invalid_argument& error) {
    e.verdict = Verdict::n_a;
    e.reason = error.what();
  }
  return e;
}

std::vector<Elsewhere> elsewhere_of(const Claim& claim, const RunOptions& options, const Catalog& catalog) {
  std::vector<Elsewhere> all;
  std::set<std::string> archs;
  for (const Claim& c : catalog) {
    if (c.name != claim.name || !archs.insert(c.arch).second) continue;
    for (const Place& place : feature_sets(c.arch == claim.arch ? claim : c, catalog))
      if (c.arch != claim.arch || place.features != claim.features) all.push_back(verdict_at(place, options));
  }
  return all;
}

void explain_violation(Explanation& e, const Result& r, const RunOptions& options, const Catalog& catalog) {
  e.shrunk = shrink(*r.trace, *e.claim, options);
  if (e.claim->program) e.hints = hints_of(*e.claim, e.shrunk->found.trace, options, catalog);
  e.elsewhere = elsewhere_of(*e.claim, options, catalog);
}

/// One feature set per architecture: the first.
std::vector<const Claim*> first_of_each(const std::vector<Claim>& claims) {
  std::vector<const Claim*> chosen;
  std::set<std::pair<std::string, std::string>> seen;
  for (const Claim& c : claims)
    if (seen.insert({c.name, c.arch}).second) chosen.push_back(&c);
  return chosen;
}

}  // namespace

Explanation explained(const Claim& claim, const Options& options, const Catalog& catalog) {
  Explanation e;
  e.claim = &claim;
  e.mutations = options.run.mutations;
  if (!claim.system) {
    const std::string family = claim.name.substr(0, claim.name.find('/'));
    for (const Claim& c : catalog)
      if (c.system && c.name.starts_with(family + "/") && (claim.arch == "any" || c.arch == claim.arch) &&
          holds(c) && std::count(e.at_work.begin(), e.at_work.end(), c.name) == 0)
        e.at_work.push_back(c.name);
    return e;
  }
  RunOptions run = options.run;
  if (!holds(claim) || !run.mutations.empty()) {
    for (const Result& r : claim.run(run)) {
      e.verdict = r.verdict;
      e.reason = r.reason;
      if (r.verdict == Verdict::violated && r.trace != nullptr) {
        explain_violation(e, r, run, catalog);
        return e;
      }
    }
    if (e.verdict == Verdict::n_a) {
      e.elsewhere = elsewhere_of(claim, run, catalog);
      return e;
    }
  }
  e.covers = covers_of(claim, run);
  return e;
}

Exit explain(const Options& options, const Catalog& catalog, Output& out) {
  const std::vector<Claim> claims = select(catalog, options.claims, options.arch);
  const bool stream = !options.json && options.output.empty();
  std::vector<Explanation> all;
  std::string text;
  for (const Claim* claim : first_of_each(claims)) {
    try {
      all.push_back(explained(*claim, options, catalog));
    } catch (const std::invalid_argument& error) {
      if (options.run.mutations.empty()) throw;
      throw InputError(std::string("--mutate: ") + error.what());
    }
    show_progress("");
    if (options.run.explore.cancel != nullptr && *options.run.explore.cancel) throw Interrupted();
    const std::string part = (all.size() == 1 ? "" : "\n") + text_of(all.back());
    if (stream)
      out.write(part), out.flush();
    else
      text += part;
  }
  if (!stream) deliver(options, options.json ? json_of(all) : text, out);
  return Exit::ok;
}

}  // namespace ptmc::cli
