// SPDX-License-Identifier: GPL-2.0
// Kernel: none; composed of pte_pfn, pfn_pte and include/linux/swapops.h (6.12).
// Claim: which frame an entry names, and the same entry naming another one: what symmetry over frames
// renames. Omitted: frames of huge leaves (pmd_pfn and pfn_pmd do).
#pragma once
#include "model/arch/softleaf.hpp"

namespace ptmc {

/// P: the pte helpers, S: the swap layout, frame_mask: where a present leaf keeps its frame.
template <class P, class S, u64 frame_mask>
struct Frames {
  using Leaf = Softleaf<S>;

  /// Present leaves (PROT_NONE ones too), migration, device and poison entries name a frame.
  static constexpr auto has_pfn(const auto& e) {
    return P::pte_present(e) || (Leaf::is_swap_pte(e) && Leaf::is_pfn_swap_entry(Leaf::pte_to_swp_entry(e)));
  }
  /// The frame of an entry with has_pfn, 4 KiB units.
  static constexpr auto pfn(const auto& e) {
    return ite(P::pte_present(e), P::pte_pfn(e), Leaf::swp_offset_pfn(Leaf::pte_to_swp_entry(e)));
  }
  /// The entry with another frame and nothing else changed; an entry without has_pfn stays as it is.
  static constexpr auto with_pfn(const auto& e, const auto& frame) {
    constexpr u64 low_mask = (u64{1} << S::swp_pfn_bits(NoFeatures{})) - 1,
                  low = low_mask << S::swp_offset_shift;
    const auto address = wide(frame) << arch::page_shift;
    const auto inverted = arch::when(P::pte_pfn(e) != ((e & frame_mask) >> arch::page_shift), ~u64{0});
    const auto present = arch::replace(e, address ^ inverted, frame_mask);
    const auto offset = (wide(frame) << S::swp_offset_shift) ^ (S::swp_offset_inverted ? ~u64{0} : u64{0});
    return ite(P::pte_present(e), present, ite(has_pfn(e), arch::replace(e, offset, low), wide(e)));
  }
  /// The frame of the next table, and a table entry with another one. Never inverted.
  static constexpr auto table_pfn(const auto& e) { return (e & frame_mask) >> arch::page_shift; }
  static constexpr auto with_table_pfn(const auto& e, const auto& frame) {
    return arch::replace(e, wide(frame) << arch::page_shift, frame_mask);
  }
};

}  // namespace ptmc
