#include "properties/litmus/claims.hpp"

#include "checker/lower/lowered.hpp"
#include "checker/replay.hpp"
#include "properties/litmus/table.hpp"
#include "properties/litmus/voice.hpp"

namespace ptmc::litmus {
namespace {

Setup setup_of(const Table& table, std::size_t index, const RunOptions& options) {
  Setup setup = setup_of(table, index);
  for (const Mutation& m : options.mutations) setup.mutations.push_back(m.text);
  return setup;
}

std::vector<std::string> paths_of(const Table& table, std::size_t index) {
  const LoweredSystem system(table.packed, setup_of(table, index));
  MutationScope scope{{}, table.packed.text.knobs};
  for (const RuleText& rule : table.packed.text.rules) scope.rules.push_back(rule.name);
  return mutation_paths(system.program(), scope);
}

// No verdict leaves unchecked: the naive interpreter follows each trace.
void recheck(const Stepper& naive, const Trace& trace) {
  const Replay replayed = replay(trace, naive);
  if (replayed.agreement == Replay::Agreement::differs)
    throw InternalError(trace.predicate + ": the naive interpreter differs: " + replayed.what);
}

std::string bound_of(const Program& p) {
  auto count = [](u64 n, const std::string& what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  return count(p.cpus(), "CPU") + " x " + count(p.pages, "page") + " x " + count(p.tables, "table") +
         ", all interleavings";
}

void conclude(Result& r, const Exploration& found) {
  r.states = found.states;
  r.edges = found.edges;
  switch (found.outcome) {
    case Outcome::exhausted:
      r.verdict = found.covers.at(0).reached ? Verdict::bounded : Verdict::violated;
      if (r.verdict == Verdict::violated) r.reason = "no run has the outcome that the manual allows";
      break;
    case Outcome::violated:
      r.verdict = Verdict::violated;
      r.trace = std::make_shared<const Trace>(found.violations.at(0).trace);
      break;
    case Outcome::limit_states:
      r.reason = "limit of states reached";
      break;
    case Outcome::limit_memory:
      r.reason = "limit of memory reached";
      break;
    case Outcome::limit_time:
      r.reason = "limit of time reached";
      break;
    case Outcome::cancelled:
      r.reason = "interrupted";
      break;
  }
}

Result run(const Table& table, std::size_t index, const Claim& claim, const RunOptions& options) {
  Result r;
  r.claim = claim.name, r.instance = claim.instance, r.arch = claim.arch, r.features = claim.features;
  r.property = claim.property, r.expected = claim.expected;
  r.bound = bound_of(table.programs[index]);
  const Setup setup = setup_of(table, index, options);
  try {
    const LoweredSystem system(table.packed, setup);
    const auto naive = plain_stepper(table.plain, setup);
    ExploreOptions explore_options = options.explore;
    explore_options.cover_traces = Toggle::on;
    Exploration found = explore(system, explore_options, options.observer);
    TraceSubject subject{r.claim, r.instance, r.arch, {}, setup.mutations};
    if (!r.features.empty()) subject.features.push_back(r.features);
    for (Violation& v : found.violations) v.trace.subject = subject, recheck(*naive, v.trace);
    for (Cover& c : found.covers)
      if (c.trace) recheck(*naive, *c.trace);
    conclude(r, found);
  } catch (const NotApplicable& e) {
    r.verdict = Verdict::n_a;
    r.reason = e.what();
  }
  return r;
}

void add(std::vector<Claim>& all, const Table& table) {
  for (std::size_t k = 0; k < table.programs.size(); ++k) {
    const Program& p = table.programs[k];
    Claim c;
    c.name = std::string("litmus/") + p.name;
    c.sentence = std::string("the outcome that ") + table.manual + " " + p.manual +
                 " allows happens, the one that it forbids does not";
    c.arch = table.arch;
    c.features = features_of(table, p);
    c.instance = p.name;
    c.property = "outcome";
    c.expected = Verdict::bounded;
    c.run = [&table, k, c](const RunOptions& options) { return std::vector{run(table, k, c, options)}; };
    c.system = [&table, k](const RunOptions& options) -> std::shared_ptr<const System> {
      return std::make_shared<LoweredSystem>(table.packed, setup_of(table, k, options));
    };
    c.stepper = [&table, k](const RunOptions& options) -> std::shared_ptr<const Stepper> {
      return plain_stepper(table.plain, setup_of(table, k, options));
    };
    c.paths = [&table, k] { return paths_of(table, k); };
    c.mutations = setup_of(table, k).mutations;
    c.voice = &voice();
    all.push_back(std::move(c));
  }
}

}  // namespace

std::vector<Claim> claims() {
  std::vector<Claim> all;
  add(all, x86_64());
  add(all, arm64());
  return all;
}

}  // namespace ptmc::litmus
