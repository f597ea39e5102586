// SPDX-License-Identifier: GPL-2.0
// Kernel: mm/memory.c zap_present_folio_ptes, zap_pte_range, set_pte_range (finish_fault, do_fault_around);
//   arch/arm64/mm/contpte.c contpte_get_and_clear_full_ptes, contpte_set_ptes (6.12).
// Claim: part of a block is unmapped, its dirty state goes to the folio, the gather's flush comes after the
//   PTL; faults map what is missing, a page at a time or, if nothing is mapped, all at once. `unmaps`: may a
//   fault come in between?
// Omitted: freeing of the page table; reference counts: a page is given back when the call returns.
#pragma once
#include "model/opt/contpte/mprotect.hpp"

namespace ptmc::contpte {

template <class B>
struct Zap {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  using C = Convert<B, by_call>;
  using L = Call<B>;
  static constexpr auto registers = [](auto& s, u64) -> decltype(auto) { return (s.zap); };

  static constexpr auto all_mapped = [](const auto& s, const auto&, Ctx x) {
    const auto free = !s.mm.writer && (!s.mm.reader || x.knob(KnobId::unmaps) == dontneed);
    return free && for_all<B::pages>([&](u64 v) { return Arch::pte_valid(V::pte(s, v)); });
  };
  static constexpr auto folio_mark_dirty = step("folio_mark_dirty", [](auto& s, auto& r, Ctx x) {
    s.ghost.found = s.ghost.found || (Arch::pte_dirty(load(r.old)) && V::watches(s, L::pages(x)));
  });

  static constexpr auto sequence_ =
      sequence("zap", registers,
               step("mmap_lock", all_mapped,
                    [](auto& s, auto& r, Ctx x) {
                      s.mm.writer = x.knob(KnobId::unmaps) == munmap;
                      s.ghost.served = false;
                      s.ghost.unmapped = s.ghost.unmapped || V::watches(s, L::pages(x));
                      L::begin(r, x);
                    }),
               block("zap_pte_range", C::lock, C::gathered_get,
                     compute("folio_pte_batch", [](auto& r) { r.batch = load(r.end); }),
                     C::get_and_clear_full, folio_mark_dirty, L::unlock),
               C::flush("tlb_flush_mmu", C::range_pages), step("mmap_unlock", [](auto& s, auto& r, Ctx x) {
                 s.mm.writer = false;
                 // A page that a fault has mapped meanwhile is the mm's again.
                 const auto given = V::watches(s, L::pages(x)) && s.ghost.unmapped;
                 s.ghost.gone = s.ghost.gone || given;
                 s.ghost.lost = s.ghost.lost || (given && s.ghost.stored && !s.ghost.found);
                 s.ghost.stored = s.ghost.stored && !given;
                 s.ghost.found = s.ghost.found && !given;
                 L::finish(r);
               }));
};

/// A fault maps pages of the folio that are not mapped: the first of them, or all.
template <class B>
struct Map {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  using C = Convert<B, by_other>;
  static constexpr auto registers = [](auto& s, u64) -> decltype(auto) { return (s.map); };
  static auto none(const auto& s, u64 v) { return Arch::pte_none(V::pte(s, v)); }

  static constexpr auto lock = choose<2>(
      "pte_offset_map_lock",
      [](const auto& s, const auto&, Ctx x) {
        const auto some = exists<B::pages>([&](u64 v) { return none(s, v); });
        const auto all = for_all<B::pages>([&](u64 v) { return none(s, v); });
        return !s.mm.writer && !s.mm.ptl_held && (x.k == 0 ? some : all);
      },
      [](auto& s, auto& r, Ctx x) {
        s.mm.ptl_held = true;
        s.mm.reader = true;
        u64 first = B::pages;
        for (u64 v = B::pages; v-- > 0;) first = ite(none(s, v), v, first);
        r.page = first;
        r.batch = ite(x.k == 0, first + 1, u64{B::pages});
        r.old = Arch::pte_mkwrite(Arch::pte_mkyoung(Arch::pfn_pte(first, Arch::page_shared)));
        const auto mine = V::watches(s, V::span(first, load(r.batch)));
        s.ghost.gone = s.ghost.gone && !mine;
        s.ghost.unmapped = s.ghost.unmapped && !mine;
      });

  static constexpr auto sequence_ =
      sequence("map", registers, lock, C::set_ptes, step("pte_unmap_unlock", [](auto& s, auto& r) {
                 s.mm.ptl_held = false;
                 s.mm.reader = false;
                 r.page = 0;
                 r.batch = 0;
                 r.old = 0;
               }));
};

}  // namespace ptmc::contpte
