#include "checker/value_lemma.hpp"

#include <algorithm>
#include <unordered_set>

namespace ptmc {
namespace {

z3::expr conjunction(z3::context& context, const std::vector<Premise>& premises, std::size_t without) {
  z3::expr all = context.bool_val(true);
  for (std::size_t i = 0; i < premises.size(); ++i)
    if (i != without) all = all && premises[i].term;
  return all;
}

// A fifth cheaper than the QF_BV solver on these small formulas, and another road than recheck's.
class Query {
 public:
  Query(z3::context& context, const ValueOptions& options)
      : solver_(
            (z3::tactic(context, "simplify") & z3::tactic(context, "bit-blast") & z3::tactic(context, "sat"))
                .mk_solver()) {
    z3::params params(context);
    params.set("rlimit", options.rlimit);
    solver_.set(params);
  }
  z3::check_result check(const z3::expr& formula) {
    solver_.add(formula);
    return solver_.check();
  }
  z3::model model() { return solver_.get_model(); }
  std::string reason() { return "solver: " + solver_.reason_unknown(); }

 private:
  z3::solver solver_;
};

using Ids = std::unordered_set<unsigned>;

void collect(const z3::expr& term, Ids& seen) {
  if (!seen.insert(term.id()).second) return;
  for (unsigned i = 0; i < term.num_args(); ++i) collect(term.arg(i), seen);
}

// The inputs that occur in `formula`.
std::vector<z3::expr> inputs_of(const ValueLemma& lemma, const z3::expr& formula) {
  Ids seen;
  collect(formula, seen);
  std::vector<z3::expr> used;
  std::copy_if(lemma.inputs.begin(), lemma.inputs.end(), std::back_inserter(used),
               [&](const z3::expr& input) { return seen.count(input.id()) != 0; });
  return used;
}

z3::expr constant(const z3::expr& input, u64 value) {
  z3::context& context = input.ctx();
  if (input.is_bool()) return context.bool_val(value != 0);
  return context.bv_val(static_cast<std::uint64_t>(value), input.get_sort().bv_size());
}

// `formula` with the inputs at their values, except that of index `but`.
z3::expr at(const z3::expr& formula, const std::vector<z3::expr>& inputs, const Witness& values,
            std::size_t but) {
  z3::expr_vector from(formula.ctx()), to(formula.ctx());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (i == but) continue;
    from.push_back(inputs[i]);
    to.push_back(constant(inputs[i], values[i].value));
  }
  z3::expr copy = formula;
  return copy.substitute(from, to).simplify();
}

// The values of `model`, with every bit cleared that may be: what is left is what breaks the law.
Witness witness_of(const z3::expr& formula, const std::vector<z3::expr>& inputs, const z3::model& model) {
  Witness values;
  for (const z3::expr& input : inputs) {
    const z3::expr value = model.eval(input, true);
    values.push_back(
        {input.decl().name().str(), input.is_bool() ? value.is_true() : value.get_numeral_uint64()});
  }
  if (!at(formula, inputs, values, inputs.size()).is_true())
    throw InternalError("value lemma: the solver's model does not satisfy the query");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const z3::expr of_this = at(formula, inputs, values, i);  // Small: one input is left.
    u64& value = values[i].value;
    for (unsigned b = 64; b-- > 0;) {
      if ((value & bit(b)) == 0) continue;
      value ^= bit(b);
      if (!at(of_this, {inputs[i]}, {values[i]}, 1).is_true()) value ^= bit(b);
    }
  }
  return values;
}

}  // namespace

z3::check_result ValueProver::recheck(const z3::expr& formula) {
  if (second_ == nullptr) second_ = std::make_unique<z3::context>();
  z3::context& context = *second_;
  const z3::expr copy(context, Z3_translate(formula.ctx(), formula, context));
  z3::params params(context);
  params.set("rlimit", 8 * options_.rlimit);
  z3::solver solver(context, "QF_BV");
  solver.set(params);
  solver.add(copy);
  const z3::check_result found = solver.check();
  if (found == z3::sat) throw InternalError("value lemma: a second solver refutes a proof");
  return found;
}

ValueResult ValueProver::prove(const ValueLemma& lemma) {
  z3::context& context = lemma.conclusion.ctx();
  const z3::expr premises = conjunction(context, lemma.premises, lemma.premises.size());
  ValueResult result;
  if (!lemma.premises.empty()) {
    Query query(context, options_);
    const z3::check_result some = query.check(premises);
    if (some != z3::sat) {
      result.reason = some == z3::unsat ? "vacuous: no value satisfies the premises" : query.reason();
      return result;
    }
  }
  const auto broken = [&](std::size_t without) {
    return conjunction(context, lemma.premises, without) && !lemma.conclusion;
  };
  const z3::expr formula = broken(lemma.premises.size());
  const std::vector<z3::expr> inputs = inputs_of(lemma, formula);
  Query query(context, options_);
  const z3::check_result found = query.check(formula);
  if (found == z3::unknown) {
    result.reason = query.reason();
    return result;
  }
  if (found == z3::sat) {
    result.verdict = Verdict::violated;
    result.witness = witness_of(formula, inputs, query.model());
    return result;
  }
  if (recheck(formula) != z3::unsat) {
    result.reason = "the second solver reached its limit";
    return result;
  }
  result.verdict = Verdict::proved;
  for (std::size_t i = 0; i < lemma.premises.size(); ++i) {
    Query without(context, options_);
    const z3::expr freed = broken(i);
    result.necessary.emplace_back();
    if (without.check(freed) == z3::sat)
      result.necessary.back() = witness_of(freed, inputs_of(lemma, freed), without.model());
  }
  return result;
}

}  // namespace ptmc
