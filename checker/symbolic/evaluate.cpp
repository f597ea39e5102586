#include "checker/symbolic/evaluate.hpp"

#include "checker/verdict.hpp"

namespace ptmc {
namespace {

z3::expr literal(const z3::expr& like, u64 v) {
  z3::context& c = like.ctx();
  if (like.is_bool()) return c.bool_val(v != 0);
  return c.bv_val(static_cast<std::uint64_t>(v), like.get_sort().bv_size());
}

u64 number(const z3::expr& value) {
  if (value.is_bool()) return value.is_true();
  return value.get_numeral_uint64();
}

}  // namespace

SymbolicEvaluator::SymbolicEvaluator(const SymbolicSource& source)
    : model_(source.in(context_)), from_(context_), to_(context_) {
  for (const Variable& v : model_.variables) from_.push_back(v.term);
}

std::vector<std::string> SymbolicEvaluator::names() const {
  std::vector<std::string> all;
  for (const Variable& v : model_.variables) all.push_back(v.name);
  return all;
}

void SymbolicEvaluator::enter(const Values& state) {
  to_ = z3::expr_vector(context_);
  for (std::size_t k = 0; k < state.size(); ++k) to_.push_back(literal(model_.variables[k].term, state[k]));
}

z3::expr SymbolicEvaluator::value(const z3::expr& term) const {
  return z3::expr(term).substitute(from_, to_).simplify();
}

bool SymbolicEvaluator::is_true(const z3::expr& term) const {
  if (term.is_true()) return true;
  const z3::expr v = value(term);
  if (!v.is_true() && !v.is_false())
    throw InternalError("a term over a state has no value: " + v.to_string());
  return v.is_true();
}

bool SymbolicEvaluator::safe(const std::vector<sym::Obligation>& obligations) const {
  for (const sym::Obligation& o : obligations)
    if (!is_true(o.term)) return false;
  return true;
}

bool SymbolicEvaluator::initial(const Values& state) {
  enter(state);
  return is_true(model_.domain) && is_true(model_.initial) && safe(model_.initial_safe);
}

std::vector<SymbolicEvaluator::Step> SymbolicEvaluator::steps(const Values& state) {
  enter(state);
  std::vector<Step> all;
  for (const SymbolicRule& r : model_.rules) {
    if (!is_true(r.at)) continue;
    const bool guard_safe = safe(r.guard_safe);
    if (guard_safe && !is_true(r.guard)) continue;
    Step step{r.action, state, guard_safe && safe(r.effect_safe)};
    for (const Write& w : r.writes) step.after[w.variable] = number(value(w.value));
    all.push_back(std::move(step));
  }
  return all;
}

bool SymbolicEvaluator::has(const std::string& predicate) const {
  for (const SymbolicClaim& c : model_.claims)
    if (c.predicate.name == predicate) return true;
  return false;
}

bool SymbolicEvaluator::holds(const Values& state, const std::string& predicate) {
  enter(state);
  for (const SymbolicClaim& c : model_.claims)
    if (c.predicate.name == predicate) return is_true(c.term);
  throw std::invalid_argument("no predicate '" + predicate + "' in this model");
}

}  // namespace ptmc
