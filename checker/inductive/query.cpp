#include "checker/inductive/query.hpp"

#include <algorithm>
#include <chrono>

#include "checker/inductive/parallel.hpp"

namespace ptmc::inductive {

// ---- running ----
namespace {

// Most queries are long and shallow: what the SAT solver would simplify costs more than it saves.
z3::solver shallow(z3::context& context) {
  z3::params few(context);
  for (const char* what : {"probing", "asymm_branch", "scc", "elim_vars", "subsumption"})
    few.set(what, false);
  const auto tactic = [&](const char* name) { return z3::tactic(context, name); };
  return (tactic("propagate-values") & tactic("bit-blast") & z3::with(tactic("sat"), few)).mk_solver();
}

}  // namespace

Solving::Solving(const Query& query, unsigned rlimit, Asked asked)
    : solver(asked == Asked::once ? shallow(context) : z3::solver(context, "QF_BV")) {
  z3::params params(context);
  params.set("rlimit", rlimit);
  params.set("random_seed", 0u);
  solver.set(params);
  for (const z3::expr& a : query.assume) solver.add(bring(a));
  z3::expr_vector bad(context);
  for (const Goal& g : query.show) {
    goals.push_back(bring(g.term));
    bad.push_back(!goals.back());
  }
  if (!query.show.empty()) solver.add(z3::mk_or(bad));
}

z3::expr Solving::bring(const z3::expr& term) {
  const z3::expr there = z3::to_expr(context, Z3_translate(term.ctx(), term, context));
  context.check_error();
  return there;
}

Run run(const Query& query, unsigned rlimit) {
  const auto start = std::chrono::steady_clock::now();
  Solving s(query, rlimit, Solving::Asked::once);
  Run out;
  switch (s.solver.check()) {
    case z3::unsat:
      break;
    case z3::unknown:
      out.result = Run::Result::unknown;
      out.reason = s.solver.reason_unknown();
      break;
    case z3::sat: {
      out.result = Run::Result::sat;
      const z3::model m = s.solver.get_model();
      for (std::size_t k = 0; k < s.goals.size(); ++k)
        if (m.eval(s.goals[k], true).is_false()) out.broken.push_back(k);
      break;
    }
  }
  const z3::stats stats = s.solver.statistics();
  for (unsigned k = 0; k < stats.size(); ++k)
    if (stats.key(k) == "rlimit count") out.work = stats.uint_value(k);
  out.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return out;
}

// ---- terms ----
Bench::Bench(const SymbolicSource& source, const InductiveOptions& options)
    : model(source.in(context)), bundle_(context) {
  add_conjuncts(options);
  bundle_ = bundle();
}

void Bench::add_conjuncts(const InductiveOptions& options) {
  auto listed = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (std::size_t k = 0; k < model.claims.size(); ++k) {
    const auto& [predicate, term, safe] = model.claims[k];
    if (predicate.kind == Predicate::Kind::sometimes)
      covers.push_back(k);
    else if (predicate.kind == Predicate::Kind::always && listed(options.apart, predicate.name))
      apart.push_back(k);
    else if (predicate.kind == Predicate::Kind::always)
      conjuncts.push_back({Conjunct::Kind::claim, predicate.name, term});
    else if (!listed(options.left_out, predicate.name))
      conjuncts.push_back({Conjunct::Kind::lemma, predicate.name, term});
  }
  for (const auto& [name, term] : model.generated)
    conjuncts.push_back({Conjunct::Kind::generated, name, term});
}

// All terms at once, as arguments of a function: what they share is worked on once.
z3::expr Bench::bundle() const {
  z3::sort_vector sorts(model.initial.ctx());
  z3::expr_vector terms(model.initial.ctx());
  for (const Conjunct& c : conjuncts) terms.push_back(c.term), sorts.push_back(c.term.get_sort());
  return model.initial.ctx().function("all", sorts, model.initial.ctx().bool_sort())(terms);
}

const Bench::Moment& Bench::moment(std::size_t number) const {
  const auto found = moments_.find(number);
  if (found != moments_.end()) return found->second;
  const SymbolicRule& rule = model.rules[number];
  z3::expr_vector from(model.initial.ctx()), to(model.initial.ctx()), pc(model.initial.ctx()),
      here(model.initial.ctx());
  for (const Write& w : rule.writes) {
    from.push_back(model.variables[w.variable].term);
    to.push_back(w.value);
  }
  const z3::expr& at = rule.at;
  if (at.is_app() && at.decl().decl_kind() == Z3_OP_EQ && at.arg(0).is_const() && at.arg(1).is_numeral()) {
    pc.push_back(at.arg(0));
    here.push_back(at.arg(1));
  }
  z3::expr before = bundle_, after = before.substitute(from, to);
  before = before.substitute(pc, here).simplify();
  after = after.substitute(pc, here).simplify();
  Moment m;
  for (unsigned k = 0; k < conjuncts.size(); ++k) {
    m.before.push_back(before.arg(k));
    m.after.push_back(after.arg(k));
  }
  return moments_.emplace(number, std::move(m)).first->second;
}

Query Bench::invariant(const Active& active) const {
  Query q;
  if (!model.domain.is_true()) q.assume.push_back(model.domain);
  for (std::size_t k = 0; k < conjuncts.size(); ++k)
    if (active[k]) q.assume.push_back(conjuncts[k].term);
  return q;
}

bool Bench::shown(std::size_t conjunct, const Active& active, Show what) const {
  const bool generated = conjuncts[conjunct].kind == Conjunct::Kind::generated;
  return active[conjunct] && (what == Show::all || generated == (what == Show::generated));
}

Query Bench::initial(const Active& active, Show what) const {
  Query q{{model.domain, model.initial}, {}};
  if (what != Show::generated)
    for (const auto& [otherwise, term] : model.initial_safe) q.show.push_back({otherwise, term, none});
  for (std::size_t k = 0; k < conjuncts.size(); ++k)
    if (shown(k, active, what)) q.show.push_back({conjuncts[k].name, conjuncts[k].term, k});
  return q;
}

Query Bench::step(std::size_t number, const Active& active, Show what) const {
  const SymbolicRule& rule = model.rules[number];
  if (rule.guard.is_false()) return {};
  const Moment& m = moment(number);
  Query q;
  if (!model.domain.is_true()) q.assume.push_back(model.domain);
  for (std::size_t k = 0; k < conjuncts.size(); ++k)
    if (active[k]) q.assume.push_back(m.before[k]);
  if (!rule.at.is_true()) q.assume.push_back(rule.at);
  // Where the guard itself may go wrong, that must be shown before it may be assumed.
  const bool safe = rule.guard_safe.empty();
  if (safe && !rule.guard.is_true()) q.assume.push_back(rule.guard);
  auto show = [&](const std::string& name, const z3::expr& term, std::size_t conjunct) {
    q.show.push_back({name, safe ? term : z3::implies(rule.guard, term), conjunct});
  };
  if (what != Show::generated) {
    for (const auto& [otherwise, term] : rule.guard_safe)
      q.show.push_back({"in the guard, " + otherwise, term, none});
    for (const auto& [otherwise, term] : rule.effect_safe) show(otherwise, term, none);
  }
  for (std::size_t k = 0; k < conjuncts.size(); ++k) {
    if (shown(k, active, what) && !z3::eq(m.before[k], m.after[k])) show(conjuncts[k].name, m.after[k], k);
  }
  return q;
}

Query Bench::safety(std::size_t number, const Active& active) const {
  const SymbolicClaim& claim = model.claims[number];
  Query q = invariant(active);
  for (const auto& [otherwise, term] : claim.safe) q.show.push_back({otherwise, term, none});
  if (std::find(apart.begin(), apart.end(), number) != apart.end())
    q.show.push_back({claim.predicate.name, claim.term, none});
  return q;
}

Query Bench::enabled(std::size_t rule, const Active& active) const {
  Query q = invariant(active);
  q.assume.push_back(model.rules[rule].at);
  q.assume.push_back(model.rules[rule].guard);
  return q;
}

// ---- threads ----
void spread(const SymbolicSource& source, const InductiveOptions& options, std::size_t count,
            std::vector<std::unique_ptr<Bench>>& benches,
            const std::function<void(const Bench&, std::size_t)>& body) {
  const std::size_t n = workers_for(options.threads, count);
  if (benches.size() < n) benches.resize(n);
  parallel_for(n, count, [&](std::size_t me, std::size_t k) {
    if (!benches[me]) benches[me] = std::make_unique<Bench>(source, options);
    body(*benches[me], k);
  });
}

}  // namespace ptmc::inductive
