#include "properties/batched_unmap/explore.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include "checker/replay.hpp"

namespace ptmc::batched_unmap {
namespace {

const PackedTables& packed_of(const Question& q) { return q.x86 ? packed_x86_64() : packed_arm64(); }
const PlainTables& plain_of(const Question& q) { return q.x86 ? plain_x86_64() : plain_arm64(); }

std::string label_of(const Actor& actor, const Instr& in) {
  return actor.label() + in.path.substr(in.path.find('/'));
}

// Steps that no run of this instance may take, with the reason in the code: fused ones run inside their
// neighbours, and variants that the knob `defer` has not chosen do not run at all.
std::set<std::string> idle(const LoweredSystem& system, const Question& q) {
  std::set<std::string> steps;
  bool batches = false;  // Without reclaim and migration there is nothing to drain.
  for (const Actor& a : system.program().actors)
    batches = batches || a.name == "reclaim" || a.name == "migrate";
  for (const Actor& a : system.program().actors)
    for (const Instr& in : a.code) {
      const bool eager = in.path.find("/ptep_clear_flush/") != std::string::npos;
      const bool other_page = in.name == "folio_isolate_lru" && q.instance.pages == 1;
      const bool no_batch = !batches && in.path.find("/flush_tlb_batched_pending/") != std::string::npos &&
                            in.name != "read_batched";
      if (in.op == Instr::Op::compute || eager || other_page || no_batch) steps.insert(label_of(a, in));
    }
  return steps;
}

// folio_copy is offered for each frame of the type; the instance may have fewer.
bool beyond_bounds(const Action& a, const Question& q) {
  const auto eq = a.instance.find('=');
  return a.step == "folio_copy" && eq != std::string::npos &&
         std::stoull(a.instance.substr(eq + 1)) >= q.instance.frames;
}

// Why an exhausted exploration proves nothing; empty if it does.
std::string vacuous(const LoweredSystem& system, const Exploration& found, const Question& q) {
  std::string why;
  for (const Cover& c : found.covers)
    if (!c.reached) why += "cover " + system.predicates()[c.predicate].name + " is never reached; ";
  if (!q.mutations.empty()) return why;
  const std::set<std::string> allowed = idle(system, q);
  for (const u32 k : found.never_fired) {
    const Action& a = system.actions()[k];
    const std::string step = a.actor + "/" + a.step;
    if (!allowed.contains(step) && !beyond_bounds(a, q))
      why += "step " + step + "(" + a.instance + ") never runs; ";
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
std::shared_ptr<const Trace> checked(Trace trace, const Claim& claim, const Setup& setup, const Question& q) {
  trace.subject = {claim.name, claim.instance, claim.arch, {}, setup.mutations, {}};
  std::istringstream names(q.features.name);
  for (std::string name; names >> name;) trace.subject.features.push_back(name);
  const Replay replayed = replay(trace, *plain_stepper(plain_of(q), setup));
  if (replayed.agreement == Replay::Agreement::differs)
    throw InternalError(claim.name + ": the naive interpreter differs: " + replayed.what);
  return std::make_shared<const Trace>(std::move(trace));
}

}  // namespace

Setup setup_of(const Question& q, const RunOptions& options) {
  Instance instance = q.instance;
  FeatureSet features = q.features;
  change(instance, features, q.x86, options.machine);
  Setup setup = setup_of(instance, q.x86, features, q.properties);
  setup.mutations = q.mutations;
  // A trace of a twin names the twin's own mutation, too: once is enough.
  for (const Mutation& m : options.mutations)
    if (std::count(setup.mutations.begin(), setup.mutations.end(), m.text) == 0)
      setup.mutations.push_back(m.text);
  return setup;
}

std::shared_ptr<const System> system_of(const Question& q, const RunOptions& options) {
  return std::make_shared<LoweredSystem>(packed_of(q), setup_of(q, options));
}
std::shared_ptr<const Stepper> stepper_of(const Question& q, const RunOptions& options) {
  return plain_stepper(plain_of(q), setup_of(q, options));
}
std::shared_ptr<const SymbolicSource> terms_of(const Question& q, const RunOptions& options) {
  Setup setup = setup_of(q, options);
  if (setup.config.count(By::page) > 1 || setup.config.count(By::frame) > 2) return nullptr;
  setup.fuse = false;
  return symbolic_source(q.x86 ? symbolic_x86_64() : symbolic_arm64(), setup);
}
Program program_of(const Question& q, const RunOptions& options) {
  return instantiate(packed_of(q).text, setup_of(q, options)).program;
}
std::vector<std::string> paths_of(const Question& q) {
  const LoweredSystem system(packed_of(q), setup_of(q, {}));
  MutationScope scope{{}, packed_of(q).text.knobs};
  for (const RuleText& rule : packed_of(q).text.rules) scope.rules.push_back(rule.name);
  return mutation_paths(system.program(), scope);
}

std::vector<Result> explore_question(const Question& q, const Claim& claim, const RunOptions& options) {
  Result base;
  base.claim = claim.name, base.instance = claim.instance, base.arch = claim.arch,
  base.features = claim.features;
  base.expected = claim.expected, base.bound = bound_of(q.instance, q.x86);
  std::vector<Result> results;
  try {
    const Setup setup = setup_of(q, options);
    const LoweredSystem system(packed_of(q), setup);
    Exploration found = explore(system, options.explore, options.observer);
    base.states = found.states, base.edges = found.edges;
    const std::string gap = found.outcome == Outcome::exhausted ? vacuous(system, found, q) : "";
    for (std::size_t k = 0; k < system.predicates().size(); ++k) {
      const Predicate& p = system.predicates()[k];
      if (p.kind != Predicate::Kind::always) continue;
      Result r = base;
      r.property = p.name;
      const auto broken = std::find_if(found.violations.begin(), found.violations.end(),
                                       [&](const Violation& v) { return v.predicate == k; });
      if (broken != found.violations.end()) {
        r.verdict = Verdict::violated;
        r.trace = checked(broken->trace, claim, setup, q);
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
    base.property = claim.property;
    base.verdict = Verdict::n_a;
    base.reason = e.what();
    results.push_back(base);
  }
  return results;
}

}  // namespace ptmc::batched_unmap
