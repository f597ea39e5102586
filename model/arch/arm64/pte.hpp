// SPDX-License-Identifier: GPL-2.0
// Kernel: arch/arm64/include/asm/pgtable.h, arch/arm64/mm/{fault,mmu}.c, 6.12 and 6.1: pte_*, __ptep_*.
// Claim: each helper equals the kernel's for all 64-bit words (a check of the tool proves it against a tree).
// Omitted: the contpte layer (many entries at once), MTE tag and icache maintenance, page_table_check.
#pragma once
#include "model/arch/arm64/entry.hpp"

namespace ptmc::arm {

template <class L>
struct Pte {
  using E = Entry<L>;
  /// What pte_modify takes from the new protection; AF, SH, CONT and the software bits stay.
  static constexpr u64 modify_mask = L::user | L::pxn | L::uxn | L::rdonly | L::present_invalid | L::valid |
                                     L::write | L::gp | L::attrindx | L::po_idx;

  // ---- predicates ----
  static constexpr auto pte_none(const auto& pte) { return pte == 0; }
  static constexpr auto pte_valid(const auto& pte) { return arch::any(pte, L::valid); }
  static constexpr auto pte_present_invalid(const auto& pte) {
    return (pte & (L::valid | L::present_invalid)) == L::present_invalid;
  }
  static constexpr auto pte_present(const auto& pte) { return arch::any(pte, L::valid | L::present_invalid); }
  /// 6.12: invalid entries of a huge pmd share the encoding, so user and exec must be absent too.
  static constexpr auto pte_protnone(const auto& pte) {
    if constexpr (L::v6_1)
      return pte_present_invalid(pte);
    else
      return (pte & (L::valid | L::present_invalid | L::user | L::uxn)) == (L::present_invalid | L::uxn);
  }
  static constexpr auto pte_accessible(const auto& pte, const auto& pending) {
    return pte_valid(pte) || (pte_present(pte) && pending);
  }
  static constexpr auto pte_young(const auto& pte) { return arch::any(pte, L::af); }
  static constexpr auto pte_hw_dirty(const auto& pte) { return E::hw_dirty(pte); }
  static constexpr auto pte_sw_dirty(const auto& pte) { return E::sw_dirty(pte); }
  static constexpr auto pte_dirty(const auto& pte) { return E::sw_dirty(pte) || E::hw_dirty(pte); }
  template <class P, class C = NoFeatures>
  static constexpr auto pte_write(const P& pte, const C& = {}) {
    return arch::any(pte, L::write);
  }
  static constexpr auto pte_rdonly(const auto& pte) { return arch::any(pte, L::rdonly); }
  static constexpr auto pte_user(const auto& pte) { return arch::any(pte, L::user); }
  static constexpr auto pte_user_exec(const auto& pte) { return !arch::any(pte, L::uxn); }
  /// x86's name for "may be executed": the user's right.
  static constexpr auto pte_exec(const auto& pte) { return pte_user_exec(pte); }
  static constexpr auto pte_special(const auto& pte) { return arch::any(pte, L::special); }
  static constexpr auto pte_devmap(const auto& pte) { return arch::any(pte, L::devmap); }
  static constexpr auto pte_cont(const auto& pte) { return arch::any(pte, L::cont); }
  static constexpr auto pte_valid_cont(const auto& pte) { return arch::all(pte, L::valid | L::cont); }
  static constexpr auto pte_valid_not_user(const auto& pte) {
    return (pte & (L::valid | L::user | L::uxn)) == (L::valid | L::uxn);
  }
  static constexpr auto pte_tagged(const auto& pte) { return (pte & L::attrindx) == L::mt_normal_tagged; }
  /// 6.11 and later.
  static constexpr auto pte_uffd_wp(const auto& pte) { return arch::any(pte, L::uffd_wp); }
  /// No soft-dirty on arm64: the generic fallback (include/linux/pgtable.h).
  static constexpr auto pte_soft_dirty(const auto&) { return false; }
  static constexpr auto pte_same(const auto& a, const auto& b) { return a == b; }
  /// POIndex, 0..7; 0 in 6.1.
  static constexpr auto pte_pkey(const auto& pte) { return (pte & L::po_idx) >> 60; }
  static constexpr auto pte_access_permitted_no_overlay(const auto& pte, const auto& write) {
    return arch::all(pte, L::valid | L::user) && (!write || arch::any(pte, L::write));
  }
  /// por.h: `por` is POR_EL0, four bits a key: R=1, X=2, W=4.
  template <class P, class W, class R = u64, class C = NoFeatures>
  static constexpr auto pte_access_permitted(const P& pte, const W& write, const R& por = R{},
                                             const C& cpu = {}) {
    const auto overlay = wide(por) >> (pte_pkey(pte) << 2);
    const auto allowed = (write && arch::any(overlay, 4)) || (!write && arch::any(overlay, 1));
    if constexpr (L::v6_1)
      return pte_access_permitted_no_overlay(pte, write);
    else
      return pte_access_permitted_no_overlay(pte, write) && (!cpu.poe || allowed);
  }

  // ---- changes ----
  static constexpr auto pte_wrprotect(const auto& pte) { return E::wrprotect(pte); }
  /// A clean entry stays read-only for the hardware until DBM or a fault dirties it. 6.1: pte_mkwrite.
  static constexpr auto pte_mkwrite_novma(const auto& pte) {
    return (pte | L::write) & ~arch::when(E::sw_dirty(pte), L::rdonly);
  }
  template <class P, class F = u64>
  static constexpr auto pte_mkwrite(const P& pte, const F& = F{}) {
    return pte_mkwrite_novma(pte);
  }
  static constexpr auto pte_mkdirty(const auto& pte) { return E::mkdirty(pte); }
  static constexpr auto pte_mkclean(const auto& pte) { return (pte & ~L::dirty) | L::rdonly; }
  static constexpr auto pte_mkyoung(const auto& pte) { return pte | L::af; }
  static constexpr auto pte_mkold(const auto& pte) { return pte & ~L::af; }
  static constexpr auto pte_mkspecial(const auto& pte) { return pte | L::special; }
  static constexpr auto pte_mkdevmap(const auto& pte) { return pte | (L::special | L::devmap); }
  static constexpr auto pte_mkhuge(const auto& pte) { return pte & ~L::table_bit; }
  static constexpr auto pte_mkcont(const auto& pte) { return pte | (L::cont | L::type_page); }
  static constexpr auto pte_mknoncont(const auto& pte) { return pte & ~L::cont; }
  static constexpr auto pte_mkpresent(const auto& pte) { return pte | L::valid; }
  /// 6.12 only; the pmd form exists in both.
  static constexpr auto pte_mkinvalid(const auto& pte) { return (pte | L::present_invalid) & ~L::valid; }
  /// 6.1: the generic fallback, no change.
  static constexpr auto pte_mkuffd_wp(const auto& pte) {
    if constexpr (L::v6_1)
      return wide(pte);
    else
      return E::wrprotect(pte | L::uffd_wp);
  }
  static constexpr auto pte_clear_uffd_wp(const auto& pte) { return pte & ~L::uffd_wp; }
  static constexpr auto pte_mksoft_dirty(const auto& pte) { return wide(pte); }
  static constexpr auto pte_clear_soft_dirty(const auto& pte) { return wide(pte); }
  template <class P, class Q, class C = NoFeatures>
  static constexpr auto pte_modify(const P& pte, const Q& prot, const C& = {}) {
    const auto merged = arch::replace(E::fold_dirty(pte), prot, modify_mask);
    return ite(E::sw_dirty(merged), E::mkdirty(merged), merged);
  }

  // ---- frames ----
  static constexpr auto pte_pfn(const auto& pte) { return (pte & L::addr) >> arch::page_shift; }
  template <class F, class Q, class C = NoFeatures>
  static constexpr auto pfn_pte(const F& pfn, const Q& prot, const C& = {}) {
    return (wide(pfn) << arch::page_shift) | prot;
  }
  static constexpr auto pte_pgprot(const auto& pte) { return pte & ~L::addr; }
  /// Bytes that the entry maps: a contiguous block or a page.
  static constexpr auto pte_leaf_size(const auto& pte) {
    return ite(pte_cont(pte), u64{16} << 12, u64{1} << 12);
  }
  /// 6.12. Past the last frame the carry is or-ed into the bits above, as in the kernel.
  static constexpr auto pte_advance_pfn(const auto& pte, const auto& nr) {
    return pfn_pte(pte_pfn(pte) + nr, pte_pgprot(pte));
  }

  // ---- what a change means ----
  /// arm64 does not override it: the generic "always" (include/asm-generic/tlb.h).
  static constexpr auto pte_needs_flush(const auto&, const auto&) { return true; }
  /// mmu.c: may a live entry change from `from` to `to` without break-before-make?
  static constexpr auto pgattr_change_is_safe(const auto& from, const auto& to) {
    const auto dead = [](const auto& e) {
      if constexpr (L::v6_1)
        return e == 0;
      else
        return !pte_valid(e);
    };
    const auto normal = [](const auto& e) { return !arch::any(e, L::attrindx & ~L::mt_normal_tagged); };
    const auto may = (L::pxn | L::rdonly | L::write | L::ng | software_bits) |
                     arch::when(normal(from) && normal(to), L::attrindx);
    return dead(from) || dead(to) ||
           (!arch::any(from | to, L::cont) && !arch::any(from & ~to, L::ng) && ((from ^ to) & ~may) == 0);
  }

  // ---- read-modify-write helpers: the value that one successful iteration stores ----
  /// pgtable.h, ___ptep_set_wrprotect: cmpxchg loop. No flush.
  static constexpr auto ptep_set_wrprotect(const auto& live) { return pte_wrprotect(live); }
  /// fault.c, __ptep_set_access_flags: cmpxchg loop that or-s AF, WRITE, DIRTY of `entry` and ands RDONLY.
  static constexpr auto ptep_set_access_flags(const auto& live, const auto& entry, const auto&) {
    const auto more = (entry & (L::rdonly | L::af | L::write | L::dirty)) ^ L::rdonly;
    return ite(live == entry, live, ((live ^ L::rdonly) | more) ^ L::rdonly);
  }
  static constexpr auto ptep_set_access_flags_changed(const auto& live, const auto& entry) {
    return live != entry;
  }
  /// Then flush_tlb_page, so that no stale read-only entry faults for ever.
  static constexpr auto ptep_set_access_flags_flushes(const auto& live, const auto& entry,
                                                      const auto& dirty) {
    return live != entry && dirty;
  }
  /// pgtable.h, __ptep_test_and_clear_young: cmpxchg loop.
  static constexpr auto ptep_test_and_clear_young(const auto& live) { return pte_mkold(live); }
  /// If the entry was young, then a TLBI without a DSB.
  static constexpr auto ptep_clear_flush_young(const auto& live) { return pte_mkold(live); }

 private:
  static constexpr u64 software_bits = L::v6_1 ? 0 : bit(63) | bits(58, 55);  // PTE_SWBITS_MASK
};

}  // namespace ptmc::arm
