// SPDX-License-Identifier: GPL-2.0
// Kernel: mm/rmap.c folio_referenced_one, include/asm/pgtable.h ptep_clear_flush_young;
//   arch/arm64/mm/contpte.c contpte_ptep_clear_flush_young, contpte_ptep_test_and_clear_young (6.12).
// Claim: AF is cleared in the whole block without unfolding it, by atomic updates; a TLBI without a DSB.
// Omitted: pages but the block's first and last as where it begins (each does the same).
#pragma once
#include "model/opt/contpte/convert.hpp"

namespace ptmc::contpte {

template <class B>
struct Aging {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  using C = Convert<B, by_other>;
  static constexpr auto registers = [](auto& s, u64) -> decltype(auto) { return (s.aging); };

  static constexpr auto lock = choose<2>(
      "page_vma_mapped_walk",
      [](const auto& s, const auto&, Ctx x) {
        return !s.mm.ptl_held && Arch::pte_valid(V::pte(s, x.k * (B::pages - 1)));
      },
      [](auto& s, auto& r, Ctx x) {
        s.mm.ptl_held = true;
        s.ghost.served = false;
        r.page = x.k * (B::pages - 1);
        r.batch = r.page + 1u;
      });
  /// As if the entry were alone, or all of the block.
  static constexpr auto spread = compute("spread", [](auto& r) {
    const auto cont = V::cont(load(r.raw));
    r.page = ite(cont, u64{0}, wide(load(r.page)));
    r.batch = ite(cont, B::pages, wide(load(r.batch)));
    r.raw = 0;
  });
  /// The cmpxchg that succeeds.
  static constexpr auto clear_young = step("ptep_test_and_clear_young", [](auto& s, auto& r, Ctx x) {
    const auto word = V::pte(s, x.i);
    r.young = r.young || Arch::pte_young(word);
    hw::store_entry(s.pte[x.i], by_other, Arch::ptep_test_and_clear_young(word));
  });
  /// A load and a store in its place (mutation `split`).
  static constexpr auto load_half =
      spare("ptep_test_and_clear_young.load", [](auto& s, auto& r, Ctx x) { r.raw = V::pte(s, x.i); });
  static constexpr auto store_half = spare("ptep_test_and_clear_young.store", [](auto& s, auto& r, Ctx x) {
    r.young = r.young || Arch::pte_young(load(r.raw));
    hw::store_entry(s.pte[x.i], by_other, Arch::ptep_test_and_clear_young(load(r.raw)));
    r.raw = 0;
  });
  static constexpr auto batch_pages = [](const auto& r) { return V::span(load(r.page), load(r.batch)); };

  static constexpr auto sequence_ = sequence(
      "aging", registers, lock,
      block("ptep_clear_flush_young", C::raw_get(C::at_page), spread,
            loop<By::page>(if_(C::in_batch, clear_young, load_half, store_half)),
            if_([](const auto& r) { return load(r.young); }, C::Waits::dsb_ishst, C::tlbi(batch_pages))),
      step("page_vma_mapped_walk_done", [](auto& s, auto& r) {
        s.mm.ptl_held = false;
        r.page = 0;
        r.batch = 0;
        r.young = false;
      }));
};

}  // namespace ptmc::contpte
