// SPDX-License-Identifier: GPL-2.0
// Kernel: mm/vmscan.c shrink_folio_list; mm/rmap.c try_to_unmap_one, set_tlb_ubc_flush_pending,
//   try_to_unmap_flush, try_to_unmap_flush_dirty; mm/memory.c do_swap_page (6.12).
// Claim: reclaim unmaps the folio, flushes later, but before it writes to swap, and before the folio is on
//   the LRU again; mprotect meets swap entries whose TLB entries are still there.
// Omitted: freeing (pageout has started I/O, so the folio stays in the swap cache; seed 004's machine frees),
//   other mappings of the folio and page 0's, walks that abort halfway, a fault that writes (it would take
//   the folio out of the swap cache), both counts of tlb_flush_batched: with one page table no batch can grow
//   while it is drained.
#pragma once
#include "model/opt/mprotect/rmap.hpp"

namespace ptmc::mprotect {

template <class B>
struct Reclaim {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  using Words = Decide<Arch>;
  using Flushes = Flush<B, by_rmap>;
  static constexpr auto registers = [](auto& s, u64) -> decltype(auto) { return (s.rmap); };
  static constexpr auto all_pages = [](const auto&) { return B::all_pages; };

  static auto folio_mapped(const auto& s) {
    return exists<B::pages>([&](u64 v) { return Arch::pte_present(V::pte(s, v)); });
  }
  /// folio_trylock of an isolated folio; add_to_swap marks it dirty.
  static constexpr auto folio_trylock = step(
      "folio_trylock", [](const auto& s) { return !s.folio.locked && folio_mapped(s); },
      [](auto& s) {
        s.folio.locked = true;
        s.folio.dirty = s.folio.dirty || !s.folio.swapcache;
        s.folio.swapcache = true;
        s.ghost.evicting = true;
      });

  // ---- try_to_unmap_one: the walk keeps the PTL from one entry to the next ----
  static constexpr auto ptep_get_and_clear = step("ptep_get_and_clear", [](auto& s, auto& r, Ctx x) {
    const auto word = V::pte(s, x.i);
    const auto mapped = Arch::pte_present(word);
    r.old = ite(mapped, word, u64{0});
    when(mapped, s, [&](auto& t) { static_cast<void>(hw::xchg_entry(t.pte[x.i], by_rmap, u64{0})); });
  });
  static constexpr auto pte_accessible = step("pte_accessible", [](auto& s, auto& r, Ctx x) {
    r.accessible =
        Arch::pte_accessible(load(r.old), s.mm.flush_pending && x.knob(KnobId::pte_accessible) == 0);
  });
  static constexpr auto this_page = [](const auto&, const Ctx& x) { return bit(static_cast<unsigned>(x.i)); };
  static constexpr auto inc_tlb_flush_batched = step("inc_tlb_flush_batched", [](auto& s, auto& r) {
    s.mm.batched = true;
    r.flush_required = true;
    r.writable = r.writable || Arch::pte_dirty(load(r.old));
  });
  static constexpr auto set_tlb_ubc_flush_pending() {
    if constexpr (Arch::is_x86)
      return block("set_tlb_ubc_flush_pending", inc_tlb_flush_batched);
    else
      return block("set_tlb_ubc_flush_pending", Flushes::dsb_ishst,
                   Flushes::post("tlbi_vale1is_nosync", this_page), inc_tlb_flush_batched);
  }
  static constexpr auto folio_mark_dirty = step("folio_mark_dirty", [](auto& s) { s.folio.dirty = true; });
  static constexpr auto set_pte_at = step("set_pte_at", [](auto& s, auto& r, Ctx x) {
    const auto bare = V::swap_entry(x.i + 1);
    const auto exclusive = load(s.folio.exclusive[x.i + 1]);
    const auto entry = ite(exclusive, Arch::pte_swp_mkexclusive(bare), bare);
    const auto soft = Arch::pte_soft_dirty(load(r.old));
    hw::store_entry(s.pte[x.i], by_rmap, ite(soft, Arch::pte_swp_mksoft_dirty(entry), entry));
    s.folio.exclusive[x.i + 1] = false;
    r.old = 0;
    r.accessible = false;
  });

  // ---- afterwards ----
  static constexpr auto try_to_unmap_flush(const char* name) {
    constexpr auto clean = compute("clear_tlb_ubc", [](auto& r) {
      r.flush_required = false;
      r.writable = false;
    });
    if constexpr (Arch::is_x86)
      return block(name, Flushes::post("send_ipis", all_pages), Flushes::wait_for_acks, clean);
    else
      return block(name, Flushes::dsb_ish, clean);
  }
  /// Swap gets the content as of this step; what is stored from here on must be found again.
  static constexpr auto pageout = step("pageout", [](auto& s) {
    s.folio.dirty = false;
    for (u64 v = 0; v < B::pages; ++v) s.ghost.stored[v] = false;
  });

  static constexpr auto sequence_ = sequence(
      "reclaim", registers, folio_trylock,
      block("try_to_unmap_one",
            step(
                "pte_offset_map_lock", [](const auto& s) { return !s.mm.ptl_held; },
                [](auto& s) { s.mm.ptl_held = true; }),
            loop<By::page>(
                ptep_get_and_clear,
                if_([](const auto& r) { return r.old != 0; }, pte_accessible,
                    if_([](const auto& r) { return load(r.accessible); }, set_tlb_ubc_flush_pending()),
                    if_([](const auto& r) { return Arch::pte_dirty(load(r.old)); }, folio_mark_dirty),
                    set_pte_at)),
            step("pte_unmap_unlock", [](auto& s) { s.mm.ptl_held = false; })),
      step("folio_test_dirty", [](auto& s, auto& r) { r.dirty = load(s.folio.dirty); }),
      if_([](const auto& r) { return load(r.dirty); },
          if_([](const auto& r) { return load(r.writable); }, try_to_unmap_flush("try_to_unmap_flush_dirty")),
          pageout),
      step("folio_unlock",
           [](auto& s, auto& r) {
             s.folio.locked = false;
             r.dirty = false;
           }),
      if_([](const auto& r) { return load(r.flush_required); }, try_to_unmap_flush("try_to_unmap_flush")),
      step("folio_putback_lru", [](auto& s) { s.ghost.evicting = false; }));

  /// A read fault: maps the page again from the swap cache, writable if it is exclusive. One step: it holds
  /// the mmap lock (or the VMA's) for reading, the folio lock, and the PTL.
  static constexpr auto do_swap_page = ruleset<By::page>(
      "do_swap_page",
      [](const auto& s, u64 v) {
        return !s.mm.writer && !s.mm.ptl_held && !s.folio.locked && s.mm.prot != u64{mm::prot_none} &&
               Arch::is_swap_pte(V::pte(s, v));
      },
      [](auto& s, u64 v, Ctx x) {
        const auto entry = V::pte(s, v);
        const auto vma = V::vma(load(s.mm.prot), x);
        const auto exclusive = Arch::pte_swp_exclusive(entry);
        const auto bare = Arch::pfn_pte(v + 1, Words::page_prot(vma));
        const auto soft = ite(Arch::pte_swp_soft_dirty(entry), Arch::pte_mksoft_dirty(bare), wide(bare));
        const auto writable = exclusive && arch::any(vma.flags, vm::write);
        hw::store_entry(s.pte[v], by_fault, Words::made_writable(vma, soft, writable));
        s.folio.exclusive[v + 1] = exclusive;
      });
};

}  // namespace ptmc::mprotect
