// SPDX-License-Identifier: GPL-2.0
// Kernel: none. Hardware: Intel SDM vol. 3 (253668), chapter 4 "Paging"; AMD APM vol. 2, chapter 5.
// Claim: what a walker reads from an entry, what it may cache, and what it writes back.
// Omitted: reserved-bit faults, SMEP/SMAP, PWT/PCD/PAT types, PKS, XD off (EFER.NXE=0).
#pragma once
#include "model/arch/x86_64/entry.hpp"

namespace ptmc::x86 {

template <class L>
struct Hw {
  static constexpr unsigned pte_bits = 64, pfn_shift = arch::page_shift;
  static constexpr bool tlbi_is_posted = false;  // Remote invalidation is an IPI, not a broadcast TLBI.

  // ---- leaves, any level ----
  /// SDM 4.10.2.3: only a present entry is used or cached. Here and below the level does not matter: P is bit
  /// 0.
  static constexpr auto hw_valid(const auto& e, Level = Level::pte) { return arch::any(e, L::present); }
  /// SDM 4.8: the walker sets A before it caches, so A=0 hinders nothing. `ha` is arm64's.
  template <class H = bool>
  static constexpr auto hw_cacheable(const auto& e, const H& = H{true}, Level = Level::pte) {
    return arch::any(e, L::present);
  }
  /// SDM 4.6.1: a write needs RW. D=0 is set by the store's own walk. `hd` is arm64's.
  template <class H = bool>
  static constexpr auto hw_can_store(const auto& e, const H& = H{true}, Level = Level::pte) {
    return arch::all(e, L::present | L::rw);
  }
  static constexpr auto hw_can_read(const auto& e, Level = Level::pte) { return arch::any(e, L::present); }
  static constexpr auto hw_can_exec(const auto& e, Level = Level::pte) {
    return (e & (L::present | L::nx)) == L::present;
  }
  /// SDM 4.6.1: user-mode accesses need US at every level.
  static constexpr auto hw_user(const auto& e, Level = Level::pte) {
    return arch::all(e, L::present | L::user);
  }
  static constexpr auto hw_user_read(const auto& e, Level = Level::pte) { return hw_user(e); }
  template <class H = bool>
  static constexpr auto hw_user_store(const auto& e, const H& = H{true}, Level = Level::pte) {
    return arch::all(e, L::present | L::user | L::rw);
  }
  static constexpr auto hw_user_exec(const auto& e, Level = Level::pte) {
    return (e & (L::present | L::user | L::nx)) == (L::present | L::user);
  }
  /// SDM 4.6.1: a shadow-stack page is RW=0, D=1 in the leaf (RW=1 above), with CR4.CET.
  static constexpr auto hw_can_shadow_stack_store(const auto& e, const auto& cpu) {
    return (e & (L::present | L::rw | L::dirty)) == (L::present | L::dirty) && cpu.shstk;
  }
  /// SDM 4.10.2.2: the D bit as read is part of the cached entry; a store through D=1 looks at nothing.
  static constexpr auto hw_dirty(const auto& e) { return arch::any(e, L::dirty); }
  static constexpr auto hw_accessed(const auto& e) { return arch::any(e, L::accessed); }
  /// SDM 4.8: written back with a locked update.
  static constexpr auto hw_mark_accessed(const auto& e) { return e | L::accessed; }
  static constexpr auto hw_mark_dirty(const auto& e) { return e | (L::accessed | L::dirty); }
  /// SDM 4.6.2: the protection key of a user-mode page, 0..15.
  static constexpr auto hw_pkey(const auto& e) { return (e & L::pkey) >> L::pkey_shift; }
  /// SDM 4.10.2.4: kept by a CR3 write, used under any PCID.
  static constexpr auto hw_global(const auto& e, Level = Level::pte) {
    return arch::all(e, L::present | L::global);
  }
  static constexpr auto hw_cont(const auto&) { return false; }

  // ---- tables and blocks ----
  /// SDM 4.5.4: at PDPTE and PDE level PS=1 maps a page; at PTE level bit 7 is PAT.
  static constexpr auto hw_leaf(const auto& e, Level level = Level::pte) {
    return arch::any(e, L::present) && (level == Level::pte || arch::any(e, L::pse));
  }
  static constexpr auto hw_table(const auto& e, Level level) {
    return arch::any(e, L::present) && level != Level::pte && !arch::any(e, L::pse);
  }
  /// Frame of a leaf as the walker reads it: never inverted. 4 KiB units.
  static constexpr auto hw_pfn(const auto& e, Level level = Level::pte) {
    const u64 mask = level == Level::pte   ? L::pte_pfn_mask
                     : level == Level::pmd ? L::pmd_pfn_mask
                                           : L::pud_pfn_mask;
    return (e & mask) >> arch::page_shift;
  }
  static constexpr auto hw_table_pfn(const auto& e) { return (e & L::pte_pfn_mask) >> arch::page_shift; }
  /// SDM 4.6.1: rights of a table entry restrict everything below: AND of RW and US, OR of XD.
  static constexpr auto hw_table_store(const auto& e) { return arch::any(e, L::rw); }
  static constexpr auto hw_table_user(const auto& e) { return arch::any(e, L::user); }
  static constexpr auto hw_table_exec(const auto& e) { return !arch::any(e, L::nx); }
};

}  // namespace ptmc::x86
