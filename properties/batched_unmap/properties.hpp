// What observers of seed 004's machine must never see, and what must be reachable for the claims to mean
// something.
//
// Observers: the user CPUs through what their TLBs grant, other owners of frames, and callers of mprotect,
// MADV_DONTNEED and migration when they return. None reads a field that a guard of the code under test reads.
#pragma once
#include "model/opt/batched_unmap/machine.hpp"

namespace ptmc::batched_unmap {

template <class B>
struct Properties {
  using Arch = typename B::Arch;
  using V = mm::Vocabulary<B>;

  static auto each_entry(const auto& s, auto claim) {
    return for_all<B::cpus>([&](u64 c) {
      return for_all<B::pages>([&](u64 v) {
        auto&& t = s.tlb[c][v];
        return implies(t.valid && V::runs(s, c), claim(t, v));
      });
    });
  }
  static auto each_page(auto claim) { return for_all<B::pages>(claim); }

  static constexpr auto stale =
      always("stale", "no CPU can use a right that mprotect or MADV_DONTNEED has taken away and returned",
             [](const auto& s) {
               const auto revoked_write = !s.ghost.unsettled && s.mm.prot != u64{mm::prot_write};
               const auto revoked_all = !s.ghost.unsettled && s.mm.prot == u64{mm::prot_none};
               return each_entry(s, [&](const auto& t, u64 v) {
                 return !(revoked_write && t.writable) && !revoked_all && !s.ghost.discarded[v];
               });
             });
  static constexpr auto excess =
      always("excess", "no entry grants more than its VMA, but while mprotect runs", [](const auto& s) {
        return each_page([&](u64 v) {
          const auto word = V::pte(s, v);
          return implies(!s.ghost.unsettled,
                         implies(Arch::hw_can_store(word), s.mm.prot == u64{mm::prot_write}) &&
                             implies(Arch::hw_valid(word), s.mm.prot != u64{mm::prot_none}));
        });
      });
  static constexpr auto reach =
      always("reach", "no CPU can reach a frame that is free or somebody else's", [](const auto& s) {
        return each_entry(s, [&](const auto& t, u64) { return at(s.frame, t.frame).refs != 0u; });
      });
  static constexpr auto lost =
      always("lost", "no frame is given up with a store that neither swap nor a copy has",
             [](const auto& s) { return !s.ghost.lost; });
  static constexpr auto done = always(
      "done",
      "a call that has returned has done its work: pages discarded, rights set, no migration entry left",
      [](const auto& s) {
        return each_page([&](u64 v) {
          const auto word = V::pte(s, v);
          return implies(s.ghost.discarded[v], Arch::pte_none(word)) &&
                 implies(!s.ghost.migrating, !Migrate<B>::is_migration(word));
        });
      });
  /// facts mremap/H1, expected to fail: a page may be read in its old state after a new one was written
  /// elsewhere.
  static constexpr auto coherent =
      always("coherent", "a CPU that reads a page sees the last store to it", [](const auto& s) {
        return each_entry(s, [&](const auto& t, u64 v) {
          const auto word = V::pte(s, v);
          const auto elsewhere = Arch::hw_valid(word) && V::frame_of(word) != t.frame;
          return !(elsewhere && at(s.frame, V::frame_of(word)).unsaved);
        });
      });

  // ---- covers ----
  static constexpr auto protnone_with_stale_entry =
      sometimes("protnone_stale_seen",
                "reclaim sees a PROT_NONE PTE that a CPU still has cached, with the count above zero",
                [](const auto& s, const auto& w) {
                  return exists<B::pages>([&](u64 v) {
                    const auto cached = exists<B::cpus>([&](u64 c) { return load(s.tlb[c][v].valid); });
                    return w.in("reclaim", "ptep_get_and_clear", "pte_accessible", v) &&
                           Arch::pte_protnone(s.reclaim.old[v]) && cached && s.mm.flush_pending != 0u;
                  });
                });
  static constexpr auto skipped_and_reused = sometimes(
      "skip_then_reuse", "the flush is skipped, the frame freed, owned again and written by its new owner",
      [](const auto& s) {
        return s.reclaim.skipped &&
               exists<B::frames>([&](u64 f) { return s.frame[f].foreign && s.frame[f].unsaved; });
      });
  static constexpr auto undo_to_protnone = sometimes(
      "undo_protnone_owed", "a migration undone installs PROT_NONE while a batch is owed", [](const auto& s) {
        return exists<B::pages>([&](u64 v) {
          const auto word = V::pte(s, v);
          const auto back = Arch::pte_protnone(word) && V::frame_of(word) == s.migrate.folio[v];
          return s.migrate.undo && s.migrate.isolated[v] && s.migrate.old[v] != 0u &&
                 s.migrate.flush_required && back;
        });
      });
  static constexpr auto revoked_but_cached = sometimes(
      "revoked_but_cached", "a CPU holds a right that mprotect has taken from the table and not yet flushed",
      [](const auto& s) {
        return exists<B::pages>([&](u64 v) {
          const auto cached = exists<B::cpus>([&](u64 c) { return load(s.tlb[c][v].writable); });
          return s.ghost.unsettled && s.mm.prot != u64{mm::prot_write} && cached &&
                 !Arch::hw_can_store(V::pte(s, v));
        });
      });
  static constexpr auto frame_freed = sometimes("frame_freed", "the frame of page 0 is free again",
                                                [](const auto& s) { return V::is_free(s.frame[0]); });
  static constexpr auto page_discarded =
      sometimes("page_discarded", "MADV_DONTNEED has returned and nobody touched the page since",
                [](const auto& s) { return load(s.ghost.discarded[0]); });
  static constexpr auto page_migrated = sometimes(
      "page_migrated", "a migration has returned and the page is in another frame", [](const auto& s) {
        return !s.ghost.migrating && Arch::pte_present(V::pte(s, 0)) && V::frame_of(V::pte(s, 0)) == 1u &&
               s.frame[0].refs == 0u;
      });
  static constexpr auto asleep_and_stale = sometimes(
      "asleep_and_stale", "a lazy CPU holds an entry whose frame is no longer ours", [](const auto& s) {
        return exists<B::pages>([&](u64 v) {
          auto&& t = s.tlb[B::cpus - 1][v];
          return s.lazy[0].active && t.valid && at(s.frame, t.frame).refs == 0u;
        });
      });
};

}  // namespace ptmc::batched_unmap
