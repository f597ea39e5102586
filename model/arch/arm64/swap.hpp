// SPDX-License-Identifier: GPL-2.0
// Kernel: arch/arm64/include/asm/pgtable.h, "Encode and decode a swap entry", 6.12 and 6.1: pte_swp_*,
// __swp_*. Claim: 6.12: type in bits 6..10, offset in bits 12..61; 6.1: type in bits 3..7, offset in
// bits 8..57. Omitted: MTE tags.
#pragma once
#include "model/arch/arm64/huge.hpp"
#include "model/arch/softleaf.hpp"

namespace ptmc::arm {

template <class L>
struct SwapLayout : Pte<L>, Pmd<L> {
  static constexpr u64 first_special = 24;       // SWP_MIGRATION_READ
  static constexpr bool has_markers = !L::v6_1;  // 6.1 has them with uffd-wp only.
  static constexpr u64 pte_marker_mask = 3;
  static constexpr u64 pmd_swp_flags = L::swp_uffd_wp, swp_flags = pmd_swp_flags | L::swp_exclusive;
  static constexpr unsigned swp_type_raw_shift = L::v6_1 ? 3 : 6, swp_offset_shift = L::v6_1 ? 8 : 12;
  static constexpr bool swp_offset_inverted = false;
  /// sparsemem.h, MAX_PHYSMEM_BITS - PAGE_SHIFT.
  static constexpr u64 swp_pfn_bits(const auto&) { return 36; }
  static constexpr auto swp_raw_type(const auto& e) { return (e >> swp_type_raw_shift) & 31; }
  static constexpr auto swp_raw_offset(const auto& e) { return (e >> swp_offset_shift) & bits(49, 0); }
  static constexpr auto swp_raw(const auto& type, const auto& offset) {
    return (wide(type) << swp_type_raw_shift) | (wide(offset) << swp_offset_shift);
  }
};

template <class L>
struct Swap : Softleaf<SwapLayout<L>> {
  static constexpr auto pte_swp_exclusive(const auto& pte) { return arch::any(pte, L::swp_exclusive); }
  static constexpr auto pte_swp_mkexclusive(const auto& pte) { return pte | L::swp_exclusive; }
  static constexpr auto pte_swp_clear_exclusive(const auto& pte) { return pte & ~L::swp_exclusive; }
  // No soft-dirty: the generic fallbacks (include/linux/pgtable.h).
  static constexpr auto pte_swp_soft_dirty(const auto&) { return false; }
  static constexpr auto pte_swp_mksoft_dirty(const auto& pte) { return wide(pte); }
  static constexpr auto pte_swp_clear_soft_dirty(const auto& pte) { return wide(pte); }
  // 6.12 only; in 6.1 the mask is empty, which is the generic fallback.
  static constexpr auto pte_swp_uffd_wp(const auto& pte) { return arch::any(pte, L::swp_uffd_wp); }
  static constexpr auto pte_swp_mkuffd_wp(const auto& pte) { return pte | L::swp_uffd_wp; }
  static constexpr auto pte_swp_clear_uffd_wp(const auto& pte) { return pte & ~L::swp_uffd_wp; }
  static constexpr auto pmd_swp_soft_dirty(const auto&) { return false; }
  static constexpr auto pmd_swp_mksoft_dirty(const auto& pmd) { return wide(pmd); }
  static constexpr auto pmd_swp_clear_soft_dirty(const auto& pmd) { return wide(pmd); }
  static constexpr auto pmd_swp_uffd_wp(const auto& pmd) { return arch::any(pmd, L::swp_uffd_wp); }
  static constexpr auto pmd_swp_mkuffd_wp(const auto& pmd) { return pmd | L::swp_uffd_wp; }
  static constexpr auto pmd_swp_clear_uffd_wp(const auto& pmd) { return pmd & ~L::swp_uffd_wp; }
};

}  // namespace ptmc::arm
