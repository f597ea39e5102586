// SPDX-License-Identifier: GPL-2.0
// Kernel: arch/x86/include/asm/pgtable.h, arch/x86/mm/pgtable.c, asm/tlbflush.h, 6.12 and 6.1: pmd_*, pud_*.
// Claim: each helper equals the kernel's for all 64-bit words, leaves (2 MiB, 1 GiB) and tables alike.
// Omitted: p4d_*, pgd_*; helpers that return addresses or struct page.
#pragma once
#include "model/arch/x86_64/pte.hpp"

namespace ptmc::x86 {

template <class L>
struct Pmd {
  using E = Entry<L>;
  /// pgtable_types.h, pmd_pfn_mask: the frame field of a leaf starts at bit 21, of a table at bit 12.
  static constexpr auto pmd_pfn_mask_of(const auto& pmd) {
    return ite(arch::any(pmd, L::pse), L::pmd_pfn_mask, L::pte_pfn_mask);
  }
  static constexpr auto pmd_flags(const auto& pmd) { return pmd & ~pmd_pfn_mask_of(pmd); }

  static constexpr auto pmd_none(const auto& pmd) { return E::none(pmd); }
  /// A THP under split has P clear and PSE set, and is still present.
  static constexpr auto pmd_present(const auto& pmd) {
    return arch::any(pmd, L::present | L::protnone | L::pse);
  }
  static constexpr auto pmd_protnone(const auto& pmd) {
    return (pmd & (L::protnone | L::present)) == L::protnone;
  }
  static constexpr auto pmd_leaf(const auto& pmd) { return arch::any(pmd, L::pse); }
  static constexpr auto pmd_bad(const auto& pmd) {
    return (pmd_flags(pmd) & ~(L::user | L::accessed)) != (L::kernpg_table & ~L::accessed);
  }
  static constexpr auto pmd_trans_huge(const auto& pmd) { return (pmd & (L::pse | L::devmap)) == L::pse; }
  static constexpr auto pmd_devmap(const auto& pmd) { return arch::any(pmd, L::devmap); }
  static constexpr auto pmd_special(const auto& pmd) { return arch::any(pmd, L::special); }
  static constexpr auto pmd_mkspecial(const auto& pmd) { return pmd | L::special; }
  static constexpr auto pmd_young(const auto& pmd) { return arch::any(pmd, L::accessed); }
  static constexpr auto pmd_dirty(const auto& pmd) { return arch::any(pmd, E::dirty_bits); }
  template <class P, class C = NoFeatures>
  static constexpr auto pmd_shstk(const P& pmd, const C& cpu = {}) {
    return (pmd & (L::rw | L::dirty | L::pse)) == (L::dirty | L::pse) && cpu.shstk;
  }
  template <class P, class C = NoFeatures>
  static constexpr auto pmd_write(const P& pmd, const C& cpu = {}) {
    if constexpr (L::v6_1)
      return arch::any(pmd, L::rw);
    else
      return arch::any(pmd, L::rw) || pmd_shstk(pmd, cpu);
  }
  static constexpr auto pmd_uffd_wp(const auto& pmd) { return arch::any(pmd, L::uffd_wp); }
  static constexpr auto pmd_soft_dirty(const auto& pmd) { return arch::any(pmd, L::soft_dirty); }
  static constexpr auto pmd_same(const auto& a, const auto& b) { return a == b; }
  static constexpr auto pmd_access_permitted(const auto& pmd, const auto& write, const auto& pkru) {
    return E::access_permitted(pmd, write, pkru);
  }

  static constexpr auto pmd_mksaveddirty(const auto& pmd) { return E::mksaveddirty(pmd); }
  static constexpr auto pmd_clear_saveddirty(const auto& pmd) { return E::clear_saveddirty(pmd); }
  static constexpr auto pmd_wrprotect(const auto& pmd) { return E::wrprotect(pmd); }
  static constexpr auto pmd_mkwrite_novma(const auto& pmd) { return pmd | L::rw; }
  static constexpr auto pmd_mkwrite_shstk(const auto& pmd) { return (pmd & ~L::rw) | L::dirty; }
  template <class P, class F = u64>
  static constexpr auto pmd_mkwrite(const P& pmd, const F& vm_flags = F{}) {
    return Pte<L>::pte_mkwrite(pmd, vm_flags);
  }
  static constexpr auto pmd_mkdirty(const auto& pmd) { return E::mkdirty(pmd); }
  static constexpr auto pmd_mkclean(const auto& pmd) { return pmd & ~E::dirty_bits; }
  static constexpr auto pmd_mkyoung(const auto& pmd) { return pmd | L::accessed; }
  static constexpr auto pmd_mkold(const auto& pmd) { return pmd & ~L::accessed; }
  static constexpr auto pmd_mkhuge(const auto& pmd) { return pmd | L::pse; }
  static constexpr auto pmd_mkdevmap(const auto& pmd) { return pmd | L::devmap; }
  static constexpr auto pmd_mkuffd_wp(const auto& pmd) { return E::mkuffd_wp(pmd); }
  static constexpr auto pmd_clear_uffd_wp(const auto& pmd) { return pmd & ~L::uffd_wp; }
  static constexpr auto pmd_mksoft_dirty(const auto& pmd) { return pmd | L::soft_dirty; }
  static constexpr auto pmd_clear_soft_dirty(const auto& pmd) { return pmd & ~L::soft_dirty; }
  template <class P, class Q, class C = NoFeatures>
  static constexpr auto pmd_modify(const P& pmd, const Q& prot, const C& cpu = {}) {
    return E::modify(pmd, prot, E::hpage_chg_mask, L::pmd_pfn_mask, cpu);
  }
  static constexpr auto pmd_pfn(const auto& pmd) { return E::pfn(pmd, pmd_pfn_mask_of(pmd)); }
  template <class F, class Q, class C = NoFeatures>
  static constexpr auto pfn_pmd(const F& pfn, const Q& prot, const C& cpu = {}) {
    return E::pfn_entry(pfn, prot, L::pmd_pfn_mask, cpu);
  }
  /// Clears P, keeps PSE: present to software, dead to hardware. pmdp_invalidate_ad stores it with an xchg.
  template <class P, class C = NoFeatures>
  static constexpr auto pmd_mkinvalid(const P& pmd, const C& cpu = {}) {
    return pfn_pmd(pmd_pfn(pmd), pmd_flags(pmd) & ~(L::present | L::protnone), cpu);
  }
  /// tlbflush.h: like pte_needs_flush, and a cleared A counts.
  static constexpr auto huge_pmd_needs_flush(const auto& from, const auto& to) {
    return arch::any(from, L::present) &&
           (pmd_pfn(from) != pmd_pfn(to) ||
            E::flags_need_flush(pmd_flags(from), pmd_flags(to), L::dirty | L::present | L::accessed));
  }
  /// pgtable.c: cmpxchg loop of pmd_wrprotect; 6.1: an atomic clear of RW.
  static constexpr auto pmdp_set_wrprotect(const auto& live) { return pmd_wrprotect(live); }
  /// pgtable.c: atomic clear of A; pmdp_clear_flush_young then flushes.
  static constexpr auto pmdp_test_and_clear_young(const auto& live) { return pmd_mkold(live); }
  /// pgtable.c: a plain store of the whole entry, no flush.
  static constexpr auto pmdp_set_access_flags(const auto& live, const auto& entry, const auto& dirty) {
    return ite(live != entry && dirty, entry, live);
  }
};

template <class L>
struct Pud {
  using E = Entry<L>;
  static constexpr auto pud_pfn_mask_of(const auto& pud) {
    return ite(arch::any(pud, L::pse), L::pud_pfn_mask, L::pte_pfn_mask);
  }
  static constexpr auto pud_flags(const auto& pud) { return pud & ~pud_pfn_mask_of(pud); }

  static constexpr auto pud_none(const auto& pud) { return E::none(pud); }
  static constexpr auto pud_present(const auto& pud) { return arch::any(pud, L::present); }
  /// 6.1 (pud_large): P and PSE; 6.12: PSE.
  static constexpr auto pud_leaf(const auto& pud) {
    if constexpr (L::v6_1)
      return arch::all(pud, L::pse | L::present);
    else
      return arch::any(pud, L::pse);
  }
  static constexpr auto pud_bad(const auto& pud) {
    return arch::any(pud_flags(pud), ~(L::kernpg_table | L::user));
  }
  static constexpr auto pud_trans_huge(const auto& pud) { return (pud & (L::pse | L::devmap)) == L::pse; }
  static constexpr auto pud_devmap(const auto& pud) { return arch::any(pud, L::devmap); }
  static constexpr auto pud_special(const auto& pud) { return arch::any(pud, L::special); }
  static constexpr auto pud_mkspecial(const auto& pud) { return pud | L::special; }
  static constexpr auto pud_young(const auto& pud) { return arch::any(pud, L::accessed); }
  static constexpr auto pud_dirty(const auto& pud) { return arch::any(pud, E::dirty_bits); }
  template <class P, class C = NoFeatures>
  static constexpr auto pud_shstk(const P& pud, const C& cpu = {}) {
    return Pmd<L>::pmd_shstk(pud, cpu);
  }
  /// No shadow stack at this level: RW alone.
  static constexpr auto pud_write(const auto& pud) { return arch::any(pud, L::rw); }
  static constexpr auto pud_soft_dirty(const auto& pud) { return arch::any(pud, L::soft_dirty); }
  static constexpr auto pud_same(const auto& a, const auto& b) { return a == b; }
  static constexpr auto pud_access_permitted(const auto& pud, const auto& write, const auto& pkru) {
    return E::access_permitted(pud, write, pkru);
  }

  static constexpr auto pud_mksaveddirty(const auto& pud) { return E::mksaveddirty(pud); }
  static constexpr auto pud_clear_saveddirty(const auto& pud) { return E::clear_saveddirty(pud); }
  static constexpr auto pud_wrprotect(const auto& pud) { return E::wrprotect(pud); }
  static constexpr auto pud_mkwrite(const auto& pud) { return E::clear_saveddirty(pud | L::rw); }
  static constexpr auto pud_mkdirty(const auto& pud) { return E::mkdirty(pud); }
  static constexpr auto pud_mkclean(const auto& pud) { return pud & ~E::dirty_bits; }
  static constexpr auto pud_mkyoung(const auto& pud) { return pud | L::accessed; }
  static constexpr auto pud_mkold(const auto& pud) { return pud & ~L::accessed; }
  static constexpr auto pud_mkhuge(const auto& pud) { return pud | L::pse; }
  static constexpr auto pud_mkdevmap(const auto& pud) { return pud | L::devmap; }
  static constexpr auto pud_mksoft_dirty(const auto& pud) { return pud | L::soft_dirty; }
  static constexpr auto pud_clear_soft_dirty(const auto& pud) { return pud & ~L::soft_dirty; }
  /// 6.12 only.
  template <class P, class Q, class C = NoFeatures>
  static constexpr auto pud_modify(const P& pud, const Q& prot, const C& cpu = {}) {
    return E::modify(pud, prot, E::hpage_chg_mask, L::pud_pfn_mask, cpu);
  }
  static constexpr auto pud_pfn(const auto& pud) { return E::pfn(pud, pud_pfn_mask_of(pud)); }
  template <class F, class Q, class C = NoFeatures>
  static constexpr auto pfn_pud(const F& pfn, const Q& prot, const C& cpu = {}) {
    return E::pfn_entry(pfn, prot, L::pud_pfn_mask, cpu);
  }
  /// pgtable.c: a plain store of the whole entry, no flush.
  static constexpr auto pudp_set_access_flags(const auto& live, const auto& entry, const auto& dirty) {
    return ite(live != entry && dirty, entry, live);
  }
  /// 6.12 only: pudp_invalidate stores it with an xchg.
  template <class P, class C = NoFeatures>
  static constexpr auto pud_mkinvalid(const P& pud, const C& cpu = {}) {
    return pfn_pud(pud_pfn(pud), pud_flags(pud) & ~(L::present | L::protnone), cpu);
  }
};

}  // namespace ptmc::x86
