// SPDX-License-Identifier: GPL-2.0
// Kernel: mm/rmap.c folio_referenced_one; ptep_clear_flush_young of arch/x86/mm/pgtable.c and
//   arch/arm64/include/asm/pgtable.h (6.12).
// Claim: clearing A takes no right away; arm64 sends a TLBI that nobody waits for.
// Omitted: MGLRU's look-around, mmu notifiers.
#pragma once
#include "model/mm/flush.hpp"

namespace ptmc::batched_unmap {

template <class D, class B>
struct AgingRegisters {
  using F = Flag<D>;
  using P = mm::Posts<D, B>;
  BOOST_HANA_DEFINE_STRUCT(AgingRegisters, (F, was_young), (P, posted));
};

template <class B>
struct Aging {
  using Arch = typename B::Arch;
  using V = mm::Vocabulary<B>;
  using Flush = mm::Flush<B, mm::by_aging>;
  static constexpr auto registers = [](auto& s, u64) -> decltype(auto) { return (s.aging); };
  static constexpr auto this_page = [](const auto&, const auto&, const Ctx& x) {
    return bit(static_cast<unsigned>(x.i));
  };

  static constexpr auto clear_young = step("ptep_test_and_clear_young", [](auto& s, auto& r, Ctx x) {
    const auto word = V::pte(s, x.i);
    const auto young = Arch::pte_present(word) && Arch::pte_young(word);
    r.was_young = young;
    when(young, s, [&](auto& t) { hw::store_entry(t.pte[x.i], mm::by_aging, Arch::pte_mkold(word)); });
  });
  static constexpr auto flush_nosync() {
    constexpr auto forget = compute("forget_young", [](auto& r) { r.was_young = false; });
    if constexpr (Arch::is_x86)
      return block("", forget);
    else
      return block("flush_tlb_page_nosync", Flush::dsb_ishst, Flush::tlbi("tlbi_vale1is", this_page), forget);
  }

  static constexpr auto sequence_ =
      sequence("aging", registers,
               loop<By::page>(step("pte_offset_map_lock", V::ptl_free,
                                   [](auto& s, auto&, Ctx x) { s.ptl[x.i] = mm::by_aging + 1; }),
                              block("ptep_clear_flush_young", clear_young,
                                    if_([](const auto& r) { return load(r.was_young); }, flush_nosync())),
                              step("pte_unmap_unlock", [](auto& s, auto&, Ctx x) { s.ptl[x.i] = 0; })));
};

}  // namespace ptmc::batched_unmap
