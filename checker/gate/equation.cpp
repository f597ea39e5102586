#ifdef PTMC_HAVE_LLVM
#include "checker/gate/equation.hpp"

#include <algorithm>

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

// Not what only happens to lie in memory, nor the keys register, which is an argument of the model.
bool is_fact(const std::string& symbol) {
  return !symbol.starts_with('*') && !symbol.starts_with("ptmc_") && symbol != "pkru" &&
         !symbol.starts_with("sysreg");
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
    out.push_back({"protection_map is as initialised", cpu.epan.e.ctx().bool_val(true)});
    if (words::name_of(shared.layout).family == std::string("arm64"))
      out.push_back({"no FEAT_PAN3: adjust_protection_map changes nothing", !cpu.epan.e});
  }
  return out;
}

}  // namespace

std::string name_of_symbol(const Comparison& shared, const std::string& symbol) {
  if (!symbol.starts_with("feature ")) return symbol;
  const auto known = shared.features.find(std::stoull(symbol.substr(8)));
  return known == shared.features.end() ? symbol : known->second;
}

Equation build_equation(Comparison& shared, ir::Module& module, z3::context& context,
                        const words::Helper& helper, const std::string& function) {
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
  for (const ir::Symbol& s : kernel.symbols)
    if (is_fact(s.name)) shared.cpus.insert(name_of_symbol(shared, s.name));
  for (const std::string& s : kernel.skipped) shared.skipped.insert(s);
  const z3::expr ours = helper.apply(model_arguments, cpu).e, theirs = kernel.result;
  auto assumptions = assumptions_of(shared, helper, cpu, keys, kernel);
  return {std::move(all), std::move(names), ours, theirs, std::move(kernel), std::move(assumptions)};
}

const std::vector<std::string>& feature_names(const std::string& arch) {
  static const std::vector<std::string> x86 = {"X86_FEATURE_SHSTK", "X86_FEATURE_LA57", "X86_FEATURE_OSPKE"};
  static const std::vector<std::string> arm64 = {
      "ARM64_ALWAYS_SYSTEM",   "ARM64_HAS_S1POE",           "ARM64_HAS_EPAN",
      "ARM64_HAS_LSE_ATOMICS", "ARM64_UNMAP_KERNEL_AT_EL0", "ARM64_WORKAROUND_REPEAT_TLBI"};
  return arch == "arm64" ? arm64 : x86;
}

}  // namespace ptmc::gate
#endif
