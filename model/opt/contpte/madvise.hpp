// SPDX-License-Identifier: GPL-2.0
// Kernel: mm/madvise.c madvise_free_pte_range, madvise_cold_or_pageout_pte_range; arch/arm64/mm/contpte.c
//   contpte_clear_young_dirty_ptes; include/asm/pgtable.h __clear_young_dirty_ptes, clear_young_dirty_ptes
//   (6.12).
// Claim: MADV_FREE takes AF and D from a whole block without unfolding it, by a load and a store an entry,
//   MADV_COLD takes AF by a cmpxchg; the gather's flush comes after the PTL. MADV_FREE may lose what is
//   stored before it returns, no store after it.
// Omitted: folios that the range does not cover: they are split first, which unfolds their blocks, or left
//   alone, so that 6.12 never widens a range (the knob split_folio shows why); PG_dirty and the swap cache
//   (clean here); MADV_PAGEOUT (reclaim.hpp).
#pragma once
#include "model/opt/contpte/mprotect.hpp"

namespace ptmc::contpte {

enum Advice : u64 { advice_free, advice_cold };

template <class B>
struct Madvise {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  using C = Convert<B, by_call>;
  using L = Call<B>;
  static constexpr auto registers = [](auto& s, u64) -> decltype(auto) { return (s.madvise); };

  /// Pages 1 and 2 of a folio of 4, if it is not split.
  static bool unsplit(const Ctx& x) { return x.knob(KnobId::split_folio) == 1; }
  static u64 first(const Ctx& x) { return unsplit(x) ? 1 : L::first(x); }
  static u64 end(const Ctx& x) { return unsplit(x) ? B::pages - 1 : L::end(x); }
  static u64 pages(const Ctx& x) {
    return bits(static_cast<unsigned>(end(x) - 1), static_cast<unsigned>(first(x)));
  }
  static constexpr auto frees = [](const auto& r) { return r.target == u64{advice_free}; };

  static constexpr auto mmap_read_lock = choose<2>(
      "mmap_read_lock", [](const auto& s) { return !s.mm.writer; },
      [](auto& s, auto& r, Ctx x) {
        r.target = x.k;
        r.first = first(x);
        r.end = end(x);
        r.page = first(x);
        s.ghost.freeing = x.k == advice_free && V::watches(s, pages(x));
      });
  static constexpr auto lock = step(
      "pte_offset_map_lock", [](const auto& s) { return !s.mm.ptl_held; },
      [](auto& s) {
        s.mm.ptl_held = true;
        s.ghost.served = false;
      });
  static constexpr auto folio_pte_batch =
      compute("madvise_folio_pte_batch", [](auto& r) { r.batch = load(r.end); });
  static constexpr auto wants = [](const auto& r) {
    const auto word = load(r.old);
    return Arch::pte_young(word) || (frees(r) && Arch::pte_dirty(word));
  };

  // ---- clear_young_dirty_ptes of [page, batch), widened to the block ----
  static constexpr auto align_end = compute(
      "align_end", [](auto& r) { r.batch = ite(V::cont(load(r.raw)), u64{B::pages}, wide(load(r.batch))); });
  static constexpr auto align_start = compute("align_start", [](auto& r) {
    r.page = ite(V::cont(load(r.raw)), u64{0}, wide(load(r.page)));
    r.raw = 0;
  });
  static constexpr auto takes_both = [](const auto& r, const Ctx& x) {
    return C::in_batch(r, x) && frees(r);
  };
  static constexpr auto takes_young = [](const auto& r, const Ctx& x) {
    return C::in_batch(r, x) && !frees(r);
  };
  static constexpr auto ptep_get = step("ptep_get", [](auto& s, auto& r, Ctx x) { r.raw = V::pte(s, x.i); });
  static constexpr auto set_pte = step("set_pte", [](auto& s, auto& r, Ctx x) {
    hw::store_entry(s.pte[x.i], by_call, Arch::pte_mkclean(Arch::pte_mkold(load(r.raw))));
    r.raw = 0;
  });
  /// The cmpxchg that succeeds.
  static constexpr auto clear_young = step("clear_young_dirty_pte", [](auto& s, auto&, Ctx x) {
    hw::store_entry(s.pte[x.i], by_call, Arch::pte_mkold(V::pte(s, x.i)));
  });
  /// A load and a store in its place (mutation `split`).
  static constexpr auto load_half =
      spare("clear_young_dirty_pte.load", [](auto& s, auto& r, Ctx x) { r.raw = V::pte(s, x.i); });
  static constexpr auto store_half = spare("clear_young_dirty_pte.store", [](auto& s, auto& r, Ctx x) {
    hw::store_entry(s.pte[x.i], by_call, Arch::pte_mkold(load(r.raw)));
    r.raw = 0;
  });
  static constexpr auto clear_young_dirty_ptes =
      block("clear_young_dirty_ptes", C::raw_get(C::at_last), align_end, C::raw_get(C::at_page), align_start,
            loop<By::page>(if_(takes_both, ptep_get, set_pte),
                           if_(takes_young, clear_young, load_half, store_half)));
  /// The range that was asked for.
  static constexpr auto remove_tlb_entries =
      compute("tlb_remove_tlb_entries", [](auto& r) { r.changed = V::span(load(r.first), load(r.end)); });

  static constexpr auto gathered = [](const auto& r) { return V::hull(load(r.changed)); };
  static constexpr auto sequence_ =
      sequence("madvise", registers, mmap_read_lock,
               block("madvise_pte_range", lock, C::gathered_get, folio_pte_batch,
                     if_(wants, clear_young_dirty_ptes, remove_tlb_entries), L::unlock),
               if_([](const auto& r) { return r.changed != 0u; }, C::flush("tlb_flush_mmu", gathered)),
               step("mmap_read_unlock", [](auto& s, auto& r) {
                 s.ghost.stored = s.ghost.stored && !s.ghost.freeing;
                 s.ghost.freeing = false;
                 L::finish(r);
               }));
};

}  // namespace ptmc::contpte
