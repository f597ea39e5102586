// SPDX-License-Identifier: GPL-2.0
// Kernel: arch/arm64/include/asm/pgtable.h, 6.12 and 6.1: pmd_*, pud_*. Most are the pte helper on the same
// word. Claim: each helper equals the kernel's for all 64-bit words, blocks (2 MiB, 1 GiB) and tables alike.
// Omitted: p4d_*, pgd_*; helpers that return addresses or struct page; PUD-sized THP (arm64 has none).
#pragma once
#include "model/arch/arm64/pte.hpp"

namespace ptmc::arm {

template <class L>
struct Pmd {
  using P = Pte<L>;
  using E = Entry<L>;
  static constexpr auto pmd_none(const auto& pmd) { return pmd == 0; }
  static constexpr auto pmd_valid(const auto& pmd) { return P::pte_valid(pmd); }
  static constexpr auto pmd_present_invalid(const auto& pmd) { return arch::any(pmd, L::pmd_invalid_bit); }
  static constexpr auto pmd_present(const auto& pmd) {
    return arch::any(pmd, L::valid | L::present_invalid | L::pmd_invalid_bit);
  }
  static constexpr auto pmd_protnone(const auto& pmd) { return P::pte_protnone(pmd); }
  static constexpr auto pmd_table(const auto& pmd) { return (pmd & L::type_mask) == L::type_page; }
  static constexpr auto pmd_sect(const auto& pmd) { return (pmd & L::type_mask) == L::valid; }
  static constexpr auto pmd_leaf(const auto& pmd) { return pmd_present(pmd) && !pmd_table(pmd); }
  static constexpr auto pmd_bad(const auto& pmd) { return !pmd_table(pmd); }
  /// 6.12 compares the type with VALID forced; 6.1 looks at the table bit. The same function.
  static constexpr auto pmd_trans_huge(const auto& pmd) {
    return pmd_present(pmd) && !arch::any(pmd, L::table_bit);
  }
  static constexpr auto pmd_devmap(const auto& pmd) { return P::pte_devmap(pmd); }
  static constexpr auto pmd_user(const auto& pmd) { return P::pte_user(pmd); }
  static constexpr auto pmd_user_exec(const auto& pmd) { return P::pte_user_exec(pmd); }
  static constexpr auto pmd_cont(const auto& pmd) { return P::pte_cont(pmd); }
  static constexpr auto pmd_special(const auto& pmd) { return P::pte_special(pmd); }
  static constexpr auto pmd_mkspecial(const auto& pmd) { return pmd | L::special; }
  static constexpr auto pmd_leaf_size(const auto& pmd) {
    return ite(pmd_cont(pmd), u64{16} << 21, u64{1} << 21);
  }
  static constexpr auto pmd_young(const auto& pmd) { return P::pte_young(pmd); }
  static constexpr auto pmd_dirty(const auto& pmd) { return P::pte_dirty(pmd); }
  template <class W, class C = NoFeatures>
  static constexpr auto pmd_write(const W& pmd, const C& = {}) {
    return P::pte_write(pmd);
  }
  static constexpr auto pmd_uffd_wp(const auto& pmd) { return P::pte_uffd_wp(pmd); }
  static constexpr auto pmd_soft_dirty(const auto&) { return false; }
  static constexpr auto pmd_same(const auto& a, const auto& b) { return a == b; }
  template <class W, class A, class R = u64, class C = NoFeatures>
  static constexpr auto pmd_access_permitted(const W& pmd, const A& write, const R& por = R{},
                                             const C& cpu = {}) {
    return P::pte_access_permitted(pmd, write, por, cpu);
  }

  static constexpr auto pmd_wrprotect(const auto& pmd) { return P::pte_wrprotect(pmd); }
  static constexpr auto pmd_mkwrite_novma(const auto& pmd) { return P::pte_mkwrite_novma(pmd); }
  template <class W, class F = u64>
  static constexpr auto pmd_mkwrite(const W& pmd, const F& = F{}) {
    return P::pte_mkwrite_novma(pmd);
  }
  static constexpr auto pmd_mkdirty(const auto& pmd) { return P::pte_mkdirty(pmd); }
  static constexpr auto pmd_mkclean(const auto& pmd) { return P::pte_mkclean(pmd); }
  static constexpr auto pmd_mkyoung(const auto& pmd) { return P::pte_mkyoung(pmd); }
  static constexpr auto pmd_mkold(const auto& pmd) { return P::pte_mkold(pmd); }
  static constexpr auto pmd_mkhuge(const auto& pmd) { return pmd & ~L::table_bit; }
  static constexpr auto pmd_mkcont(const auto& pmd) { return pmd | L::cont; }
  static constexpr auto pmd_mkdevmap(const auto& pmd) { return pmd | L::devmap; }
  static constexpr auto pmd_mkuffd_wp(const auto& pmd) { return P::pte_mkuffd_wp(pmd); }
  static constexpr auto pmd_clear_uffd_wp(const auto& pmd) { return P::pte_clear_uffd_wp(pmd); }
  static constexpr auto pmd_mksoft_dirty(const auto& pmd) { return wide(pmd); }
  static constexpr auto pmd_clear_soft_dirty(const auto& pmd) { return wide(pmd); }
  template <class W, class Q, class C = NoFeatures>
  static constexpr auto pmd_modify(const W& pmd, const Q& prot, const C& = {}) {
    return P::pte_modify(pmd, prot);
  }
  static constexpr auto pmd_pfn(const auto& pmd) { return (pmd & E::pmd_addr) >> arch::page_shift; }
  template <class F, class Q, class C = NoFeatures>
  static constexpr auto pfn_pmd(const F& pfn, const Q& prot, const C& = {}) {
    return P::pfn_pte(pfn, prot);
  }
  /// Present to software, dead to hardware; pmdp_invalidate stores it with an xchg, then flushes.
  template <class W, class C = NoFeatures>
  static constexpr auto pmd_mkinvalid(const W& pmd, const C& = {}) {
    return (pmd | L::pmd_invalid_bit) & ~L::valid;
  }
  /// Not overridden: the generic "always".
  static constexpr auto huge_pmd_needs_flush(const auto&, const auto&) { return true; }
  static constexpr auto pmdp_set_wrprotect(const auto& live) { return P::ptep_set_wrprotect(live); }
  static constexpr auto pmdp_test_and_clear_young(const auto& live) { return P::pte_mkold(live); }
  static constexpr auto pmdp_set_access_flags(const auto& live, const auto& entry, const auto& dirty) {
    return P::ptep_set_access_flags(live, entry, dirty);
  }
};

template <class L>
struct Pud {
  using P = Pte<L>;
  using E = Entry<L>;
  static constexpr auto pud_none(const auto& pud) { return pud == 0; }
  static constexpr auto pud_valid(const auto& pud) { return P::pte_valid(pud); }
  static constexpr auto pud_present(const auto& pud) { return P::pte_present(pud); }
  static constexpr auto pud_table(const auto& pud) { return (pud & L::type_mask) == L::type_page; }
  static constexpr auto pud_sect(const auto& pud) { return (pud & L::type_mask) == L::valid; }
  static constexpr auto pud_leaf(const auto& pud) { return pud_present(pud) && !pud_table(pud); }
  static constexpr auto pud_bad(const auto& pud) { return !pud_table(pud); }
  // No PUD-sized THP on arm64: the generic fallbacks (include/linux/mm.h, include/linux/pgtable.h).
  static constexpr auto pud_special(const auto&) { return false; }
  static constexpr auto pud_mkspecial(const auto& pud) { return wide(pud); }
  static constexpr auto pud_trans_huge(const auto&) { return false; }
  static constexpr auto pud_devmap(const auto&) { return false; }
  static constexpr auto pud_user(const auto& pud) { return P::pte_user(pud); }
  static constexpr auto pud_user_exec(const auto& pud) { return P::pte_user_exec(pud); }
  static constexpr auto pud_young(const auto& pud) { return P::pte_young(pud); }
  static constexpr auto pud_write(const auto& pud) { return P::pte_write(pud); }
  static constexpr auto pud_mkyoung(const auto& pud) { return P::pte_mkyoung(pud); }
  static constexpr auto pud_mkhuge(const auto& pud) { return pud & ~L::table_bit; }
  static constexpr auto pud_same(const auto& a, const auto& b) { return a == b; }
  template <class W, class A, class R = u64, class C = NoFeatures>
  static constexpr auto pud_access_permitted(const W& pud, const A& write, const R& por = R{},
                                             const C& cpu = {}) {
    return P::pte_access_permitted(pud, write, por, cpu);
  }
  static constexpr auto pud_pfn(const auto& pud) { return (pud & E::pud_addr) >> arch::page_shift; }
  template <class F, class Q, class C = NoFeatures>
  static constexpr auto pfn_pud(const F& pfn, const Q& prot, const C& = {}) {
    return P::pfn_pte(pfn, prot);
  }
};

}  // namespace ptmc::arm
