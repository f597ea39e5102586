#include "properties/machine/explore.hpp"

#include <algorithm>
#include <sstream>

#include "checker/replay.hpp"

namespace ptmc::machine {
namespace {

// Why an exhausted exploration proves nothing; empty if it does.
std::string vacuous(const LoweredSystem& system, const Exploration& found, const Run& run) {
  std::string why;
  for (const Cover& c : found.covers)
    if (!c.reached) why += "cover " + system.predicates()[c.predicate].name + " is never reached; ";
  if (run.mutated) return why;
  for (const u32 k : found.never_fired) {
    const Action& a = system.actions()[k];
    if (!run.owed || run.owed(system, found, a))
      why += "step " + a.actor + "/" + a.step + "(" + a.instance + ") never runs; ";
  }
  if (found.deadlocks != 0) why += std::to_string(found.deadlocks) + " deadlock states; ";
  return why;
}

const char* limit_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::limit_states:
      return "limit of states reached";
    case Outcome::limit_memory:
      return "limit of memory reached";
    case Outcome::limit_time:
      return "limit of time reached";
    case Outcome::cancelled:
      return "interrupted";
    default:
      return "";
  }
}

// No verdict leaves unchecked: the naive interpreter follows each trace.
std::shared_ptr<const Trace> checked(Trace trace, const Claim& claim, const Run& run) {
  trace.subject = {claim.name, claim.instance, claim.arch, {}, run.setup.mutations, {}};
  std::istringstream names(claim.features);
  for (std::string name; names >> name;) trace.subject.features.push_back(name);
  const Replay replayed = replay(trace, *plain_stepper(run.machine.plain, run.setup));
  if (replayed.agreement == Replay::Agreement::differs)
    throw InternalError(claim.name + ": the naive interpreter differs: " + replayed.what);
  return std::make_shared<const Trace>(std::move(trace));
}

}  // namespace

void add_mutations(Setup& setup, const std::vector<std::string>& own, const RunOptions& options) {
  setup.mutations.insert(setup.mutations.end(), own.begin(), own.end());
  for (const Mutation& m : options.mutations)
    if (std::count(setup.mutations.begin(), setup.mutations.end(), m.text) == 0)
      setup.mutations.push_back(m.text);
}

void attach(Claim& claim, std::function<Lowered()> machine, std::function<Setup(const RunOptions&)> setup) {
  claim.system = [machine, setup](const RunOptions& options) -> std::shared_ptr<const System> {
    return std::make_shared<LoweredSystem>(machine().packed, setup(options));
  };
  claim.stepper = [machine, setup](const RunOptions& options) -> std::shared_ptr<const Stepper> {
    return plain_stepper(machine().plain, setup(options));
  };
  claim.program = [machine, setup](const RunOptions& options) {
    return instantiate(machine().packed.text, setup(options)).program;
  };
  claim.paths = [machine, setup] { return paths_of(machine().packed, setup({})); };
}

std::vector<std::string> paths_of(const PackedTables& tables, const Setup& setup) {
  const LoweredSystem system(tables, setup);
  MutationScope scope{{}, tables.text.knobs};
  for (const RuleText& rule : tables.text.rules) scope.rules.push_back(rule.name);
  return mutation_paths(system.program(), scope);
}

Result result_of(const Claim& claim) {
  Result r;
  r.claim = claim.name, r.instance = claim.instance, r.arch = claim.arch, r.features = claim.features;
  r.expected = claim.expected;
  return r;
}

Result not_applicable(const Claim& claim, const std::string& why) {
  Result r = result_of(claim);
  r.property = claim.property;
  r.verdict = Verdict::n_a;
  r.reason = why;
  return r;
}

std::vector<Result> explore(const Run& run, const Claim& claim, const RunOptions& options) {
  Result base = result_of(claim);
  base.bound = run.bound;
  std::vector<Result> results;
  try {
    const LoweredSystem system(run.machine.packed, run.setup);
    Exploration found = ptmc::explore(system, options.explore, options.observer);
    base.states = found.states, base.edges = found.edges;
    const std::string gap = found.outcome == Outcome::exhausted ? vacuous(system, found, run) : "";
    for (std::size_t k = 0; k < system.predicates().size(); ++k) {
      const Predicate& p = system.predicates()[k];
      if (p.kind != Predicate::Kind::always) continue;
      Result r = base;
      r.property = p.name;
      const auto broken = std::find_if(found.violations.begin(), found.violations.end(),
                                       [&](const Violation& v) { return v.predicate == k; });
      if (broken != found.violations.end()) {
        r.verdict = Verdict::violated;
        r.trace = checked(broken->trace, claim, run);
      } else if (found.outcome == Outcome::exhausted) {
        r.verdict = gap.empty() ? Verdict::bounded : Verdict::violated;
        r.reason = gap;
      } else {
        r.reason = found.outcome == Outcome::violated ? "the search ended at a violation of another property"
                                                      : limit_of(found.outcome);
      }
      results.push_back(std::move(r));
    }
  } catch (const NotApplicable& e) {
    return {not_applicable(claim, e.what())};
  }
  return results;
}

Result twin_result(const Claim& claim, const std::function<std::vector<Result>()>& explored) {
  Result r = result_of(claim);
  r.property = claim.property;
  try {
    std::string others;
    for (Result& found : explored()) {
      if (found.verdict == Verdict::n_a || found.property == claim.property)
        r = std::move(found);
      else if (found.verdict == Verdict::violated)
        others += (others.empty() ? "also breaks " : ", ") + found.property;
    }
    if (!others.empty()) r.notes.push_back(others);
    // Nothing broke it: that a cover or a step is missing besides is no violation of it.
    if (r.verdict == Verdict::violated && r.trace == nullptr) r.verdict = Verdict::unknown;
  } catch (const std::invalid_argument& e) {
    if (claim.expected != Verdict::n_a) throw;
    return not_applicable(claim, e.what());
  }
  return r;
}

}  // namespace ptmc::machine
