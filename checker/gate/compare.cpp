#ifdef PTMC_HAVE_LLVM
#include "checker/gate/compare.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "checker/gate/equation.hpp"
#include "model/arch/decode.hpp"

namespace ptmc::gate {
namespace {

using words::Type;

z3::solver solver_for(const Comparison& shared, z3::context& context, const Equation& e) {
  z3::solver solver(context, "QF_BV");
  z3::params limits(context);
  limits.set("rlimit", shared.solver_steps_max);
  solver.set(limits);
  for (const Assumption& a : e.assumptions) solver.add(a.holds);
  return solver;
}

// Does the constant occur in the term?
bool mentions(const z3::expr& term, const z3::expr& constant) {
  std::set<unsigned> seen;
  std::vector<z3::expr> open = {term};
  while (!open.empty()) {
    const z3::expr next = open.back();
    open.pop_back();
    if (!seen.insert(next.id()).second) continue;
    if (z3::eq(next, constant)) return true;
    for (unsigned n = 0; n < next.num_args(); ++n) open.push_back(next.arg(n));
  }
  return false;
}

// A word that says more: entries that the hardware sees, a CPU with all bits; then, bit by bit, the fewest
// bits.
z3::model readable(z3::solver& solver, const Equation& e, const words::Helper& helper) {
  z3::context& c = solver.ctx();
  z3::model model = solver.get_model();
  const auto prefer = [&](const z3::expr& wish) {
    solver.push();
    solver.add(wish);
    const bool possible = solver.check() == z3::sat;
    if (possible)
      model = solver.get_model();
    else
      solver.pop();
    return possible;
  };
  const z3::expr mask = words::free_cpu(c).supported_pte_mask.e;
  if (mentions(e.ours == e.theirs, mask)) prefer(mask == c.bv_val(-1, 64));
  const auto is_entry = [](Type t) {
    return t == Type::pte || t == Type::pmd || t == Type::pud || t == Type::prot;
  };
  for (unsigned n = 0; n < e.arguments.size(); ++n)
    if (is_entry(helper.args[n])) prefer(e.arguments[n].extract(0, 0) == c.bv_val(1, 1));
  for (const z3::expr& argument : e.arguments)
    for (unsigned n = 64; n-- > 0;) {
      const z3::expr clear = argument.extract(n, n) == c.bv_val(0, 1);
      if (model.eval(clear, true).is_true())
        solver.add(clear);
      else
        prefer(clear);
    }
  return model;
}

// A word in the words of its kind; "" for plain numbers.
std::string as_text(const char* layout, Type type, u64 word) {
  switch (type) {
    case Type::pte:
      return decode(layout, word, Level::pte);
    case Type::pmd:
      return decode(layout, word, Level::pmd);
    case Type::pud:
      return decode(layout, word, Level::pud);
    case Type::prot:
      return decode_prot(layout, word);
    case Type::swp:
      return "type " + std::to_string(word >> 58) + ", offset " + std::to_string(word & bits(57, 0));
    default:
      return "";
  }
}

u64 value_of(const z3::model& model, const z3::expr& term) {
  return model.eval(term, true).get_numeral_uint64();
}

void explain(const Comparison& shared, const words::Helper& helper, const Equation& e, const z3::model& model,
             HelperReport& report) {
  const char* layout = words::name_of(shared.layout).name;
  for (unsigned n = 0; n < e.arguments.size(); ++n) {
    const u64 v = value_of(model, e.arguments[n]);
    report.words.push_back({e.names[n], v, as_text(layout, helper.args[n], v)});
  }
  for (unsigned n = 0; n < model.num_consts(); ++n) {
    const z3::func_decl fact = model.get_const_decl(n);
    const std::string name = fact.name().str();
    if (std::find(e.names.begin(), e.names.end(), name) != e.names.end()) continue;
    const z3::expr v = model.get_const_interp(fact);
    const u64 number = v.is_bool() ? (v.is_true() ? 1 : 0) : v.get_numeral_uint64();
    report.words.push_back({name_of_symbol(shared, name), number, ""});
  }
  const u64 ours = value_of(model, e.ours), theirs = value_of(model, e.theirs);
  const words::Cpu cpu = words::free_cpu(e.ours.ctx());
  const auto fact = [&](const sym::Bool& f) { return model.eval(f.e, true).is_true(); };
  words::Values values{};
  for (unsigned n = 0; n < e.arguments.size(); ++n) values[n] = value_of(model, e.arguments[n]);
  if (ours != helper.evaluate(values, {fact(cpu.shstk), fact(cpu.la57), fact(cpu.poe), fact(cpu.epan),
                                       fact(cpu.migration_ad), value_of(model, cpu.supported_pte_mask.e)}))
    throw InternalError(report.helper + ": the model's text over numbers and over terms disagree");
  report.words.push_back({"model", ours, as_text(layout, helper.result, ours)});
  report.words.push_back({"kernel", theirs, as_text(layout, helper.result, theirs)});
  if (!model.eval(e.kernel.defined, true).is_true())
    report.reason = "undefined in the kernel: a shift too far, or BUG";
  else if (ours == theirs)
    throw InternalError(report.helper + ": the solver's word breaks nothing");
  else
    report.reason =
        "differs in " +
        (as_text(layout, helper.result, 0).empty() ? "the answer" : bit_names(layout, ours ^ theirs));
}

// The other copy of the model's text, over numbers, must answer as the kernel's term does: all words of one
// bit, all but one, and some of many bits, on CPUs of all kinds.
void recheck(const Equation& e, const words::Helper& helper) {
  z3::context& c = e.ours.ctx();
  const words::Cpu cpu = words::free_cpu(c);
  u64 seed = 0x9e3779b97f4a7c15;
  for (unsigned round = 0; round < 192; ++round) {
    z3::expr_vector from(c), to(c);
    const auto give = [&](const z3::expr& variable, u64 value) {
      from.push_back(variable);
      to.push_back(variable.is_bool() ? c.bool_val((value & 1) != 0)
                                      : c.bv_val(static_cast<std::uint64_t>(value), 64)
                                            .extract(variable.get_sort().bv_size() - 1, 0)
                                            .simplify());
    };
    const auto random = [&] { return seed = std::rotl(seed * 0xbf58476d1ce4e5b9 + 1, 29); };
    words::Values values{};
    for (unsigned n = 0; n < e.arguments.size(); ++n) {
      const u64 one = u64{1} << ((round + n * 17) % 64);
      values[n] = round < 64 ? one : round < 128 ? ~one : random();
      give(e.arguments[n], values[n]);
    }
    const u64 facts = random();
    const auto fact = [&](unsigned n) { return ((facts >> (n + 20)) & 1) != 0; };
    const Features<bool, u64> known{fact(0), fact(1), fact(2),
                                    fact(3), fact(4), fact(5) ? ~u64{0} : random()};
    const z3::expr variables[] = {cpu.shstk.e, cpu.la57.e, cpu.poe.e, cpu.epan.e, cpu.migration_ad.e};
    for (unsigned n = 0; n < 5; ++n) give(variables[n], fact(n) ? 1 : 0);
    give(cpu.supported_pte_mask.e, known.supported_pte_mask);
    for (const ir::Symbol& s : e.kernel.symbols)
      if (s.term.is_const() && s.term.decl().decl_kind() == Z3_OP_UNINTERPRETED) give(s.term, random());
    const auto at = [&](z3::expr term) { return term.substitute(from, to).simplify(); };
    bool applies = true;
    for (const Assumption& a : e.assumptions) applies = applies && at(a.holds).is_true();
    if (!applies) continue;
    if (at(e.theirs).get_numeral_uint64() != helper.evaluate(values, known))
      throw InternalError(std::string(helper.name) + ": proved equal, and a word breaks it");
  }
}

}  // namespace

HelperReport compare(Comparison& shared, ir::Module& kernel, z3::context& context,
                     const words::Helper& helper, const std::string& function) {
  HelperReport report;
  report.helper = helper.name;
  try {
    const Equation e = build_equation(shared, kernel, context, helper, function);
    report.one_iteration = e.kernel.loops;
    for (const Assumption& a : e.assumptions) report.assumptions.push_back(a.text);
    z3::solver solver = solver_for(shared, context, e);
    if (!e.assumptions.empty() && solver.check() != z3::sat)
      throw InternalError(report.helper + ": contradictory assumptions");
    z3::solver loop = solver_for(shared, context, e);
    loop.add(!e.kernel.once);
    if (e.kernel.loops && loop.check() != z3::unsat)
      throw ir::Unsupported("a loop that goes round more than once");
    solver.add(!(e.kernel.defined && e.ours == e.theirs));
    switch (solver.check()) {
      case z3::unsat:
        recheck(e, helper);
        report.verdict = Verdict::proved;
        break;
      case z3::sat:
        report.verdict = Verdict::violated;
        explain(shared, helper, e, readable(solver, e, helper), report);
        break;
      case z3::unknown:
        report.reason = "the solver gave up: " + solver.reason_unknown();
        break;
    }
  } catch (const ir::Unsupported& unsupported) {
    report.reason = unsupported.what();
  }
  return report;
}

}  // namespace ptmc::gate
#endif
