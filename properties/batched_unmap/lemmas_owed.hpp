// SPDX-License-Identifier: GPL-2.0
// The heart of seed 004's invariant: every TLB entry is backed by its PTE, or a named actor owes its flush.
#pragma once
#include "properties/batched_unmap/lemmas_frames.hpp"

namespace ptmc::batched_unmap {

template <class B>
struct OwedLemmas {
  using Arch = typename B::Arch;
  using V = mm::Vocabulary<B>;
  using O = Owed<B>;
  using F = FrameLemmas<B>;

  static auto legal(const auto& s, const auto& w, const auto& t, u64 c, u64 v) {
    return O::backed(s, t, v) || O::owed_by_gather(s, w, t, c, v) || O::owed_by_batch(s, w, t, c, v) ||
           O::asleep(s, c);
  }
  static constexpr auto owed = lemma("owed", [](const auto& s, const auto& w) {
    return F::each_entry(
        s, [&](const auto& t, u64 c, u64 v) { return t.frame < B::frames && legal(s, w, t, c, v); });
  });

  static auto late_is_owned(const auto& s, const auto& w, u64 v) {
    const auto late = O::late(s, v);
    const auto by = [&](u64 who) { return s.pte[v].lagging == bit(static_cast<unsigned>(who)); };
    const auto unmaps = [&](const char* actor, const auto& r) {
      const bool eager = w.config().choice(KnobId::defer) == Defer::eager;
      const char* dsb = eager ? "ptep_clear_flush/dsb_ishst" : "set_tlb_ubc_flush_pending/dsb_ishst";
      return w.in(actor, "ptep_get_and_clear", dsb, v) && Arch::pte_none(V::pte(s, v)) &&
             hw::load_before(s.pte[v]) == load(r.old[v]);
    };
    const auto changes = [&](const char* actor, u64 self, const auto& r) {
      return w.in(actor, "ptep_modify_prot_start", "tlb_flush_mmu/dsb_ishst", v, self) &&
             O::mapping_holds(s, late, v) && (O::has(r.changed, v) || O::backs(load(r.old), late));
    };
    const auto zaps = [&](u64 k) {
      return w.in("madvise_dontneed", "ptep_get_and_clear_full", "tlb_flush_mmu/dsb_ishst", v, k) &&
             s.zap[k].gathered[v] && s.zap[k].folio[v] == late.frame;
    };
    const auto owned = (by(mm::by_reclaim) && unmaps("reclaim", s.reclaim)) ||
                       (by(mm::by_migrate) && unmaps("migrate", s.migrate)) ||
                       (by(mm::by_mprotect) && changes("mprotect", 0, s.mprotect)) || exists<2>([&](u64 k) {
                         return (by(mm::by_numa + k) && changes("change_prot_numa", k, s.numa[k])) ||
                                (by(mm::by_zap + k) && zaps(k));
                       });
    const auto one_issuer = (s.pte[v].lagging & (s.pte[v].lagging - 1u)) == 0u;
    return one_issuer &&
           implies(late.valid,
                   F::wellformed(hw::load_before(s.pte[v])) &&
                       ((O::backed(s, late, v) && !by(mm::by_reclaim) && !by(mm::by_migrate)) || owned));
  }
  /// arm64: a store that takes a right away lags only until its issuer's DSB ISHST, which comes before its
  /// flush.
  static constexpr auto late_owner = lemma("late_owner", [](const auto& s, const auto& w) {
    return F::each_page([&](u64 v) {
      if constexpr (O::x86)
        return s.ptl[v] == s.ptl[v];
      else
        return late_is_owned(s, w, v);
    });
  });
  /// facts mremap/D6 I4, the lemma of seed 004.
  static constexpr auto protnone_is_pending = lemma("protnone_is_pending", [](const auto& s, const auto&) {
    return F::each_entry(s, [&](const auto&, u64 c, u64 v) {
      return implies(Arch::pte_protnone(V::pte(s, v)) && !O::asleep(s, c), s.mm.flush_pending != 0u);
    });
  });

  /// mprotect takes rights away in the table before it flushes, and returns when it has flushed.
  static constexpr auto revoked = lemma("revoked", [](const auto& s, const auto& w) {
    return F::each_entry(s, [&](const auto& t, u64 c, u64 v) {
      const auto in_progress = F::not_yet(w, v) || O::mprotect_owes(s, w, t, c, v) || O::asleep(s, c);
      return implies(s.mm.prot != u64{mm::prot_write} && t.writable, in_progress) &&
             implies(s.mm.prot == u64{mm::prot_none}, in_progress);
    });
  });

  /// Seed 004: where the flush is skipped, it would have removed no entry but those that another flush
  /// covers, which somebody still owes.
  static constexpr auto skip = lemma("skip", [](const auto& s, const auto& w) {
    return F::each_entry(s, [&](const auto& t, u64 c, u64 v) {
      const auto skips = [&](const char* actor, const auto& r) {
        return w.in(actor, "ptep_get_and_clear", "pte_accessible", v) && r.old[v] != 0u &&
               r.folio[v] == t.frame && !Arch::pte_accessible(load(r.old[v]), s.mm.flush_pending != 0u);
      };
      return implies(skips("reclaim", s.reclaim) || skips("migrate", s.migrate),
                     O::owed_by_gather(s, w, t, c, v) || O::asleep(s, c));
    });
  });

  // ---- the batch and its drain ----
  /// Only a batch covers this entry.
  static auto batch_only(const auto& s, const auto& w, const auto& t, u64 c, u64 v) {
    return !O::backed(s, t, v) && !O::owed_by_gather(s, w, t, c, v) && !O::asleep(s, c);
  }
  static auto eager_flush(const auto& w, const char* actor, u64 v) {
    return w.in(actor, "inc_tlb_flush_batched", O::eager_over, v) &&
           w.config().choice(KnobId::defer) == Defer::eager;
  }
  /// The unmapper that owes this flush has counted its batch.
  static auto counted(const auto& s, const auto& w, const auto& t, u64 v) {
    const auto done = [&](const char* actor, const auto& r) {
      return r.old[v] != 0u && r.isolated[v] && r.folio[v] == t.frame &&
             !w.in(actor, "ptep_get_and_clear", "inc_tlb_flush_batched", v) && !eager_flush(w, actor, v);
    };
    return done("reclaim", s.reclaim) || done("migrate", s.migrate);
  }
  /// Somebody who drains holds the lock of page v: how far the drain has come.
  static auto drain_state(const auto& s, const auto& w, const char* actor, u64 self, const auto& r,
                          const auto& open, u64 c, u64 v) {
    return implies(w.in(actor, "pte_offset_map_lock", O::drain_sent, v, self), open) &&
           implies(w.in(actor, O::drain_raised, O::drain_sent, v, self), O::reaches(s, c)) &&
           implies(w.in(actor, O::drain_sent, O::drain_over, v, self), O::posted(r, c, v)) &&
           !w.in(actor, O::drain_over, "pte_unmap_unlock", v, self);
  }
  static constexpr auto drain = lemma("drain", [](const auto& s, const auto& w) {
    return F::each_entry(s, [&](const auto& t, u64 c, u64 v) {
      const auto open = s.mm.pending != s.mm.flushed;
      const auto drainer = u64{mm::by_aging + 1} < s.ptl[v];
      const auto all = drain_state(s, w, "mprotect", 0, s.mprotect, open, c, v) && for_all<2>([&](u64 k) {
                         return drain_state(s, w, "change_prot_numa", k, s.numa[k], open, c, v) &&
                                drain_state(s, w, "madvise_dontneed", k, s.zap[k], open, c, v);
                       });
      return implies(batch_only(s, w, t, c, v) && counted(s, w, t, v), all && (drainer || open));
    });
  });
  /// While the lock is held, the word that the drain has read is the one it will compare with.
  static auto batch_read(const auto& s, const auto& w, const char* actor, u64 self, const auto& r) {
    return implies(w.in(actor, "read_batched", "cmpxchg_batched", 0, self) && B::pages == 1,
                   (r.batch_pending == s.mm.pending && r.batch_flushed == s.mm.flushed) ||
                       r.batch_pending == r.batch_flushed);
  }
  static constexpr auto protnone_is_drained = lemma("protnone_is_drained", [](const auto& s, const auto& w) {
    return F::each_entry(s, [&](const auto& t, u64 c, u64 v) {
      return implies(
          batch_only(s, w, t, c, v) && Arch::pte_protnone(V::pte(s, v)),
          w.in("mprotect", "vma_set_page_prot", O::drain_over, v) || O::mprotect_owes(s, w, t, c, v));
    });
  });

  // ---- MADV_DONTNEED ----
  /// Frames in a gather are given back when no CPU has them cached any more.
  static constexpr auto gathered_is_flushed = lemma("gathered_is_flushed", [](const auto& s, const auto& w) {
    return F::each_entry(s, [&](const auto& t, u64 c, u64 v) {
      return O::asleep(s, c) || for_all<2>([&](u64 k) {
               const auto mine = s.zap[k].gathered[v] && s.zap[k].folio[v] == t.frame;
               return implies(mine && w.in("madvise_dontneed", O::raised, O::sent, v, k), O::reaches(s, c)) &&
                      implies(mine && w.in("madvise_dontneed", O::sent, O::over, v, k),
                              O::posted(s.zap[k], c, v)) &&
                      !(mine && w.in("madvise_dontneed", O::over, "free_pages_and_swap_cache", v, k));
             });
    });
  });
  /// From its clearing of page v on, and unless a fault brings the page back: what is cached is on its way
  /// out.
  static constexpr auto discard = lemma("discard", [](const auto& s, const auto& w) {
    const auto returned =
        F::each_entry(s, [&](const auto&, u64 c, u64 v) { return !s.ghost.discarded[v] || O::asleep(s, c); });
    return returned && for_all<2>([&](u64 k) {
             auto&& r = s.zap[k];
             const auto at_stage = [&](const char* from, const char* to, u64 v) {
               return w.in("madvise_dontneed", from, to, v, k) && !r.touched[v];
             };
             return F::each_page([&](u64 v) {
                      return implies(
                          at_stage("ptep_get_and_clear_full", "mmap_read_unlock", v),
                          Arch::pte_none(V::pte(s, v)) && !F::unmapping(s, w, v) && !F::changing(s, w, v));
                    }) &&
                    F::each_page([&](u64 v) {
                      if constexpr (O::x86)
                        return s.ptl[v] == s.ptl[v];
                      else {
                        const auto mine = s.pte[v].lagging == bit(static_cast<unsigned>(mm::by_zap + k));
                        return implies(
                            F::late(s, v) && at_stage("ptep_get_and_clear_full", "mmap_read_unlock", v),
                            mine && !at_stage("tlb_flush_mmu/dsb_ishst", "mmap_read_unlock", v));
                      }
                    }) &&
                    F::each_entry(s, [&](const auto& t, u64 c, u64 v) {
                      return O::asleep(s, c) ||
                             (implies(at_stage("ptep_get_and_clear_full", "mm_tlb_flush_nested", v),
                                      O::owed_by_gather(s, w, t, c, v)) &&
                              implies(at_stage("mm_tlb_flush_nested", O::sent, v), O::has(r.changed, v)) &&
                              implies(at_stage(O::raised, O::sent, v), O::reaches(s, c)) &&
                              implies(at_stage(O::sent, O::over, v), O::posted(r, c, v)) &&
                              !at_stage(O::over, "mmap_read_unlock", v));
                    });
           });
  });
};

}  // namespace ptmc::batched_unmap
