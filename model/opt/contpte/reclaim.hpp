// SPDX-License-Identifier: GPL-2.0
// Kernel: mm/vmscan.c shrink_folio_list; mm/rmap.c try_to_unmap_one, set_tlb_ubc_flush_pending,
//   try_to_unmap_flush, try_to_unmap_flush_dirty; mm/memory.c do_swap_page; arch/arm64 ptep_get_and_clear,
//   arch_tlbbatch_add_pending, arch_tlbbatch_flush (6.12).
// Claim: reclaim unmaps the block's folio page by page, which unfolds the block first; a TLBI a page without
//   a DSB; the DSB comes after the PTL, but before the folio is written, given back or put back. A fault maps
//   the folio again from the swap cache: all of it, if nothing of it is mapped.
// Omitted: other mappings of the folio; add_to_swap (it is in the swap cache already, clean); asynchronous
//   writeback; a fault after __remove_mapping, which gets another folio (mremap/H1); both counts of
//   tlb_flush_batched: with one page table no batch can grow while it is drained.
#pragma once
#include "model/opt/contpte/convert.hpp"

namespace ptmc::contpte {

template <class D, class B>
struct ReclaimRegisters {
  using Entry = Word<D>;
  using F = Flag<D>;
  using Page = Bits<D, bits_for(B::pages + 1)>;
  using P = mm::Posts<D, B>;
  BOOST_HANA_DEFINE_STRUCT(ReclaimRegisters, (Entry, old), (Entry, raw), (Entry, pte),  // As in Registers.
                           (Page, page), (Page, batch), (F, same),                      //
                           (F, accessible), (F, fails),         // swap_duplicate had no memory: walk_abort.
                           (F, flush_required), (F, writable),  // tlb_ubc.
                           (F, dirty),                          // PG_dirty: nobody else here looks at it.
                           (F, keeps),                          // Somebody else has a reference: keep_locked.
                           (P, posted));
};

template <class B>
struct Reclaim {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  using C = Convert<B, by_other>;
  using Waits = typename C::Waits;
  static constexpr auto registers = [](auto& s, u64) -> decltype(auto) { return (s.reclaim); };

  static constexpr auto folio_trylock = step(
      "folio_trylock",
      [](const auto& s) {
        return !s.mm.folio_locked && exists<B::pages>([&](u64 v) { return Arch::pte_present(V::pte(s, v)); });
      },
      [](auto& s) { s.mm.folio_locked = true; });

  // ---- try_to_unmap_one: TTU_SYNC keeps the PTL from the first entry to the last ----
  static constexpr auto check_pte = step("check_pte", [](auto& s, auto& r, Ctx x) {
    const auto word = V::pte(s, x.i);
    r.page = x.i;
    r.batch = x.i + 1;
    r.raw = ite(Arch::pte_present(word), wide(word), u64{0});
  });
  static constexpr auto ptep_get_and_clear = step("ptep_get_and_clear", [](auto& s, auto& r, Ctx x) {
    r.old = hw::xchg_entry(s.pte[x.i], by_other, u64{0});
  });
  static constexpr auto pte_accessible = step("pte_accessible", [](auto& s, auto& r, Ctx x) {
    const auto pending = s.mm.flush_pending && x.knob(KnobId::pte_accessible) == 0;
    r.accessible = Arch::pte_accessible(load(r.old), pending);
  });
  /// Whoever stored to an entry has released the PTL since, and this PE has acquired it: those stores are
  /// ordered before this barrier, and so before its TLBI, as are its own (Arm ARM B2.3, ordered-before is
  /// transitive). Of a CONT block that matters: a walk for a page may use another page's descriptor.
  static constexpr auto dsb_ishst = step("dsb_ishst", [](auto& s, auto&, Ctx x) {
    const bool all = x.knob(KnobId::dsb_ishst) == 0;
    for (u64 v = 0; v < B::pages; ++v) {
      hw::publish(s.pte[v], by_other);
      if (all) hw::publish(s.pte[v], by_call);
    }
  });
  static constexpr auto set_tlb_ubc_flush_pending = block(
      "set_tlb_ubc_flush_pending", dsb_ishst,
      step("tlbi_vale1is_nosync", [](auto&, auto& r, Ctx x) { hw::post<Arch>(r.posted, 0, V::one(x.i), x); }),
      step("inc_tlb_flush_batched", [](auto& s, auto& r) {
        s.mm.batched = true;
        r.flush_required = true;
        r.writable = r.writable || Arch::pte_dirty(load(r.old));
      }));
  static constexpr auto folio_mark_dirty = step("folio_mark_dirty", [](auto& s, auto& r) {
    r.dirty = true;
    s.ghost.found = true;
  });
  static constexpr auto swap_duplicate =
      choose<2>("swap_duplicate", always_on, [](auto&, auto& r, Ctx x) { r.fails = x.k == 1; });
  static constexpr auto set_swap_pte = step("set_pte_at", [](auto& s, auto& r, Ctx x) {
    hw::store_entry(s.pte[x.i], by_other, Arch::swap_entry);
    const auto mine = s.ghost.watched == x.i;
    s.ghost.unmapped = s.ghost.unmapped || mine;
    s.ghost.granted = s.ghost.granted && !mine;
    r.old = 0;
    r.accessible = false;
  });
  static constexpr auto forget = compute("walk_abort", [](auto& r) {
    r.old = 0;
    r.accessible = false;
  });

  static bool may_fail(const Ctx& x) { return x.knob(KnobId::reclaims) == may_abort; }
  static constexpr auto one_page =
      block("", C::unfold, ptep_get_and_clear, pte_accessible,
            if_([](const auto& r) { return load(r.accessible); }, set_tlb_ubc_flush_pending),
            if_([](const auto& r) { return Arch::pte_dirty(load(r.old)); }, folio_mark_dirty),
            if_([](const auto&, const Ctx& x) { return may_fail(x); }, swap_duplicate),
            if_([](const auto& r) { return load(r.fails); }, block("set_pte_at", C::set_ptes), forget),
            if_([](const auto& r) { return !r.fails; }, set_swap_pte));
  static constexpr auto try_to_unmap_one =
      block("try_to_unmap_one", C::lock,
            loop<By::page>(if_([](const auto& r) { return !r.fails; }, check_pte,
                               if_([](const auto& r) { return r.raw != 0u; }, one_page))),
            step("pte_unmap_unlock", [](auto& s, auto& r) {
              s.mm.ptl_held = false;
              r.page = 0;
              r.batch = 0;
            }));

  // ---- afterwards ----
  static constexpr auto try_to_unmap_flush(const char* name) {
    return block(name, Waits::dsb_ish, compute("clear_tlb_ubc", [](auto& r) {
                   r.flush_required = false;
                   r.writable = false;
                 }));
  }
  /// Swap gets the content as of this step; what is stored from here on must be found again.
  static constexpr auto pageout = step("pageout", [](auto& s, auto& r) {
    r.dirty = false;
    s.ghost.found = false;
    s.ghost.stored = false;
  });
  /// It fails if somebody else has a reference, as has the fault that waits for the folio lock.
  static constexpr auto remove_mapping = step(
      "__remove_mapping", [](auto&, auto& r, Ctx x) { r.keeps = x.knob(KnobId::reclaims) == keeps_all; });
  /// What was stored since pageout is in no other place. Until then, out of the swap cache, nobody finds it:
  /// as if it were locked.
  static constexpr auto free_unref_folios = step("free_unref_folios", [](auto& s) {
    s.mm.folio_locked = false;
    s.ghost.gone = true;
    s.ghost.lost = s.ghost.lost || s.ghost.stored;
    s.ghost.stored = false;
    s.ghost.found = false;
  });

  static constexpr auto stays = [](const auto& r) { return r.fails || r.keeps; };
  static constexpr auto unmapped_all = [](const auto& r) { return !r.fails; };
  static constexpr auto sequence_ = sequence(
      "reclaim", registers, folio_trylock, try_to_unmap_one,
      if_(unmapped_all,
          if_([](const auto& r) { return load(r.dirty); },
              if_([](const auto& r) { return load(r.writable); },
                  try_to_unmap_flush("try_to_unmap_flush_dirty")),
              pageout),
          remove_mapping),
      if_(stays, step("folio_unlock", [](auto& s) { s.mm.folio_locked = false; })),
      if_([](const auto& r) { return load(r.flush_required); }, try_to_unmap_flush("try_to_unmap_flush")),
      if_([](const auto& r) { return !r.fails && !r.keeps; }, free_unref_folios),
      compute("folio_putback_lru", [](auto& r) {
        r.fails = false;
        r.keeps = false;
      }));
};

/// A read fault on a swap entry. The mapping is writable and the pages are exclusive.
template <class B>
struct SwapIn {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  using C = Convert<B, by_call>;
  static constexpr auto registers = [](auto& s, u64) -> decltype(auto) { return (s.swapin); };
  static auto swapped(const auto& s, u64 v) { return V::pte(s, v) == Arch::swap_entry; }
  static auto all_swapped(const auto& s) {
    return for_all<B::pages>([&](u64 v) { return swapped(s, v); });
  }

  /// The folio lock, then the PTL: who changes swap entries of the folio has the one, so that nothing comes
  /// in between.
  static constexpr auto lock = choose<B::pages>(
      "do_swap_page",
      [](const auto& s, const auto&, Ctx x) {
        const auto free = !s.mm.writer && !s.mm.ptl_held && !s.mm.folio_locked;
        return free && swapped(s, x.k) && (x.k == 0 || !all_swapped(s));
      },
      [](auto& s, auto& r, Ctx x) {
        const auto all = all_swapped(s);
        s.mm.ptl_held = true;
        s.mm.folio_locked = true;
        s.mm.reader = true;
        r.page = x.k;
        r.batch = ite(all, u64{B::pages}, x.k + 1);
        r.old = Arch::pte_mkwrite(Arch::pfn_pte(x.k, Arch::page_shared));
        const auto mine = V::watches(s, V::span(load(r.page), load(r.batch)));
        s.ghost.gone = s.ghost.gone && !mine;
        s.ghost.unmapped = s.ghost.unmapped && !mine;
      });

  static constexpr auto sequence_ =
      sequence("swapin", registers, lock, C::set_ptes, step("pte_unmap_unlock", [](auto& s, auto& r) {
                 s.mm.ptl_held = false;
                 s.mm.folio_locked = false;
                 s.mm.reader = false;
                 r.page = 0;
                 r.batch = 0;
                 r.old = 0;
               }));
};

}  // namespace ptmc::contpte
