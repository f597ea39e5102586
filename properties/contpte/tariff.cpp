#include "properties/contpte/tariff.hpp"

namespace ptmc::contpte {
namespace {

std::optional<unsigned> row_of(const Action& a) {
  const std::string name = a.step.substr(a.step.rfind('/') + 1);
  if (name == "ptep_get" || name == "contpte_ptep_get") return reads;
  if (name == "ptep_get_and_clear") return xchgs;
  if (name == "set_pte") return stores;
  if (name.starts_with("tlbi_")) return tlbis;
  if (name.starts_with("dsb_")) return dsbs;
  return std::nullopt;
}
bool delivers(const Action& a) { return a.actor == "hw" && a.step.starts_with("invalidate_"); }

}  // namespace

const Tariff& tariff() {
  static constexpr Tariff::Item items[] = {
      {"read", "reads"}, {"xchg", "xchg"}, {"store", "stores"}, {"TLBI", "TLBIs"}, {"DSB", "DSBs"}};
  static constexpr Tariff all{items, row_of, delivers};
  return all;
}

}  // namespace ptmc::contpte
