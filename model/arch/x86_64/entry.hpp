// SPDX-License-Identifier: GPL-2.0
// Kernel: arch/x86/include/asm/{pgtable_types,pgtable-invert,page_types}.h, 6.12 and 6.1.
// Claim: bit numbers, masks and the L1TF inversion of not-present frames, for leaves and tables of all
// levels. Omitted: _PAGE_CC (no memory encryption), 32-bit and PAE forms, kernel-only protections.
#pragma once
#include "model/arch/entry.hpp"

namespace ptmc::x86 {

/// Bits equal in 6.1 and 6.12. Hardware meaning: SDM vol. 3, 4.5.4, tables 4-15 to 4-20.
struct Bits {
  static constexpr u64 present = bit(0), rw = bit(1), user = bit(2), pwt = bit(3), pcd = bit(4);
  static constexpr u64 accessed = bit(5), dirty = bit(6);
  static constexpr u64 pse = bit(7), pat = bit(7);  // Leaf of 2 MiB or 1 GiB; PAT in a 4 KiB leaf.
  static constexpr u64 global = bit(8);
  static constexpr u64 protnone = global;  // Only if not present.
  static constexpr u64 special = bit(9), uffd_wp = bit(10), soft_dirty = bit(11);
  static constexpr u64 pat_large = bit(12);
  static constexpr u64 pkey = bits(62, 59), nx = bit(63);
  static constexpr unsigned pkey_shift = 59;
  // Frames. PTE_PFN_MASK, PHYSICAL_PMD_PAGE_MASK, PHYSICAL_PUD_PAGE_MASK.
  static constexpr u64 pte_pfn_mask = bits(51, 12), pmd_pfn_mask = bits(51, 21), pud_pfn_mask = bits(51, 30);
  // Swap entries (not present): pgtable_types.h, pgtable_64_types.h.
  static constexpr u64 swp_soft_dirty = rw, swp_uffd_wp = user, swp_exclusive = pwt;
  static constexpr u64 kernpg_table = present | rw | accessed | dirty, page_table = kernpg_table | user;
};

/// 6.12: SavedDirty (6.6) and shadow stacks. `devmap` is _PAGE_SOFTW4.
struct Layout_6_12 : Bits {
  static constexpr bool v6_1 = false;
  static constexpr u64 devmap = bit(57), saved_dirty = bit(58);
};
/// 6.1: no SavedDirty, so a dirty read-only leaf keeps D.
struct Layout_6_1 : Bits {
  static constexpr bool v6_1 = true;
  static constexpr u64 devmap = bit(58), saved_dirty = 0;
};

template <class L>
struct Entry {
  static constexpr u64 dirty_bits = L::dirty | L::saved_dirty;
  static constexpr u64 common_chg_mask = L::pte_pfn_mask | L::pcd | L::pwt | L::special | L::accessed |
                                         dirty_bits | L::soft_dirty | L::devmap | L::uffd_wp;
  static constexpr u64 chg_mask = common_chg_mask | L::pat;
  static constexpr u64 hpage_chg_mask = common_chg_mask | L::pse | L::pat_large;

  /// pgtable-invert.h, __pte_needs_invert: a nonzero not-present entry holds its frame inverted (L1TF).
  static constexpr auto needs_invert(const auto& e) { return e != 0 && !arch::any(e, L::present); }
  /// pgtable-invert.h, protnone_mask: what to xor with the entry to read its frame.
  static constexpr auto protnone_mask(const auto& e) { return arch::when(needs_invert(e), ~u64{0}); }
  /// pgtable-invert.h, flip_protnone_guard: inverts the bits of `mask` if `from` and `to` disagree about
  /// inversion.
  static constexpr auto flip_protnone_guard(const auto& from, const auto& to, u64 mask) {
    return to ^ arch::when(needs_invert(from) != needs_invert(to), mask);
  }
  /// pgtable.h, check_pgprot: a present protection loses bits that the CPU lacks.
  static constexpr auto check_pgprot(const auto& prot, const auto& cpu) {
    return prot & (cpu.supported_pte_mask | arch::when(!arch::any(prot, L::present), ~u64{0}));
  }

  /// pgtable.h, mksaveddirty_shift: RW=0 turns D into SavedDirty, so that it is no shadow stack.
  static constexpr auto mksaveddirty(const auto& e) {
    if constexpr (L::saved_dirty == 0)
      return wide(e);
    else
      return (e & ~arch::when(!arch::any(e, L::rw), L::dirty)) |
             arch::when((e & (L::rw | L::dirty)) == L::dirty, L::saved_dirty);
  }
  /// pgtable.h, clear_saveddirty_shift: RW=1 turns SavedDirty back into D.
  static constexpr auto clear_saveddirty(const auto& e) {
    if constexpr (L::saved_dirty == 0)
      return wide(e);
    else
      return (e & ~arch::when(arch::any(e, L::rw), L::saved_dirty)) |
             arch::when(arch::all(e, L::rw | L::saved_dirty), L::dirty);
  }

  // What pte_*, pmd_* and pud_* share.
  static constexpr auto none(const auto& e) {
    return (e & ~(L::accessed | L::dirty)) == 0;
  }  // A, D: KNL erratum.
  static constexpr auto wrprotect(const auto& e) { return mksaveddirty(e & ~L::rw); }
  static constexpr auto mkdirty(const auto& e) { return mksaveddirty(e | L::dirty | L::soft_dirty); }
  static constexpr auto mkuffd_wp(const auto& e) {
    if constexpr (L::v6_1)
      return e | L::uffd_wp;
    else
      return wrprotect(e | L::uffd_wp);
  }
  /// The frame number of an entry whose frame lies in `mask`; 4 KiB units.
  static constexpr auto pfn(const auto& e, const auto& mask) {
    return ((e ^ protnone_mask(e)) & mask) >> arch::page_shift;
  }
  static constexpr auto pfn_entry(const auto& pfn, const auto& prot, u64 mask, const auto& cpu) {
    return (((wide(pfn) << arch::page_shift) ^ protnone_mask(prot)) & mask) | check_pgprot(prot, cpu);
  }
  /// pte_modify, pmd_modify, pud_modify: keep `kept`, take the rest from `prot`, repair inversion and
  /// dirtiness.
  static constexpr auto modify(const auto& e, const auto& prot, u64 kept, u64 frame, const auto& cpu) {
    const auto merged = flip_protnone_guard(e, (e & kept) | (check_pgprot(prot, cpu) & ~kept), frame);
    return ite(arch::any(e, L::rw), mksaveddirty(merged), clear_saveddirty(merged));
  }
  /// tlbflush.h, pte_flags_need_flush: D and P (and A if asked) cleared, or a bit that the TLB holds changed.
  static constexpr auto flags_need_flush(const auto& from, const auto& to, u64 on_clear) {
    constexpr u64 on_change =
        L::rw | L::user | L::pwt | L::pcd | L::pse | L::global | L::pat_large | L::pkey | L::nx;
    return arch::any(from & ~to, on_clear) || arch::any(from ^ to, on_change);
  }
  /// pgtable.h, __pte_access_permitted: GUP-fast's test. `pkru`: two bits a key, access-disable and
  /// write-disable.
  static constexpr auto access_permitted(const auto& e, const auto& write, const auto& pkru) {
    const auto key = (e & L::pkey) >> L::pkey_shift;
    const auto denied = (wide(pkru) & bits(31, 0)) >> (key << 1);
    return arch::all(e, L::present | L::user) && !arch::any(denied, 1) &&
           (!write || (arch::any(e, L::rw) && !arch::any(denied, 2)));
  }
};

}  // namespace ptmc::x86
