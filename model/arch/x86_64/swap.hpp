// SPDX-License-Identifier: GPL-2.0
// Kernel: arch/x86/include/asm/{pgtable_64,pgtable}.h, 6.12 and 6.1: pte_swp_*, __swp_*.
// Claim: type in bits 59..63, offset inverted in bits 9..58 (L1TF), flags in bits 1..3, bit 7 clear.
// Omitted: PAE.
#pragma once
#include "model/arch/softleaf.hpp"
#include "model/arch/x86_64/huge.hpp"

namespace ptmc::x86 {

template <class L>
struct SwapLayout : Pte<L>, Pmd<L> {
  static constexpr u64 first_special = L::v6_1 ? 23 : 24;  // SWP_MIGRATION_READ
  static constexpr bool has_markers = true;
  static constexpr u64 pte_marker_mask = L::v6_1 ? 1 : 3;
  static constexpr u64 pmd_swp_flags = L::swp_soft_dirty | L::swp_uffd_wp,
                       swp_flags = pmd_swp_flags | L::swp_exclusive;
  static constexpr unsigned swp_offset_shift = 9;
  static constexpr bool swp_offset_inverted = true;
  /// sparsemem.h, MAX_PHYSMEM_BITS - PAGE_SHIFT.
  static constexpr auto swp_pfn_bits(const auto& cpu) { return ite(cpu.la57, u64{40}, u64{34}); }
  static constexpr auto swp_raw_type(const auto& e) { return e >> 59; }
  static constexpr auto swp_raw_offset(const auto& e) { return (~e & bits(58, 9)) >> swp_offset_shift; }
  static constexpr auto swp_raw(const auto& type, const auto& offset) {
    return (~(wide(offset) << swp_offset_shift) & bits(58, 9)) | (wide(type) << 59);
  }
};

template <class L>
struct Swap : Softleaf<SwapLayout<L>> {
  static constexpr auto pte_swp_exclusive(const auto& pte) { return arch::any(pte, L::swp_exclusive); }
  static constexpr auto pte_swp_mkexclusive(const auto& pte) { return pte | L::swp_exclusive; }
  static constexpr auto pte_swp_clear_exclusive(const auto& pte) { return pte & ~L::swp_exclusive; }
  static constexpr auto pte_swp_soft_dirty(const auto& pte) { return arch::any(pte, L::swp_soft_dirty); }
  static constexpr auto pte_swp_mksoft_dirty(const auto& pte) { return pte | L::swp_soft_dirty; }
  static constexpr auto pte_swp_clear_soft_dirty(const auto& pte) { return pte & ~L::swp_soft_dirty; }
  static constexpr auto pte_swp_uffd_wp(const auto& pte) { return arch::any(pte, L::swp_uffd_wp); }
  static constexpr auto pte_swp_mkuffd_wp(const auto& pte) { return pte | L::swp_uffd_wp; }
  static constexpr auto pte_swp_clear_uffd_wp(const auto& pte) { return pte & ~L::swp_uffd_wp; }
  static constexpr auto pmd_swp_soft_dirty(const auto& pmd) { return arch::any(pmd, L::swp_soft_dirty); }
  static constexpr auto pmd_swp_mksoft_dirty(const auto& pmd) { return pmd | L::swp_soft_dirty; }
  static constexpr auto pmd_swp_clear_soft_dirty(const auto& pmd) { return pmd & ~L::swp_soft_dirty; }
  static constexpr auto pmd_swp_uffd_wp(const auto& pmd) { return arch::any(pmd, L::swp_uffd_wp); }
  static constexpr auto pmd_swp_mkuffd_wp(const auto& pmd) { return pmd | L::swp_uffd_wp; }
  static constexpr auto pmd_swp_clear_uffd_wp(const auto& pmd) { return pmd & ~L::swp_uffd_wp; }
};

}  // namespace ptmc::x86
