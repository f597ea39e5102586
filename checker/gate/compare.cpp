#ifdef PTMC_HAVE_LLVM
#include "checker/gate/compare.hpp"

#include <algorithm>
#include <bit>

#include "checker/gate/decode.hpp"

namespace ptmc::gate {
namespace {

using words::Type;

// Functions outside the compiled files whose result is a boot-time fact or that change no entry.
const std::vector<std::string> opaque_calls = {"read_sanitised_ftr_reg", "flush_tlb_page",
                                               "flush_tlb_mm_range",     "__flush_tlb_page",
                                               "__warn_printk",          "_printk"};

// Facts of the tree that are parameters of the model, by the tree's names.
std::map<std::string, z3::expr> bindings(const Comparison& shared, const words::Cpu& cpu,
                                         const z3::expr* keys) {
  z3::context& c = cpu.shstk.e.ctx();
  std::map<std::string, z3::expr> out;
  const std::map<std::string, z3::expr> parameters = {{"X86_FEATURE_SHSTK", cpu.shstk.e},
                                                      {"X86_FEATURE_LA57", cpu.la57.e},
                                                      {"ARM64_HAS_S1POE", cpu.poe.e},
                                                      {"ARM64_HAS_EPAN", cpu.epan.e}};
  for (const auto& [number, name] : shared.features)
    if (const auto p = parameters.find(name); p != parameters.end())
      out.emplace("feature " + std::to_string(number), p->second);
  out.emplace("__supported_pte_mask", cpu.supported_pte_mask.e);
  out.emplace("swap_migration_ad_supported", z3::ite(cpu.migration_ad.e, c.bv_val(1, 8), c.bv_val(0, 8)));
  if (keys != nullptr) {
    out.emplace("pkru", keys->extract(31, 0));
    out.emplace("sysreg S3_3_C10_C2_4", *keys);  // POR_EL0
  }
  return out;
}

const char* label(Type type) {
  switch (type) {
    case Type::pte:
      return "pte";
    case Type::pmd:
      return "pmd";
    case Type::pud:
      return "pud";
    case Type::prot:
      return "prot";
    case Type::swp:
      return "entry";
    case Type::number:
      return "number";
    case Type::vm_flags:
      return "vm_flags";
    case Type::mm:
      return "pending";
    case Type::flag:
      return "flag";
    default:
      return "keys";
  }
}

struct Assumption {
  std::string text;
  z3::expr holds;
};

// One comparison on its way.
struct Equation {
  std::vector<z3::expr> arguments;
  std::vector<std::string> names;
  z3::expr ours, theirs;
  ir::Evaluation kernel;
  std::vector<Assumption> assumptions;

  z3::expr equal() const { return kernel.defined && kernel.once && ours == theirs; }
};

std::string name_of_symbol(const Comparison& shared, const std::string& symbol) {
  if (!symbol.starts_with("feature ")) return symbol;
  const auto known = shared.features.find(std::stoull(symbol.substr(8)));
  return known == shared.features.end() ? symbol : known->second;
}

std::vector<Assumption> assumptions_of(const Comparison& shared, const words::Helper& helper,
                                       const words::Cpu& cpu, const z3::expr* keys,
                                       const ir::Evaluation& kernel) {
  std::vector<Assumption> out;
  for (const ir::Symbol& s : kernel.symbols)
    if (keys != nullptr && name_of_symbol(shared, s.name) == "X86_FEATURE_OSPKE")
      out.push_back({"without X86_FEATURE_OSPKE the keys register reads as 0",
                     s.term || *keys == keys->ctx().bv_val(0, 64)});
  if (std::string(helper.name) == "vm_get_page_prot") {
    out.push_back(
        {"protection_map is as initialised", keys == nullptr ? !cpu.epan.e || cpu.epan.e : cpu.epan.e});
    if (words::name_of(shared.layout).family == std::string("arm64"))
      out.push_back({"no FEAT_PAN3: adjust_protection_map changes nothing", !cpu.epan.e});
  }
  return out;
}

Equation build(Comparison& shared, ir::Module& module, z3::context& context, const words::Helper& helper,
               const std::string& function) {
  const words::Cpu cpu = words::free_cpu(context);
  words::Arguments model_arguments;
  std::vector<z3::expr> all, passed;
  std::vector<std::string> names;
  const z3::expr* keys = nullptr;
  all.reserve(helper.args.size());
  for (const Type type : helper.args) {
    const auto same = std::count_if(helper.args.begin(), helper.args.begin() + all.size(),
                                    [&](Type t) { return t == type; });
    names.push_back(label(type) + (same == 0 ? std::string() : std::to_string(same + 1)));
    all.push_back(context.bv_const(names.back().c_str(), 64));
    model_arguments.emplace_back(all.back());
    if (type == Type::keys)
      keys = &all.back();
    else
      passed.push_back(all.back());
  }
  const ir::Policy policy{bindings(shared, cpu, keys), opaque_calls, {"protection_map"}};
  ir::Evaluation kernel = module.evaluate(function, passed, policy);
  for (const ir::Symbol& s : kernel.symbols) shared.cpus.insert(name_of_symbol(shared, s.name));
  for (const std::string& s : kernel.skipped) shared.skipped.insert(s);
  const z3::expr ours = helper.apply(model_arguments, cpu).e, theirs = kernel.result;
  auto assumptions = assumptions_of(shared, helper, cpu, keys, kernel);
  return {std::move(all), std::move(names), ours, theirs, std::move(kernel), std::move(assumptions)};
}

z3::solver solver_for(const Comparison& shared, z3::context& context, const Equation& e) {
  z3::solver solver(context, "QF_BV");
  z3::params limits(context);
  limits.set("rlimit", shared.solver_steps_max);
  solver.set(limits);
  for (const Assumption& a : e.assumptions) solver.add(a.holds);
  return solver;
}

// The word with fewest bits that still breaks the equality: bit by bit, greedily.
z3::model smallest(z3::solver& solver, const Equation& e) {
  z3::context& c = solver.ctx();
  z3::model model = solver.get_model();
  for (const z3::expr& argument : e.arguments)
    for (unsigned n = 64; n-- > 0;) {
      const z3::expr clear = argument.extract(n, n) == c.bv_val(0, 1);
      if (!model.eval(clear, true).is_true()) {
        solver.push();
        solver.add(clear);
        if (solver.check() != z3::sat) {
          solver.pop();
          continue;
        }
        model = solver.get_model();
      } else {
        solver.add(clear);
      }
    }
  return model;
}

u64 value_of(const z3::model& model, const z3::expr& term) {
  return model.eval(term, true).get_numeral_uint64();
}

void explain(const Comparison& shared, const words::Helper& helper, const Equation& e, const z3::model& model,
             HelperReport& report) {
  for (unsigned n = 0; n < e.arguments.size(); ++n) {
    const u64 v = value_of(model, e.arguments[n]);
    report.words.push_back({e.names[n], v, decode(shared.layout, helper.args[n], v)});
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
  report.words.push_back({"model", ours, decode(shared.layout, helper.result, ours)});
  report.words.push_back({"kernel", theirs, decode(shared.layout, helper.result, theirs)});
  if (!model.eval(e.kernel.defined, true).is_true())
    report.reason = "undefined in the kernel: a shift too far, or BUG";
  else if (ours == theirs)
    throw InternalError(report.helper + ": the solver's word breaks nothing");
  else
    report.reason =
        "differs in " +
        (helper.result == Type::flag ? "the answer" : decode(shared.layout, helper.result, ours ^ theirs));
}

// Proofs are looked at once more without the solver: all words of one bit, all but one, and some of many
// bits.
void recheck(const Equation& e, const std::string& helper) {
  z3::context& c = e.ours.ctx();
  z3::expr_vector variables(c);
  for (const z3::expr& a : e.arguments) variables.push_back(a);
  const z3::expr holds = e.equal();
  u64 seed = 0x9e3779b97f4a7c15;
  for (unsigned round = 0; round < 192; ++round) {
    z3::expr_vector values(c);
    for (unsigned n = 0; n < e.arguments.size(); ++n) {
      seed = std::rotl(seed * 0xbf58476d1ce4e5b9 + n, 29);
      const u64 one = u64{1} << ((round + n * 17) % 64);
      values.push_back(c.bv_val(static_cast<std::uint64_t>(round < 64    ? one
                                                           : round < 128 ? ~one
                                                                         : seed),
                                64));
    }
    z3::expr instance = z3::expr(holds).substitute(variables, values).simplify();
    if (instance.is_false() && e.assumptions.empty())
      throw InternalError(helper + ": proved, and a word breaks it");
  }
}

}  // namespace

const std::vector<std::string>& feature_names(const std::string& arch) {
  static const std::vector<std::string> x86 = {"X86_FEATURE_SHSTK", "X86_FEATURE_LA57", "X86_FEATURE_OSPKE"};
  static const std::vector<std::string> arm64 = {"ARM64_HAS_S1POE", "ARM64_HAS_EPAN", "ARM64_HAS_LSE_ATOMICS",
                                                 "ARM64_UNMAP_KERNEL_AT_EL0", "ARM64_WORKAROUND_REPEAT_TLBI"};
  return arch == "arm64" ? arm64 : x86;
}

HelperReport compare(Comparison& shared, ir::Module& kernel, z3::context& context,
                     const words::Helper& helper, const std::string& function) {
  HelperReport report;
  report.helper = helper.name;
  try {
    const Equation e = build(shared, kernel, context, helper, function);
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
        recheck(e, report.helper);
        report.verdict = Verdict::proved;
        break;
      case z3::sat:
        report.verdict = Verdict::violated;
        explain(shared, helper, e, smallest(solver, e), report);
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
