// SPDX-License-Identifier: GPL-2.0
// Kernel: arch/arm64/include/asm/{pgtable-hwdef,pgtable-prot}.h, 6.12 and 6.1; 4 KiB granule, 48-bit
// addresses. Claim: bit numbers and masks of leaves and tables of all levels. Omitted: 16 KiB and 64 KiB
// granules, 52-bit addresses (LPA2), stage 2, kernel protections.
#pragma once
#include "model/arch/entry.hpp"

namespace ptmc::arm {

/// Bits equal in 6.1 and 6.12. Hardware meaning: Arm ARM (DDI 0487) D8.3, "Translation table descriptor
/// formats".
struct Bits {
  static constexpr u64 valid = bit(0), table_bit = bit(1), type_page = valid | table_bit,
                       type_mask = type_page;
  static constexpr u64 attrindx = bits(4, 2);
  static constexpr u64 user = bit(6), rdonly = bit(7);  // AP[1], AP[2].
  static constexpr u64 shared = bits(9, 8);             // SH: inner shareable.
  static constexpr u64 af = bit(10), ng = bit(11), gp = bit(50);
  static constexpr u64 dbm = bit(51), write = dbm;  // DBM doubles as "writable".
  static constexpr u64 cont = bit(52), pxn = bit(53), uxn = bit(54);
  static constexpr u64 dirty = bit(55), special = bit(56), devmap = bit(57);  // Software bits.
  static constexpr u64 swp_exclusive = bit(2);
  static constexpr u64 mt_normal_tagged = u64{1} << 2;  // AttrIndx of MT_NORMAL_TAGGED; MT_NORMAL is 0.
  // Hierarchical attributes of a table entry (D8.3.2).
  static constexpr u64 table_pxn = bit(59), table_uxn = bit(60), table_ap_user = bit(61),
                       table_ap_rdonly = bit(62);
};

/// 6.12: PRESENT_INVALID overlays nG (6.11), uffd-wp (6.11), POIndex (6.12).
struct Layout_6_12 : Bits {
  static constexpr bool v6_1 = false;
  static constexpr u64 present_invalid = ng, pmd_invalid_bit = ng;  // Only if not valid.
  static constexpr u64 uffd_wp = bit(58), swp_uffd_wp = bit(3), po_idx = bits(62, 60);
  static constexpr u64 addr = bits(49, 12);  // PTE_ADDR_LOW
};
/// 6.1: PTE_PROT_NONE and PMD_PRESENT_INVALID are bits of their own.
struct Layout_6_1 : Bits {
  static constexpr bool v6_1 = true;
  static constexpr u64 present_invalid = bit(58), pmd_invalid_bit = bit(59);
  static constexpr u64 uffd_wp = 0, swp_uffd_wp = 0, po_idx = 0;
  static constexpr u64 addr = bits(47, 12);  // PTE_ADDR_MASK
};

/// What pte_*, pmd_* and pud_* share.
template <class L>
struct Entry {
  static constexpr u64 pmd_addr = L::addr & bits(63, arch::pmd_shift),
                       pud_addr = L::addr & bits(63, arch::pud_shift);
  /// Writable and not read-only: set by the DBM walker, or by software for a dirty writable entry.
  static constexpr auto hw_dirty(const auto& e) { return (e & (L::write | L::rdonly)) == L::write; }
  static constexpr auto sw_dirty(const auto& e) { return arch::any(e, L::dirty); }
  /// The software bit remembers the hardware's.
  static constexpr auto fold_dirty(const auto& e) { return e | arch::when(hw_dirty(e), L::dirty); }
  static constexpr auto mkdirty(const auto& e) {
    return (e & ~arch::when(arch::any(e, L::write), L::rdonly)) | L::dirty;
  }
  static constexpr auto wrprotect(const auto& e) { return (fold_dirty(e) & ~L::write) | L::rdonly; }
};

}  // namespace ptmc::arm
