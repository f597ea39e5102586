// Hardware: changes of a live arm64 entry that need break-before-make. Arm ARM (DDI 0487) D8.17.1, RWHZWS.
// Claim: a valid leaf whose output address, memory type or CONT bit changes must first be invalid everywhere.
// Changes of permissions, AF and dirty state need no break. BBM level 2 allows CONT to change (RNGLXZ,
// RJQQTC). Omitted: block against table, tables' own output addresses, contents that are equal in both
// frames.
#pragma once
#include "model/core/domain.hpp"

namespace ptmc::hw {

/// Must an entry that reads `from` be broken before it reads `to`? x86: no such rule.
template <class Arch>
constexpr auto needs_break(const auto& from, const auto& to, bool bbm2) {
  if constexpr (Arch::tlbi_is_posted) {
    const auto frame = Arch::hw_pfn(from) != Arch::hw_pfn(to);
    const auto type = (from & (Arch::attrindx | Arch::shared)) != (to & (Arch::attrindx | Arch::shared));
    const auto cont = Arch::hw_cont(from) != Arch::hw_cont(to);
    return Arch::hw_valid(from) && Arch::hw_valid(to) && (frame || type || (cont && !bbm2));
  } else {
    return false;
  }
}
/// The same against what a TLB still holds when the valid entry `to` is stored: an unfinished break.
template <class Arch>
constexpr auto clashes(const auto& t, const auto& to, bool bbm2) {
  if constexpr (Arch::tlbi_is_posted)
    return t.valid && Arch::hw_valid(to) &&
           (t.frame != Arch::hw_pfn(to) || (t.cont != Arch::hw_cont(to) && !bbm2));
  else
    return false;
}

}  // namespace ptmc::hw
