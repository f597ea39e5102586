#include "properties/mprotect/tariff.hpp"

namespace ptmc::mprotect {
namespace {

bool delivers(const Action& a) { return a.actor == "hw" && a.step.starts_with("invalidate_"); }

template <bool x86>
std::optional<unsigned> row_of(const Action& a) {
  const std::string name = a.step.substr(a.step.rfind('/') + 1);
  if (name == "ptep_get" || name == "folio_pte_batch") return reads;
  if (name == "ptep_get_and_clear") return xchgs;
  if (name == "modify_prot_commit_ptes") return stores;
  if (name == "send_ipis") return flushes;
  if (name.starts_with("tlbi_")) return tlbis;
  if (name.starts_with("dsb_")) return waits;
  if (x86 && delivers(a)) return ipis;  // TLBIs take effect without an interrupt.
  return std::nullopt;
}

}  // namespace

const Tariff& tariff(bool x86) {
  static constexpr Tariff::Item items[] = {{"read", "reads"},    {"xchg", "xchg"}, {"store", "stores"},
                                           {"flush", "flushes"}, {"IPI", "IPIs"},  {"TLBI", "TLBIs"},
                                           {"DSB", "DSBs"}};
  static constexpr Tariff on_x86{items, row_of<true>, delivers}, on_arm64{items, row_of<false>, delivers};
  return x86 ? on_x86 : on_arm64;
}

}  // namespace ptmc::mprotect
