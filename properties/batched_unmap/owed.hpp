// SPDX-License-Identifier: GPL-2.0
// The vocabulary of seed 004's invariant: who owes the flush that covers a TLB entry, and what pins its
// frame.
//
// An entry is legal if the page table backs it, or if a named actor still owes a flush that covers it and the
// frame is pinned until then. "Owes" is a matter of positions: the entry was taken from the table, the flush
// is not over.
#pragma once
#include "properties/batched_unmap/properties.hpp"

namespace ptmc::batched_unmap {

/// A cached translation, or one that a lagging store still lets a walker cache.
template <class B, class F>
struct Translation {
  B valid;
  F frame;
  B writable, dirty;
};

template <class B>
struct Owed {
  using Arch = typename B::Arch;
  using V = mm::Vocabulary<B>;
  static constexpr bool x86 = Arch::is_x86;

  // ---- where a flush begins to remove entries and where it is over ----
  static constexpr const char* sent = x86 ? "tlb_flush_mmu/send_ipis" : "tlb_flush_mmu/tlbi_vale1is";
  static constexpr const char* over = x86 ? "tlb_flush_mmu/wait_for_acks" : "tlb_flush_mmu/dsb_ish";
  static constexpr const char* drain_sent =
      x86 ? "arch_flush_tlb_batched_pending/send_ipis" : "arch_flush_tlb_batched_pending/tlbi_aside1is";
  static constexpr const char* drain_over =
      x86 ? "arch_flush_tlb_batched_pending/wait_for_acks" : "arch_flush_tlb_batched_pending/dsb_ish";
  static constexpr const char* eager_sent =
      x86 ? "ptep_clear_flush/send_ipis" : "ptep_clear_flush/tlbi_vale1is";
  static constexpr const char* eager_over =
      x86 ? "ptep_clear_flush/wait_for_acks" : "ptep_clear_flush/dsb_ish";
  static constexpr const char* batch_sent = x86 ? "flush_required" : "tlbi_vale1is_nosync";
  // x86: mm->context.tlb_gen is raised before; arm64 has no such step.
  static constexpr const char* raised = x86 ? "tlb_flush_mmu/inc_mm_tlb_gen" : sent;
  static constexpr const char* drain_raised =
      x86 ? "arch_flush_tlb_batched_pending/inc_mm_tlb_gen" : drain_sent;
  static constexpr const char* eager_raised = x86 ? "ptep_clear_flush/inc_mm_tlb_gen" : eager_sent;
  static constexpr const char* batch_raised = x86 ? "set_tlb_ubc_flush_pending/inc_mm_tlb_gen" : batch_sent;

  static auto has(const auto& mask, u64 v) { return (mask & bit(static_cast<unsigned>(v))) != 0u; }
  static auto posted(const auto& r, u64 c, u64 v) { return has(r.posted.pages[0][c], v); }
  static auto maps(const auto& word, const auto& frame) {
    return Arch::pte_present(word) && V::frame_of(word) == frame;
  }
  static auto number(const auto& b) { return ite(b, u64{1}, u64{0}); }

  static auto cached(const auto& s, u64 c, u64 v) {
    auto&& t = s.tlb[c][v];
    return Translation<decltype(load(t.valid)), decltype(load(t.frame))>{load(t.valid), load(t.frame),
                                                                         load(t.writable), load(t.dirty)};
  }

  static auto backs(const auto& word, const auto& t) {
    return Arch::hw_valid(word) && V::frame_of(word) == t.frame &&
           implies(t.writable, Arch::hw_can_store(word));
  }
  /// arm64: the word before a lagging store, as a walk would cache it.
  static auto late(const auto& s, u64 v) {
    const auto before = hw::load_before(s.pte[v]);
    const auto valid = hw::has_before(s.pte[v]) && Arch::hw_cacheable(before, false);
    const auto frame = V::frame_of(before);
    return Translation<decltype(valid), decltype(frame)>{valid, frame, Arch::hw_can_store(before),
                                                         Arch::hw_dirty(before)};
  }

  /// x86: a flush whose tlb_gen is raised reaches the CPU that may go lazy only because that CPU is behind:
  /// an IPI finds it awake, or leaving lazy mode flushes.
  static auto reaches(const auto& s, u64 c) { return !x86 || c + 1 != B::cpus || s.lazy[0].behind; }

  /// Somebody runs change_pte_range on page v and has not yet flushed what it changed, or is about to change
  /// it.
  static auto changer_owes(const auto& s, const auto& w, const char* actor, u64 self, const auto& r,
                           const auto& t, u64 c, u64 v) {
    return (w.in(actor, "ptep_modify_prot_start", sent, v, self) &&
            (reaches(s, c) || w.in(actor, "ptep_modify_prot_start", raised, v, self)) &&
            (has(r.changed, v) || backs(load(r.old), t))) ||
           (w.in(actor, sent, over, v, self) && posted(r, c, v));
  }
  static auto mprotect_owes(const auto& s, const auto& w, const auto& t, u64 c, u64 v) {
    return changer_owes(s, w, "mprotect", 0, s.mprotect, t, c, v);
  }
  static auto a_changer_owes(const auto& s, const auto& w, const auto& t, u64 c, u64 v) {
    return mprotect_owes(s, w, t, c, v) ||
           exists<2>([&](u64 k) { return changer_owes(s, w, "change_prot_numa", k, s.numa[k], t, c, v); });
  }
  /// MADV_DONTNEED took the entry of page v and has not yet flushed it.
  static auto zap_owes(const auto& s, const auto& w, u64 k, u64 c, u64 v) {
    auto&& r = s.zap[k];
    return r.gathered[v] &&
           ((w.in("madvise_dontneed", "ptep_get_and_clear_full", sent, v, k) && has(r.changed, v) &&
             (reaches(s, c) || w.in("madvise_dontneed", "ptep_get_and_clear_full", raised, v, k))) ||
            (w.in("madvise_dontneed", sent, over, v, k) && posted(r, c, v)));
  }
  /// x86 sends the batch's IPIs in try_to_unmap_flush; arm64 has posted its TLBIs long before.
  static auto in_batch_flush(const auto& w, const char* actor) {
    if constexpr (!x86)
      return false;
    else
      return w.in(actor, "try_to_unmap_flush/send_ipis", "try_to_unmap_flush/clear_tlb_ubc");
  }
  static auto in_reclaim_flush(const auto& w) {
    if constexpr (!x86)
      return false;
    else
      return in_batch_flush(w, "reclaim") ||
             w.in("reclaim", "try_to_unmap_flush_dirty/send_ipis", "try_to_unmap_flush_dirty/clear_tlb_ubc");
  }
  /// Reclaim or migration took the entry of page v and has not yet flushed it, as its variant asks for.
  static auto unmapper_owes(const auto& s, const auto& w, const char* actor, const auto& r,
                            const auto& in_flush, const auto& t, u64 c, u64 v) {
    const bool eager = w.config().choice(KnobId::defer) == Defer::eager;
    const auto deciding = w.in(actor, "ptep_get_and_clear", "pte_accessible", v) &&
                          (Arch::hw_valid(load(r.old[v])) || a_changer_owes(s, w, t, c, v));
    const auto before =
        r.accessible && w.in(actor, "pte_accessible", eager ? eager_sent : batch_sent, v) &&
        (reaches(s, c) || w.in(actor, "pte_accessible", eager ? eager_raised : batch_raised, v));
    const auto batched = x86 && !eager && r.flush_required && !in_flush && reaches(s, c);
    return r.old[v] != 0u && (deciding || before || batched || posted(r, c, v));
  }
  static auto reclaim_owes(const auto& s, const auto& w, const auto& t, u64 c, u64 v) {
    return unmapper_owes(s, w, "reclaim", s.reclaim, in_reclaim_flush(w), t, c, v);
  }
  static auto migrate_owes(const auto& s, const auto& w, const auto& t, u64 c, u64 v) {
    return unmapper_owes(s, w, "migrate", s.migrate, in_batch_flush(w, "migrate"), t, c, v);
  }

  // ---- legal entries ----
  /// The page table grants as much.
  static auto backed(const auto& s, const auto& t, u64 v) { return backs(V::pte(s, v), t); }
  /// The frame is held by the mapping, wherever its reference is now.
  static auto mapping_holds(const auto& s, const auto& t, u64 v) {
    const auto old = [&](const auto& r) { return maps(load(r.old), t.frame); };
    return maps(V::pte(s, v), t.frame) || old(s.mprotect) || old(s.numa[0]) || old(s.numa[1]);
  }
  /// A changer or MADV_DONTNEED owes the flush: then tlb_flush_pending is above zero.
  static auto owed_by_gather(const auto& s, const auto& w, const auto& t, u64 c, u64 v) {
    return (a_changer_owes(s, w, t, c, v) && mapping_holds(s, t, v)) ||
           exists<2>([&](u64 k) { return zap_owes(s, w, k, c, v) && s.zap[k].folio[v] == t.frame; });
  }
  static auto owed_by_batch(const auto& s, const auto& w, const auto& t, u64 c, u64 v) {
    return (reclaim_owes(s, w, t, c, v) && s.reclaim.isolated[v] && s.reclaim.folio[v] == t.frame) ||
           (migrate_owes(s, w, t, c, v) && s.migrate.isolated[v] && s.migrate.folio[v] == t.frame);
  }
  /// x86: what a lazy CPU holds is flushed when it wakes.
  static auto asleep(const auto& s, u64 c) { return !V::runs(s, c) && s.lazy[0].behind; }
};

}  // namespace ptmc::batched_unmap
