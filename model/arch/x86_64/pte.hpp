// SPDX-License-Identifier: GPL-2.0
// Kernel: arch/x86/include/asm/pgtable.h, arch/x86/mm/pgtable.c, asm/tlbflush.h, 6.12 and 6.1: pte_*, ptep_*.
// Claim: each helper equals the kernel's for all 64-bit words (a check of the tool proves it against a tree).
// Omitted: page_table_check, paravirt, memory encryption, CONFIG_DEBUG_VM warnings.
#pragma once
#include "model/arch/x86_64/entry.hpp"

namespace ptmc::x86 {

template <class L>
struct Pte {
  using E = Entry<L>;

  // ---- predicates ----
  static constexpr auto pte_none(const auto& pte) { return E::none(pte); }
  static constexpr auto pte_present(const auto& pte) { return arch::any(pte, L::present | L::protnone); }
  /// The kernel has no x86 helper of this name; the P bit, as arm64's pte_valid is the VALID bit.
  static constexpr auto pte_valid(const auto& pte) { return arch::any(pte, L::present); }
  static constexpr auto pte_protnone(const auto& pte) {
    return (pte & (L::protnone | L::present)) == L::protnone;
  }
  static constexpr auto pte_accessible(const auto& pte, const auto& pending) {
    return arch::any(pte, L::present) || (arch::any(pte, L::protnone) && pending);
  }
  static constexpr auto pte_young(const auto& pte) { return arch::any(pte, L::accessed); }
  static constexpr auto pte_dirty(const auto& pte) { return arch::any(pte, E::dirty_bits); }
  /// 6.6 and later: a shadow-stack leaf is RW=0, D=1 on a CPU with CET.
  template <class P, class C = NoFeatures>
  static constexpr auto pte_shstk(const P& pte, const C& cpu = {}) {
    return (pte & (L::rw | L::dirty)) == L::dirty && cpu.shstk;
  }
  template <class P, class C = NoFeatures>
  static constexpr auto pte_write(const P& pte, const C& cpu = {}) {
    if constexpr (L::v6_1)
      return arch::any(pte, L::rw);
    else
      return arch::any(pte, L::rw) || pte_shstk(pte, cpu);
  }
  static constexpr auto pte_exec(const auto& pte) { return !arch::any(pte, L::nx); }
  /// Not kernel names on x86: the US bit and its use by an instruction fetch.
  static constexpr auto pte_user(const auto& pte) { return arch::any(pte, L::user); }
  static constexpr auto pte_user_exec(const auto& pte) { return !arch::any(pte, L::nx); }
  static constexpr auto pte_huge(const auto& pte) { return arch::any(pte, L::pse); }
  static constexpr auto pte_global(const auto& pte) { return arch::any(pte, L::global); }
  static constexpr auto pte_special(const auto& pte) { return arch::any(pte, L::special); }
  static constexpr auto pte_devmap(const auto& pte) { return arch::any(pte, L::devmap); }
  static constexpr auto pte_uffd_wp(const auto& pte) { return arch::any(pte, L::uffd_wp); }
  static constexpr auto pte_soft_dirty(const auto& pte) { return arch::any(pte, L::soft_dirty); }
  static constexpr auto pte_same(const auto& a, const auto& b) { return a == b; }
  /// pte_flags_pkey: the protection key, 0..15.
  static constexpr auto pte_pkey(const auto& pte) { return (pte & L::pkey) >> L::pkey_shift; }
  static constexpr auto pte_access_permitted(const auto& pte, const auto& write, const auto& pkru) {
    return E::access_permitted(pte, write, pkru);
  }

  // ---- changes ----
  static constexpr auto pte_mksaveddirty(const auto& pte) { return E::mksaveddirty(pte); }
  static constexpr auto pte_clear_saveddirty(const auto& pte) { return E::clear_saveddirty(pte); }
  static constexpr auto pte_wrprotect(const auto& pte) { return E::wrprotect(pte); }
  static constexpr auto pte_mkwrite_novma(const auto& pte) { return pte | L::rw; }
  static constexpr auto pte_mkwrite_shstk(const auto& pte) { return (pte & ~L::rw) | L::dirty; }
  /// pgtable.c, pte_mkwrite. 6.1: pte_mkwrite(pte) knows no VMA and only sets RW.
  template <class P, class F = u64>
  static constexpr auto pte_mkwrite(const P& pte, const F& vm_flags = F{}) {
    const auto writable = E::clear_saveddirty(pte_mkwrite_novma(pte));
    if constexpr (L::v6_1)
      return writable;
    else
      return ite(arch::any(vm_flags, vm::shadow_stack), pte_mkwrite_shstk(pte), writable);
  }
  static constexpr auto pte_mkdirty(const auto& pte) { return E::mkdirty(pte); }
  static constexpr auto pte_mkclean(const auto& pte) { return pte & ~E::dirty_bits; }
  static constexpr auto pte_mkyoung(const auto& pte) { return pte | L::accessed; }
  static constexpr auto pte_mkold(const auto& pte) { return pte & ~L::accessed; }
  static constexpr auto pte_mkexec(const auto& pte) { return pte & ~L::nx; }
  static constexpr auto pte_mkhuge(const auto& pte) { return pte | L::pse; }
  static constexpr auto pte_clrhuge(const auto& pte) { return pte & ~L::pse; }
  static constexpr auto pte_mkglobal(const auto& pte) { return pte | L::global; }
  static constexpr auto pte_clrglobal(const auto& pte) { return pte & ~L::global; }
  static constexpr auto pte_mkspecial(const auto& pte) { return pte | L::special; }
  static constexpr auto pte_mkdevmap(const auto& pte) { return pte | (L::special | L::devmap); }
  static constexpr auto pte_mkuffd_wp(const auto& pte) { return E::mkuffd_wp(pte); }
  static constexpr auto pte_clear_uffd_wp(const auto& pte) { return pte & ~L::uffd_wp; }
  static constexpr auto pte_mksoft_dirty(const auto& pte) { return pte | L::soft_dirty; }
  static constexpr auto pte_clear_soft_dirty(const auto& pte) { return pte & ~L::soft_dirty; }
  template <class P, class Q, class C = NoFeatures>
  static constexpr auto pte_modify(const P& pte, const Q& prot, const C& cpu = {}) {
    return E::modify(pte, prot, E::chg_mask, L::pte_pfn_mask, cpu);
  }

  // ---- frames ----
  static constexpr auto pte_pfn(const auto& pte) { return E::pfn(pte, L::pte_pfn_mask); }
  template <class F, class Q, class C = NoFeatures>
  static constexpr auto pfn_pte(const F& pfn, const Q& prot, const C& cpu = {}) {
    return E::pfn_entry(pfn, prot, L::pte_pfn_mask, cpu);
  }
  static constexpr auto pte_flags(const auto& pte) { return pte & ~L::pte_pfn_mask; }
  static constexpr auto pte_pgprot(const auto& pte) { return pte & ~L::pte_pfn_mask; }
  /// Adds `nr` pages to the frame; carries out of the frame field like the kernel. 6.1 has no such helper.
  static constexpr auto pte_advance_pfn(const auto& pte, const auto& nr) {
    const auto step = wide(nr) << arch::page_shift;
    return ite(E::needs_invert(pte), pte - step, pte + step);
  }

  // ---- what a change means for the TLB ----
  /// tlbflush.h: must the caller flush after replacing `from` by `to`? A alone is ignored.
  static constexpr auto pte_needs_flush(const auto& from, const auto& to) {
    return arch::any(from, L::present) &&
           (pte_pfn(from) != pte_pfn(to) ||
            E::flags_need_flush(pte_pgprot(from), pte_pgprot(to), L::dirty | L::present));
  }

  // ---- read-modify-write helpers: the value that one successful iteration stores ----
  /// pgtable.h: cmpxchg loop of pte_wrprotect; 6.1: an atomic clear of RW. No flush.
  static constexpr auto ptep_set_wrprotect(const auto& live) { return pte_wrprotect(live); }
  /// pgtable.c: stores `entry` whole if it differs and `dirty`; a plain store, no flush.
  static constexpr auto ptep_set_access_flags(const auto& live, const auto& entry, const auto& dirty) {
    return ite(live != entry && dirty, entry, live);
  }
  /// Returned by ptep_set_access_flags: something differed (even if nothing was stored).
  static constexpr auto ptep_set_access_flags_changed(const auto& live, const auto& entry) {
    return live != entry;
  }
  static constexpr auto ptep_set_access_flags_flushes(const auto&, const auto&, const auto&) { return false; }
  /// pgtable.c: atomic clear of A if it is set. x86 does not flush for A.
  static constexpr auto ptep_test_and_clear_young(const auto& live) { return pte_mkold(live); }
  static constexpr auto ptep_clear_flush_young(const auto& live) { return pte_mkold(live); }
};

}  // namespace ptmc::x86
