// SPDX-License-Identifier: GPL-2.0
// Kernel: arch/x86, 6.12 (X86_64) and 6.1 (X86_64_6_1): everything of model/arch/x86_64 under one name.
// Claim: a model names helpers as Arch::pte_wrprotect and is instantiated for one layout.
// Omitted: see the parts.
#pragma once
#include "model/arch/frames.hpp"
#include "model/arch/x86_64/hw.hpp"
#include "model/arch/x86_64/prot.hpp"
#include "model/arch/x86_64/swap.hpp"

namespace ptmc {

template <class L>
struct X86_64Layout : L,
                      x86::Pte<L>,
                      x86::Pmd<L>,
                      x86::Pud<L>,
                      x86::Swap<L>,
                      x86::Prot<L>,
                      x86::Hw<L>,
                      Frames<x86::Pte<L>, x86::SwapLayout<L>, L::pte_pfn_mask> {
  static constexpr bool is_x86 = true;
  static constexpr bool has_soft_dirty = true;
  static constexpr const char* family = "x86_64";
  // Shorthands of the models.
  static constexpr u64 page_rw = x86::Prot<L>::page_shared;                  // Young, clean, writable.
  static constexpr u64 swap_entry = x86::Swap<L>::swp_entry_to_pte(u64{1});  // Type 0, offset 1.
  static constexpr auto pte_mkprotnone(const auto& pte) {
    return x86::Pte<L>::pte_modify(pte, x86::Prot<L>::page_none);
  }
  static constexpr auto pte_mkpresent_ro(const auto& pte) {
    return x86::Pte<L>::pte_modify(pte, x86::Prot<L>::page_readonly);
  }
  /// What every user leaf satisfies. x86: nothing more than its bits.
  static constexpr auto pte_wellformed(const auto& pte) { return pte == pte; }
};

struct X86_64 : X86_64Layout<x86::Layout_6_12> {
  static constexpr const char* name = "x86_64";
};
struct X86_64_6_1 : X86_64Layout<x86::Layout_6_1> {
  static constexpr const char* name = "x86_64_6_1";
};

}  // namespace ptmc
