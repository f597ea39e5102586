#include "checker/symbolic/evaluate.hpp"

#include "checker/verdict.hpp"

namespace ptmc {
namespace {

z3::expr literal(const z3::expr& like, u64 v) {
  z3::context& c = like.ctx();
  if (like.is_bool()) return c.bool_val(v != 0);
  return c.bv_val(static_cast<std::uint64_t>(v), like.get_sort().bv_size());
}

z3::expr as_bits(const z3::expr& term) {
  if (!term.is_bool()) return term;
  return z3::ite(term, term.ctx().bv_val(1, 1), term.ctx().bv_val(0, 1));
}

z3::expr all(const std::vector<sym::Obligation>& obligations, z3::context& context) {
  z3::expr_vector terms(context);
  for (const sym::Obligation& o : obligations) terms.push_back(o.term);
  return z3::mk_and(terms);
}

}  // namespace

SymbolicEvaluator::Bundle::Bundle(const std::vector<z3::expr>& terms) {
  unsigned room = 0;
  for (const z3::expr& t : terms) {
    const z3::expr term = as_bits(t);
    const unsigned width = term.get_sort().bv_size();
    if (width > room) {
      parts_.push_back({term, {width}});
      room = 64 - width;
    } else {
      parts_.back().term = z3::concat(parts_.back().term, term);
      parts_.back().widths.push_back(width);
      room -= width;
    }
  }
}

std::vector<u64> SymbolicEvaluator::Bundle::values(const z3::model& state) const {
  std::vector<u64> all_values;
  for (const Part& part : parts_) {
    const z3::expr value = state.eval(part.term, true);
    if (!value.is_numeral()) throw InternalError("a term over a state has no value: " + value.to_string());
    const u64 bits = value.get_numeral_uint64();
    unsigned end = value.get_sort().bv_size();
    for (const unsigned width : part.widths) {
      end -= width;
      all_values.push_back((bits >> end) & (width >= 64 ? ~u64{0} : bit(width) - 1));
    }
  }
  return all_values;
}

SymbolicEvaluator::SymbolicEvaluator(const SymbolicSource& source) : model_(source.in(context_)) {
  initial_.emplace(Bundle({model_.domain && model_.initial && all(model_.initial_safe, context_)}));
  std::vector<z3::expr> offered, claims, safe;
  for (const SymbolicRule& r : model_.rules) {
    const z3::expr guard_safe = all(r.guard_safe, context_);
    offered.push_back(r.at && (r.guard || !guard_safe));
    std::vector<z3::expr> after{guard_safe && all(r.effect_safe, context_)};
    for (const Write& w : r.writes) after.push_back(w.value);
    after_.emplace_back(after);
  }
  for (const SymbolicClaim& c : model_.claims) {
    predicates_.push_back(c.predicate);
    claims.push_back(c.term);
    safe.push_back(all(c.safe, context_));
  }
  offered_.emplace(Bundle(offered));
  claims_.emplace(Bundle(claims));
  claims_safe_.emplace(Bundle(safe));
}

std::vector<std::string> SymbolicEvaluator::names() const {
  std::vector<std::string> names;
  for (const Variable& v : model_.variables) names.push_back(v.name);
  return names;
}

void SymbolicEvaluator::enter(const Values& state) {
  state_.emplace(context_);
  for (std::size_t k = 0; k < state.size(); ++k) {
    z3::func_decl name = model_.variables[k].term.decl();
    z3::expr value = literal(model_.variables[k].term, state[k]);
    state_->add_const_interp(name, value);
  }
}

bool SymbolicEvaluator::initial(const Values& state) {
  enter(state);
  return values(*initial_).front() != 0;
}

std::vector<SymbolicEvaluator::Step> SymbolicEvaluator::steps(const Values& state) {
  enter(state);
  std::vector<Step> steps;
  const std::vector<u64> offered = values(*offered_);
  for (std::size_t k = 0; k < offered.size(); ++k) {
    if (offered[k] == 0) continue;
    const SymbolicRule& rule = model_.rules[k];
    const std::vector<u64> after = values(after_[k]);
    Step step{rule.action, state, after.front() != 0};
    for (std::size_t w = 0; w < rule.writes.size(); ++w) step.after[rule.writes[w].variable] = after[w + 1];
    steps.push_back(std::move(step));
  }
  return steps;
}

std::vector<SymbolicEvaluator::Truth> SymbolicEvaluator::truths(const Values& state) {
  enter(state);
  const std::vector<u64> holds = values(*claims_), safe = values(*claims_safe_);
  std::vector<Truth> truths;
  for (std::size_t k = 0; k < holds.size(); ++k) truths.push_back({holds[k] != 0, safe[k] != 0});
  return truths;
}

}  // namespace ptmc
