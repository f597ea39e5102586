// SPDX-License-Identifier: GPL-2.0
// Lemmas of seed 004's invariant about entries and frames: their shape, their rights, who holds which frame,
// dirtiness.
#pragma once
#include "properties/batched_unmap/lemmas_control.hpp"

namespace ptmc::batched_unmap {

template <class B>
struct FrameLemmas {
  using Arch = typename B::Arch;
  using V = mm::Vocabulary<B>;
  using O = Owed<B>;

  static auto each_page(auto claim) { return for_all<B::pages>(claim); }
  /// What a CPU holds, and what its walker may still fetch because a store to the entry lags.
  static auto each_entry(const auto& s, auto claim) {
    return for_all<B::cpus>([&](u64 c) {
      return for_all<B::pages>([&](u64 v) {
        const auto held = implies(load(s.tlb[c][v].valid), claim(O::cached(s, c, v), c, v));
        if constexpr (O::x86)
          return held;
        else
          return held && implies(O::late(s, v).valid, claim(O::late(s, v), c, v));
      });
    });
  }

  /// A leaf that the machine may hold: its frame exists and its bits are those of a user page.
  static auto wellformed(const auto& word) {
    return implies(Arch::pte_present(word), Arch::pte_wellformed(word) && Arch::pte_pfn(word) < B::frames) &&
           implies(Arch::hw_valid(word), Arch::hw_pfn(word) == Arch::pte_pfn(word));
  }
  static auto is_migration_of(const auto& word, const auto& frame) {
    return Migrate<B>::is_migration(word) &&
           Arch::swp_offset_pfn(Arch::pte_to_swp_entry(word)) == wide(frame);
  }
  static constexpr auto entry_shape = lemma("entry_shape", [](const auto& s, const auto& w) {
    return each_page([&](u64 v) {
      const auto word = V::pte(s, v);
      const auto migrating =
          (s.migrate.undo && w.in("migrate", "set_pte_at_migration", "undo/remove_migration_pte", v)) ||
          (!s.migrate.undo && w.in("migrate", "set_pte_at_migration", "move/remove_migration_pte", v));
      return wellformed(word) &&
             (Arch::pte_present(word) || Arch::pte_none(word) || word == Arch::swap_entry ||
              Migrate<B>::is_migration(word)) &&
             implies(Migrate<B>::is_migration(word),
                     migrating && s.migrate.old[v] != 0u && s.migrate.alone[v] &&
                         is_migration_of(word, s.migrate.folio[v]) &&
                         implies(Arch::pte_dirty(load(s.migrate.old[v])),
                                 Arch::is_migration_entry_dirty(Arch::pte_to_swp_entry(word))));
    });
  });
  static constexpr auto old_shape = lemma("old_shape", [](const auto& s, const auto&) {
    return wellformed(load(s.mprotect.old)) &&
           for_all<2>([&](u64 k) { return wellformed(load(s.numa[k].old)); }) && each_page([&](u64 v) {
             return wellformed(load(s.reclaim.old[v])) && wellformed(load(s.migrate.old[v]));
           });
  });
  static auto unmapping(const auto& s, const auto& w, u64 v) {
    return (w.in("reclaim", "ptep_get_and_clear", "set_pte_at_swap", v) && s.reclaim.old[v] != 0u) ||
           (w.in("migrate", "ptep_get_and_clear", "set_pte_at_migration", v) && s.migrate.old[v] != 0u);
  }
  static auto changing(const auto& s, const auto& w, u64 v) {
    return (w.in("mprotect", "ptep_modify_prot_start", "ptep_modify_prot_commit", v) &&
            s.mprotect.old != 0u) ||
           exists<2>([&](u64 k) {
             return w.in("change_prot_numa", "ptep_modify_prot_start", "ptep_modify_prot_commit", v, k) &&
                    s.numa[k].old != 0u;
           });
  }
  /// While a changer or an unmapper holds the lock between its two stores, the entry is none.
  static constexpr auto window = lemma("window", [](const auto& s, const auto& w) {
    return each_page([&](u64 v) {
      return implies(changing(s, w, v) || unmapping(s, w, v), Arch::pte_none(V::pte(s, v)));
    });
  });
  static auto late(const auto& s, u64 v) {
    if constexpr (O::x86)
      return false;
    else
      return O::late(s, v).valid;
  }
  /// What MADV_DONTNEED has discarded stays none until a fault.
  static constexpr auto discarded_is_none = lemma("discarded_is_none", [](const auto& s, const auto& w) {
    return each_page([&](u64 v) {
      return implies(load(s.ghost.discarded[v]), Arch::pte_none(V::pte(s, v)) && !unmapping(s, w, v) &&
                                                     !changing(s, w, v) && !late(s, v));
    });
  });

  // ---- references ----
  /// Holders of the mapping's one reference to frame f: an entry, or whoever took it out of the table.
  static auto mapping_refs(const auto& s, const auto& w, u64 f) {
    auto n = O::number(s.mprotect.old != 0u && V::frame_of(load(s.mprotect.old)) == f);
    for (u64 k = 0; k < 2; ++k)
      n = n + O::number(s.numa[k].old != 0u && V::frame_of(load(s.numa[k].old)) == f);
    for (u64 v = 0; v < B::pages; ++v) {
      n = n + O::number(O::maps(V::pte(s, v), f));
      n = n + O::number(w.in("reclaim", "ptep_get_and_clear", "set_pte_at_swap", v) &&
                        s.reclaim.old[v] != 0u && s.reclaim.folio[v] == f);
      n = n + O::number(w.in("migrate", "ptep_get_and_clear", "set_pte_at_migration", v) &&
                        s.migrate.old[v] != 0u && s.migrate.folio[v] == f);
      for (u64 k = 0; k < 2; ++k) n = n + O::number(s.zap[k].gathered[v] && s.zap[k].folio[v] == f);
    }
    return n;
  }
  static auto isolations(const auto& s, u64 f) {
    auto n = O::number(s.reclaim.isolated[0] && s.reclaim.folio[0] == f) +
             O::number(s.migrate.isolated[0] && s.migrate.folio[0] == f);
    for (u64 v = 1; v < B::pages; ++v)
      n = n + O::number(s.reclaim.isolated[v] && s.reclaim.folio[v] == f) +
          O::number(s.migrate.isolated[v] && s.migrate.folio[v] == f);
    return n;
  }
  static auto destinations(const auto& s, const auto& w, u64 f) {
    auto n = O::number(w.in("migrate", "folio_copy", "put_dst", 0) && s.migrate.dst == f &&
                       s.migrate.old[0] != 0u && !s.migrate.undo);
    for (u64 v = 1; v < B::pages; ++v)
      n = n + O::number(w.in("migrate", "folio_copy", "put_dst", v) && s.migrate.dst == f &&
                        s.migrate.old[v] != 0u && !s.migrate.undo);
    return n;
  }
  static constexpr auto references = lemma("references", [](const auto& s, const auto& w) {
    return for_all<B::frames>([&](u64 f) {
      const auto mapped = mapping_refs(s, w, f), isolated = isolations(s, f), made = destinations(s, w, f);
      return wide(load(s.frame[f].refs)) == mapped + isolated + made && mapped <= 1u &&
             isolated + made <= 1u && s.frame[f].isolated == (isolated + made == 1u) &&
             implies(load(s.frame[f].foreign), s.frame[f].refs == 0u) &&
             implies(s.frame[f].refs == 0u, !s.frame[f].dirty) &&
             implies(V::is_free(s.frame[f]), !s.frame[f].unsaved);
    });
  });

  /// The destination is known to nobody else: it is not mapped yet, or never will be.
  static auto made_only(const auto& s, const auto& w, u64 v) {
    return s.migrate.old[v] != 0u && !s.migrate.undo &&
           (w.in("migrate", "folio_copy", "move/remove_migration_pte", v) ||
            (w.in("migrate", "folio_copy", "put_dst", v) && !s.migrate.alone[v]));
  }
  /// A page that was unmapped is not mapped again: reclaim and migration hold the last reference.
  static constexpr auto unmapped_stays = lemma("unmapped_stays", [](const auto& s, const auto& w) {
    return each_page([&](u64 v) {
      const auto alone = [&](const auto& r) { return at(s.frame, load(r.folio[v])).refs == 1u; };
      const auto away =
          w.in("migrate", "set_pte_at_migration", "undo/remove_migration_pte", v) || !s.migrate.undo;
      return implies(s.reclaim.old[v] != 0u && w.in("reclaim", "set_pte_at_swap", "free_folio", v),
                     alone(s.reclaim)) &&
             implies(s.migrate.old[v] != 0u && away && w.in("migrate", "set_pte_at_migration", "putback", v),
                     alone(s.migrate)) &&
             implies(made_only(s, w, v), at(s.frame, load(s.migrate.dst)).refs == 1u);
    });
  });

  // ---- rights ----
  /// mprotect runs and has not yet taken the right from page v.
  static auto not_yet(const auto& w, u64 v) {
    return w.in("mprotect", "vma_set_page_prot", "ptep_modify_prot_start", v);
  }
  static auto can_write(const auto& word) {
    return Arch::pte_present(word) && (Arch::pte_write(word) || Arch::hw_can_store(word));
  }
  static constexpr auto no_more_than_vma = lemma("no_more_than_vma", [](const auto& s, const auto& w) {
    return each_page([&](u64 v) {
      const auto word = V::pte(s, v);
      const auto writable_later =
          Migrate<B>::is_migration(word) && Arch::is_writable_migration_entry(Arch::pte_to_swp_entry(word));
      const auto softleaf_to_come = w.in("mprotect", "vma_set_page_prot", "change_migration_entry", v);
      const auto taken = [&](const char* actor, const auto& r, const char* install, auto right) {
        return w.in(actor, "ptep_get_and_clear", install, v) && r.old[v] != 0u && right(load(r.old[v]));
      };
      const auto anywhere = [&](auto right) {
        return right(word) || taken("reclaim", s.reclaim, "set_pte_at_swap", right) ||
               taken("migrate", s.migrate, "set_pte_at_migration", right);
      };
      const auto write = [](const auto& x) { return can_write(x); };
      const auto valid = [](const auto& x) { return Arch::hw_valid(x); };
      return implies(s.mm.prot != u64{mm::prot_write},
                     implies(anywhere(write), not_yet(w, v)) && implies(writable_later, softleaf_to_come)) &&
             implies(s.mm.prot == u64{mm::prot_none}, implies(anywhere(valid), not_yet(w, v)));
    });
  });

  // ---- dirtiness ----
  /// A word that still maps frame f, or did when it was taken out, says dirty.
  static auto dirty_word(const auto& word, const auto& frame) {
    return O::maps(word, frame) && Arch::pte_dirty(word);
  }
  static auto dirty_holder(const auto& s, const auto& w, const auto& frame) {
    return dirty_word(load(s.mprotect.old), frame) ||
           exists<2>([&](u64 k) { return dirty_word(load(s.numa[k].old), frame); }) ||
           exists<B::pages>([&](u64 v) {
             return dirty_word(V::pte(s, v), frame) ||
                    (w.in("reclaim", "ptep_get_and_clear", "folio_mark_dirty", v) &&
                     dirty_word(load(s.reclaim.old[v]), frame)) ||
                    (w.in("migrate", "ptep_get_and_clear", "folio_mark_dirty", v) &&
                     dirty_word(load(s.migrate.old[v]), frame));
           });
  }
  static auto discarded_holder(const auto& s, const auto& frame) {
    return exists<2>([&](u64 k) {
      return exists<B::pages>([&](u64 v) { return s.zap[k].gathered[v] && s.zap[k].folio[v] == frame; });
    });
  }
  /// Somebody would miss the content of frame f: it is mapped, or one actor alone has it.
  static auto wanted(const auto& s, const auto& w, const auto& frame) {
    return O::maps(load(s.mprotect.old), frame) ||
           exists<2>([&](u64 k) { return O::maps(load(s.numa[k].old), frame); }) ||
           exists<B::pages>([&](u64 v) {
             const auto has = [&](const auto& r) { return r.alone[v] && r.folio[v] == frame; };
             const auto made = w.in("migrate", "folio_copy", "move/remove_migration_pte", v) &&
                               s.migrate.dst == frame && s.migrate.alone[v];
             return O::maps(V::pte(s, v), frame) || has(s.reclaim) || has(s.migrate) || made;
           });
  }
  static constexpr auto unsaved_is_dirty = lemma("unsaved_is_dirty", [](const auto& s, const auto& w) {
    return for_all<B::frames>([&](u64 f) {
      const auto frame = s.frame[f].refs * 0u + f;
      return implies(s.frame[f].unsaved && s.frame[f].refs != 0u && wanted(s, w, frame),
                     s.frame[f].dirty || dirty_holder(s, w, frame));
    });
  });
  static constexpr auto alone_is_old = lemma("alone_is_old", [](const auto& s, const auto& w) {
    return each_page([&](u64 v) {
      return implies(load(s.reclaim.alone[v]), s.reclaim.old[v] != 0u) &&
             implies(load(s.migrate.alone[v]), s.migrate.old[v] != 0u) &&
             implies(
                 w.in("migrate", "ptep_get_and_clear", "set_pte_at_migration", v) && s.migrate.old[v] != 0u,
                 load(s.migrate.alone[v])) &&
             implies(w.in("reclaim", "ptep_get_and_clear", "set_pte_at_swap", v) && s.reclaim.old[v] != 0u,
                     load(s.reclaim.alone[v]));
    });
  });

  /// A store through a dirty entry needs no walk: wherever its page went, somebody knows that it is dirty.
  static constexpr auto dirty_entry = lemma("dirty_entry", [](const auto& s, const auto&) {
    return each_entry(s, [&](const auto& t, u64 c, u64 v) {
      const auto taken = [&](const auto& r) {
        return r.old[v] != 0u && r.folio[v] == t.frame && Arch::pte_dirty(load(r.old[v]));
      };
      const auto pte = V::pte(s, v), mprotect = load(s.mprotect.old), numa = load(s.numa[0].old),
                 numa_1 = load(s.numa[1].old);
      const auto dirty_if_mapped = [&](const auto& word) {
        return implies(O::maps(word, t.frame), Arch::pte_dirty(word));
      };
      return implies(t.writable && t.dirty && !O::asleep(s, c),
                     dirty_if_mapped(pte) && dirty_if_mapped(mprotect) && dirty_if_mapped(numa) &&
                         dirty_if_mapped(numa_1) &&
                         (O::mapping_holds(s, t, v) || taken(s.reclaim) || taken(s.migrate) ||
                          discarded_holder(s, t.frame)));
    });
  });
  /// Reclaim of page v: what is dirty is known, then flushed, then written, and never stored to again.
  static constexpr auto saved_before_free = lemma("saved_before_free", [](const auto& s, const auto& w) {
    auto&& r = s.reclaim;
    const auto quiet =
        !r.flush_required && for_all<B::cpus>([&](u64 c) { return r.posted.pages[0][c] == 0u; });
    return each_page([&](u64 v) {
      const auto taken = r.old[v] != 0u, dirty = taken && Arch::pte_dirty(load(r.old[v]));
      const auto clean = (w.in("reclaim", "folio_test_dirty", "remove_mapping", v) && !r.dirty) ||
                         w.in("reclaim", "remove_mapping", "free_folio", v);
      return implies(dirty && w.in("reclaim", "folio_mark_dirty", "pageout", v),
                     load(at(s.frame, load(r.folio[v])).dirty)) &&
             implies(dirty && w.in("reclaim", "folio_test_dirty", "pageout", v), load(r.dirty)) &&
             implies(dirty && r.flush_required &&
                         !w.in("reclaim", "ptep_get_and_clear", "inc_tlb_flush_batched", v),
                     load(r.writable)) &&
             implies(dirty && (w.in("reclaim", "try_to_unmap_flush_dirty/clear_tlb_ubc", "free_folio", v)),
                     quiet) &&
             implies(r.alone[v] && clean, !at(s.frame, load(r.folio[v])).unsaved);
    });
  });
  /// Migration of page v: what is dirty stays known until the copy, and after it the old frame gets no store.
  static constexpr auto copied_before_put = lemma("copied_before_put", [](const auto& s, const auto& w) {
    auto&& r = s.migrate;
    return each_page([&](u64 v) {
      const auto dirty = r.old[v] != 0u && Arch::pte_dirty(load(r.old[v]));
      const auto known = (r.undo && w.in("migrate", "folio_mark_dirty", "putback", v)) ||
                         w.in("migrate", "folio_mark_dirty", "folio_copy", v);
      return implies(dirty && known, load(at(s.frame, load(r.folio[v])).dirty)) &&
             implies(r.alone[v] && !r.undo && w.in("migrate", "folio_copy", "putback", v),
                     !at(s.frame, load(r.folio[v])).unsaved) &&
             implies(r.alone[v] && r.undo,
                     w.in("migrate", "ptep_get_and_clear", "undo/remove_migration_pte", v));
    });
  });
};

}  // namespace ptmc::batched_unmap
