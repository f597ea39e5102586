// SPDX-License-Identifier: GPL-2.0
// Kernel: mm/rmap.c try_to_unmap_one, try_to_migrate_one, set_tlb_ubc_flush_pending, try_to_unmap_flush
// (6.12). Claim: the part that reclaim and migration share: clear an entry, and flush now, later or (seed
// 004) never. Omitted: page_vma_mapped_walk's read of the entry, folded into the xchg: under the PTL only A
// and D can change
//   between the two, and the walk looks at neither. should_defer_flush is constant true (another CPU runs the
//   mm).
#pragma once
#include "model/mm/flush.hpp"
#include "model/opt/batched_unmap/knobs.hpp"

namespace ptmc::batched_unmap {

/// Registers that this text needs: old[page], alone[page] (ghost: the page's content is with this actor
/// alone: unmapped, not discarded, not put back), accessible, skipped, and the task's tlb_ubc:
/// flush_required, writable, posted.
template <class B, u64 who>
struct UnmapOne {
  using Arch = typename B::Arch;
  using V = mm::Vocabulary<B>;
  using Flush = mm::Flush<B, who>;

  static constexpr auto this_page = [](const auto&, const auto&, const Ctx& x) {
    return bit(static_cast<unsigned>(x.i));
  };
  static constexpr auto all_pages = [](const auto&, const auto&, const Ctx&) { return B::all_pages; };

  static constexpr auto lock =
      step("pte_offset_map_lock", V::ptl_free, [](auto& s, auto&, Ctx x) { s.ptl[x.i] = who + 1; });
  static constexpr auto unlock = step("pte_unmap_unlock", [](auto& s, auto&, Ctx x) { s.ptl[x.i] = 0; });

  /// Takes the folio mapped here off the LRU, with a reference. Choice 1: leaves this page alone (only if
  /// there are several). No PTL: the folio is found on the LRU, not in the table.
  static constexpr auto folio_isolate_lru = choose<2>(
      "folio_isolate_lru",
      [](const auto& s, const auto&, Ctx x) {
        const auto word = V::pte(s, x.i);
        const auto bound =
            s.mm.pending < B::generation_cap || x.knob(KnobId::tlb_flush_batched) != generations;
        const auto taken = Arch::pte_present(word) && !at(s.frame, V::frame_of(word)).isolated && bound;
        return (x.k == 0 && taken) || (x.k == 1 && x.count(By::page) > 1);
      },
      [](auto& s, auto& r, Ctx x) {
        r.skipped = false;
        r.pending_early = x.knob(KnobId::read_pending) == 1 && s.mm.flush_pending != 0u;
        r.isolated[x.i] = x.k == 0;
        const auto frame = V::frame_of(V::pte(s, x.i));
        r.folio[x.i] = ite(x.k == 0, frame, frame & 0u);
        if (x.k != 0) return;
        update(s.frame, frame, [](auto& f) {
          f.isolated = true;
          f.refs = f.refs + 1u;
        });
      });

  static constexpr auto maps_folio = [](const auto& word, const auto& r, const Ctx& x) {
    return Arch::pte_present(word) && V::frame_of(word) == r.folio[x.i];
  };
  static constexpr auto ptep_get_and_clear = step("ptep_get_and_clear", [](auto& s, auto& r, Ctx x) {
    const auto word = V::pte(s, x.i);
    const auto mapped = maps_folio(word, r, x);
    r.old[x.i] = ite(mapped, word, u64{0});
    r.alone[x.i] = r.alone[x.i] || mapped;  // Until put back, also if a mutation clears a second time.
    when(mapped, s, [&](auto& t) { static_cast<void>(hw::xchg_entry(t.pte[x.i], who, u64{0})); });
  });
  /// The two halves of a load and a store in place of the xchg (mutation `split`).
  static constexpr auto get_half = spare("ptep_get_and_clear.load", [](auto& s, auto& r, Ctx x) {
    const auto word = V::pte(s, x.i);
    r.old[x.i] = ite(maps_folio(word, r, x), word, u64{0});
    r.alone[x.i] = r.alone[x.i] || maps_folio(word, r, x);
  });
  static constexpr auto clear_half = spare("ptep_get_and_clear.store", [](auto& s, auto& r, Ctx x) {
    when(r.old[x.i] != 0, s, [&](auto& t) { hw::store_entry(t.pte[x.i], who, u64{0}); });
  });

  /// pte_accessible(mm, old) with its variations; read under the PTL.
  static constexpr auto test_accessible = step("pte_accessible", [](auto& s, auto& r, Ctx x) {
    const auto old = load(r.old[x.i]);
    const bool early = x.knob(KnobId::read_pending) == 1;
    const auto pending = (s.mm.flush_pending != 0u && !early) || (r.pending_early && early);
    r.accessible = Arch::pte_accessible(old, pending && x.knob(KnobId::pte_accessible) == 0);
    if (x.knob(KnobId::pte_accessible_af) == 1) r.accessible = r.accessible && Arch::pte_young(old);
    if (x.knob(KnobId::defer) == batched_always) r.accessible = true;
    r.skipped = !r.accessible;
  });

  /// Knob wrap-at-3: TLB_FLUSH_BATCH_PENDING_MASK is 3 instead of 32767. A batch that finds more pending than
  /// half of it (TLB_FLUSH_BATCH_PENDING_LARGE) sets the word back to 1 pending, 0 flushed.
  static constexpr u64 pending_large = 3 / 2;

  /// The generation of mm->tlb_flush_batched (facts mremap/B7): atomic_inc, or cmpxchg to (1, 0). Its guard
  /// is the assumption "no wrap"; exploration never comes there, since no unmapping begins at generation_cap.
  /// Omitted: the kernel decides by a value read before, so that pending may pass the limit by one a CPU.
  static constexpr auto bump_pending = step(
      "inc_tlb_flush_batched",
      [](const auto& s, const auto&, Ctx x) {
        return s.mm.pending != V::low(B::generation_bits) || x.knob(KnobId::tlb_flush_batched) != generations;
      },
      [](auto& s, auto& r, Ctx x) {
        const auto next = s.mm.pending + u64{1};
        if (x.knob(KnobId::tlb_flush_batched) == generations) s.mm.pending = next;
        if (x.knob(KnobId::tlb_flush_batched) == boolean) s.mm.pending = 1;
        if (x.knob(KnobId::tlb_flush_batched) == wrap_at_3) {
          const auto resets = pending_large < s.mm.pending;
          s.mm.pending = ite(resets, u64{1}, next);
          s.mm.flushed = ite(resets, u64{0}, load(s.mm.flushed));
        }
        r.writable = r.writable || Arch::pte_dirty(r.old[x.i]);
      });
  static constexpr auto set_tlb_ubc_flush_pending() {
    constexpr auto require = compute("flush_required", [](auto& r) { r.flush_required = true; });
    if constexpr (Arch::is_x86)
      return block("set_tlb_ubc_flush_pending", Flush::inc_tlb_gen, require, bump_pending);
    else
      return block("set_tlb_ubc_flush_pending", Flush::dsb_ishst,
                   Flush::tlbi("tlbi_vale1is_nosync", this_page), require, bump_pending);
  }

  static constexpr auto folio_mark_dirty = step("folio_mark_dirty", [](auto& s, auto& r, Ctx x) {
    const auto dirty = Arch::pte_dirty(r.old[x.i]);
    update(s.frame, V::frame_of(r.old[x.i]), [&](auto& f) { f.dirty = f.dirty || dirty; });
  });

  /// clear, flush as the variant says, note dirtiness, store `install` (a step) in its place. PTL held.
  template <class Install>
  static constexpr auto clear_and_install(Install install) {
    constexpr auto defers = [](const auto& r, Ctx x) {
      return r.accessible && x.knob(KnobId::defer) != eager;
    };
    constexpr auto flushes = [](const auto& r, Ctx x) {
      return r.accessible && x.knob(KnobId::defer) == eager;
    };
    return block(
        "", ptep_get_and_clear, get_half, clear_half,
        if_([](const auto& r, Ctx x) { return r.old[x.i] != 0; }, test_accessible,
            if_(defers, set_tlb_ubc_flush_pending()),
            if_(flushes, Flush::range("ptep_clear_flush", this_page)),
            compute("forget_accessible", [](auto& r) { r.accessible = false; }), folio_mark_dirty, install));
  }

  /// try_to_unmap_flush: complete what the batch owes. `name`: its path.
  static constexpr auto try_to_unmap_flush(const char* name) {
    constexpr auto clean = compute("clear_tlb_ubc", [](auto& r) {
      r.flush_required = false;
      r.writable = false;
    });
    if constexpr (Arch::is_x86)
      return block(name, Flush::send_ipis(all_pages), Flush::wait_for_acks, clean);
    else
      return block(name, Flush::dsb_ish, clean);
  }

  /// The mapping's reference goes with the entry.
  static auto drop_mapping(auto& s, auto& r, const Ctx& x) { V::put(s, V::frame_of(r.old[x.i])); }

  /// The isolation's reference goes; with it the frame, unless somebody else holds one.
  static void putback(auto& s, auto& r, const Ctx& x) {
    const auto frame = load(r.folio[x.i]);
    when(r.isolated[x.i], s, [&](auto& t) {
      const auto gone = at(t.frame, frame).refs == 1u && at(t.frame, frame).unsaved;
      t.ghost.lost = t.ghost.lost || (gone && r.alone[x.i]);
      update(t.frame, frame, [](auto& f) { f.isolated = false; });
      V::put(t, frame);
    });
    r.isolated[x.i] = false;
    r.folio[x.i] = 0;
    r.old[x.i] = 0;
    r.alone[x.i] = false;
  }
};

}  // namespace ptmc::batched_unmap
