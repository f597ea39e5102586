// SPDX-License-Identifier: GPL-2.0
// Kernel: none. Hardware: Arm ARM (DDI 0487), chapter D8 "The AArch64 Virtual Memory System
// Architecture". Claim: what a walker reads from an entry, what it may cache, and what it writes back.
// Omitted: memory types, stage 2, permission indirection other than the kernel's own encodings, HAFT, MTE.
#pragma once
#include "model/arch/arm64/entry.hpp"

namespace ptmc::arm {

template <class L>
struct Hw {
  static constexpr unsigned pte_bits = 64, pfn_shift = arch::page_shift;
  static constexpr bool tlbi_is_posted = true;  // Broadcast TLBI, complete only at the issuer's DSB.

  // ---- leaves; the default level is 3, where only 0b11 is a page and 0b01 is reserved, thus invalid
  // (D8.3.1) ----
  static constexpr auto hw_leaf(const auto& e, Level level = Level::pte) {
    return (e & L::type_mask) == (level == Level::pte ? L::type_page : L::valid);
  }
  static constexpr auto hw_valid(const auto& e, Level level = Level::pte) { return hw_leaf(e, level); }
  /// D8.5.1: an entry with AF=0 is cached only if the walker manages AF (`ha`) and sets it first.
  template <class H = bool>
  static constexpr auto hw_cacheable(const auto& e, const H& ha = H{true}, Level level = Level::pte) {
    return hw_leaf(e, level) && (arch::any(e, L::af) || ha);
  }
  /// D8.4.1: AP[2] forbids stores, unless the walker manages dirty state (`hd`) and DBM lets it clear AP[2]
  /// (D8.5.2).
  template <class H = bool>
  static constexpr auto hw_can_store(const auto& e, const H& hd = H{true}, Level level = Level::pte) {
    return hw_leaf(e, level) && (!arch::any(e, L::rdonly) || (arch::any(e, L::dbm) && hd));
  }
  static constexpr auto hw_can_read(const auto& e, Level level = Level::pte) { return hw_leaf(e, level); }
  /// D8.4.4: EL1 execution needs PXN=0.
  static constexpr auto hw_can_exec(const auto& e, Level level = Level::pte) {
    return hw_leaf(e, level) && !arch::any(e, L::pxn);
  }
  /// D8.4.1: EL0 data accesses need AP[1]; EL0 execution needs UXN=0 only (D8.4.4), hence execute-only
  /// mappings.
  static constexpr auto hw_user(const auto& e, Level level = Level::pte) {
    return hw_leaf(e, level) && arch::any(e, L::user);
  }
  static constexpr auto hw_user_read(const auto& e, Level level = Level::pte) { return hw_user(e, level); }
  template <class H = bool>
  static constexpr auto hw_user_store(const auto& e, const H& hd = H{true}, Level level = Level::pte) {
    return hw_can_store(e, hd, level) && arch::any(e, L::user);
  }
  static constexpr auto hw_user_exec(const auto& e, Level level = Level::pte) {
    return hw_leaf(e, level) && !arch::any(e, L::uxn);
  }
  static constexpr auto hw_can_shadow_stack_store(const auto&, const auto&) { return false; }
  /// AP[2]=0: a store through such an entry changes nothing in memory but its target.
  static constexpr auto hw_dirty(const auto& e) { return !arch::any(e, L::rdonly); }
  static constexpr auto hw_accessed(const auto& e) { return arch::any(e, L::af); }
  /// D8.5.1, D8.5.2 (rules PQJJR, SGJBL): atomic updates of the descriptor that was read, after checking that
  /// it is unchanged.
  static constexpr auto hw_mark_accessed(const auto& e) { return e | L::af; }
  static constexpr auto hw_mark_dirty(const auto& e) { return (e | L::af) & ~L::rdonly; }
  /// D8.4, permission overlays (FEAT_S1POE): index into POR_ELx, 0..7.
  static constexpr auto hw_pkey(const auto& e) { return (e & L::po_idx) >> 60; }
  /// D8.16.3: nG=0 entries match any ASID.
  static constexpr auto hw_global(const auto& e, Level level = Level::pte) {
    return hw_leaf(e, level) && !arch::any(e, L::ng);
  }
  /// D8.7.1: one of 16 adjacent entries that may be cached as one.
  static constexpr auto hw_cont(const auto& e) { return arch::any(e, L::cont); }
  /// BTI guarded page (FEAT_BTI).
  static constexpr auto hw_guarded(const auto& e) { return arch::any(e, L::gp); }

  // ---- tables and blocks ----
  static constexpr auto hw_table(const auto& e, Level level) {
    return level != Level::pte && (e & L::type_mask) == L::type_page;
  }
  /// Frame of a leaf as the walker reads it, 4 KiB units.
  static constexpr auto hw_pfn(const auto& e, Level level = Level::pte) {
    const u64 mask = level == Level::pte   ? L::addr
                     : level == Level::pmd ? Entry<L>::pmd_addr
                                           : Entry<L>::pud_addr;
    return (e & mask) >> arch::page_shift;
  }
  static constexpr auto hw_table_pfn(const auto& e) { return (e & L::addr) >> arch::page_shift; }
  /// D8.4, hierarchical permissions: APTable[1] removes stores, APTable[0] EL0 access, UXNTable EL0
  /// execution.
  static constexpr auto hw_table_store(const auto& e) { return !arch::any(e, L::table_ap_rdonly); }
  static constexpr auto hw_table_user(const auto& e) { return !arch::any(e, L::table_ap_user); }
  static constexpr auto hw_table_exec(const auto& e) { return !arch::any(e, L::table_uxn); }
};

}  // namespace ptmc::arm
