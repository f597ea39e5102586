// SPDX-License-Identifier: GPL-2.0
// Kernel: arch/arm64, 6.12 (Arm64) and 6.1 (Arm64_6_1): everything of model/arch/arm64 under one name.
// Claim: a model names helpers as Arch::pte_wrprotect and is instantiated for one layout.
// Omitted: see the parts.
#pragma once
#include "model/arch/arm64/hw.hpp"
#include "model/arch/arm64/prot.hpp"
#include "model/arch/arm64/swap.hpp"
#include "model/arch/frames.hpp"

namespace ptmc {

template <class L>
struct Arm64Layout : L,
                     arm::Pte<L>,
                     arm::Pmd<L>,
                     arm::Pud<L>,
                     arm::Swap<L>,
                     arm::Prot<L>,
                     arm::Hw<L>,
                     Frames<arm::Pte<L>, arm::SwapLayout<L>, L::addr> {
  static constexpr bool is_x86 = false;
  static constexpr bool has_soft_dirty = false;
  static constexpr const char* family = "arm64";
  // Shorthands of the models.
  static constexpr u64 page_rw = arm::Prot<L>::page_shared;                  // Young, clean, writable.
  static constexpr u64 swap_entry = arm::Swap<L>::swp_entry_to_pte(u64{1});  // Type 0, offset 1.
  static constexpr auto pte_mkprotnone(const auto& pte) {
    return arm::Pte<L>::pte_modify(pte, arm::Prot<L>::page_none);
  }
  static constexpr auto pte_mkpresent_ro(const auto& pte) {
    return arm::Pte<L>::pte_modify(pte, arm::Prot<L>::page_readonly);
  }
  /// What every user leaf satisfies (pgtable.h, the table at "hardware Dirty Bit Management"): a present one
  /// is a page descriptor and is never writable without DBM, else a store would leave no trace of dirtiness.
  static constexpr auto pte_wellformed(const auto& pte) {
    return !arm::Pte<L>::pte_present(pte) ||
           (arch::any(pte, L::table_bit) && arch::any(pte, L::rdonly | L::write));
  }
};

struct Arm64 : Arm64Layout<arm::Layout_6_12> {
  static constexpr const char* name = "arm64";
};
struct Arm64_6_1 : Arm64Layout<arm::Layout_6_1> {
  static constexpr const char* name = "arm64_6_1";
};

}  // namespace ptmc
