// SPDX-License-Identifier: GPL-2.0
// Bookkeeping lemmas of seed 004's invariant: locks, counters, registers, and who holds which frame.
#pragma once
#include <string_view>

#include "properties/batched_unmap/owed.hpp"

namespace ptmc::batched_unmap {

template <class B>
struct ControlLemmas {
  using Arch = typename B::Arch;
  using V = mm::Vocabulary<B>;
  using O = Owed<B>;

  static auto each_page(auto claim) { return for_all<B::pages>(claim); }

  // ---- positions that several lemmas use ----
  static auto reclaim_locks(const auto& w, u64 v) {
    return w.in("reclaim", "pte_offset_map_lock", "pte_unmap_unlock", v);
  }
  static auto migrate_locks(const auto& w, u64 v) {
    return w.in("migrate", "try_to_migrate_one/pte_offset_map_lock", "try_to_migrate_one/pte_unmap_unlock",
                v) ||
           w.in("migrate", "undo/pte_offset_map_lock", "undo/pte_unmap_unlock", v) ||
           w.in("migrate", "move/pte_offset_map_lock", "move/pte_unmap_unlock", v);
  }
  static auto locks(const auto& w, const char* actor, u64 v, u64 self = 0) {
    return w.in(actor, "pte_offset_map_lock", "pte_unmap_unlock", v, self);
  }
  static auto gathers(const auto& w, const char* actor, u64 self = 0) {
    return w.in(actor, "tlb_gather_mmu", "dec_tlb_flush_pending", 0, self);
  }

  static constexpr auto ptl_owner = lemma("ptl_owner", [](const auto& s, const auto& w) {
    return each_page([&](u64 v) {
      auto owns = [&](u64 who) { return s.ptl[v] == who + 1; };
      return s.ptl[v] <= u64{mm::by_zap_1 + 1} && owns(mm::by_reclaim) == reclaim_locks(w, v) &&
             owns(mm::by_migrate) == migrate_locks(w, v) && owns(mm::by_aging) == locks(w, "aging", v) &&
             owns(mm::by_mprotect) == locks(w, "mprotect", v) &&
             owns(mm::by_numa) == locks(w, "change_prot_numa", v, 0) &&
             owns(mm::by_numa_1) == locks(w, "change_prot_numa", v, 1) &&
             owns(mm::by_zap) == locks(w, "madvise_dontneed", v, 0) &&
             owns(mm::by_zap_1) == locks(w, "madvise_dontneed", v, 1);
    });
  });
  static constexpr auto pending_counts_gathers =
      lemma("pending_counts_gathers", [](const auto& s, const auto& w) {
        auto one = [&](const char* actor, u64 self) { return O::number(gathers(w, actor, self)); };
        return wide(load(s.mm.flush_pending)) == one("mprotect", 0) + one("change_prot_numa", 0) +
                                                     one("change_prot_numa", 1) + one("madvise_dontneed", 0) +
                                                     one("madvise_dontneed", 1);
      });
  static constexpr auto mmap_lock = lemma("mmap_lock", [](const auto& s, const auto& w) {
    auto reads = [&](const char* actor, u64 self) {
      return O::number(w.in(actor, "mmap_read_lock", "mmap_read_unlock", 0, self));
    };
    return s.mm.writer == w.in("mprotect", "mmap_write_lock", "mmap_write_unlock") &&
           s.ghost.unsettled == s.mm.writer && implies(load(s.mm.writer), s.mm.readers == 0u) &&
           wide(load(s.mm.readers)) == reads("change_prot_numa", 0) + reads("change_prot_numa", 1) +
                                           reads("madvise_dontneed", 0) + reads("madvise_dontneed", 1);
  });
  /// The assumption "no wrap" makes the two generations comparable.
  static constexpr auto generation_order = lemma("generation_order", [](const auto& s, const auto&) {
    return s.mm.flushed <= s.mm.pending && s.mprotect.batch_pending <= s.mm.pending && for_all<2>([&](u64 k) {
             return s.numa[k].batch_pending <= s.mm.pending && s.zap[k].batch_pending <= s.mm.pending;
           });
  });
  static constexpr auto rights = lemma("rights", [](const auto& s, const auto& w) {
    return s.mm.prot <= u64{mm::prot_write} && s.mprotect.target <= u64{mm::prot_write} &&
           implies(w.in("mprotect", "vma_set_page_prot", "mmap_write_unlock"),
                   s.mm.prot == s.mprotect.target) &&
           for_all<2>([&](u64 k) {
             return implies(w.in("change_prot_numa", "mmap_read_lock", "mmap_read_unlock", 0, k),
                            s.mm.prot != u64{mm::prot_none});
           });
  });

  // ---- registers ----
  static auto changer_registers(const auto& w, const char* actor, u64 self, const auto& r) {
    const auto between = exists<B::pages>(
        [&](u64 v) { return w.in(actor, "ptep_modify_prot_start", "ptep_modify_prot_commit", v, self); });
    return implies(r.old != 0u, between && Arch::pte_present(load(r.old))) &&
           implies(r.changed != 0u, w.in(actor, "ptep_modify_prot_commit", "gather_done", 0, self)) &&
           quiet(w, actor, self, r);
  }
  /// Posts only between the sending step and its wait.
  static auto quiet(const auto& w, const char* actor, u64 self, const auto& r) {
    const auto posts = exists<B::cpus>([&](u64 c) { return r.posted.pages[0][c] != 0u; });
    const auto drains =
        exists<B::pages>([&](u64 v) { return w.in(actor, O::drain_sent, O::drain_over, v, self); });
    return implies(posts, drains || w.in(actor, O::sent, O::over, 0, self));
  }
  static constexpr auto change_registers = lemma("change_registers", [](const auto& s, const auto& w) {
    return changer_registers(w, "mprotect", 0, s.mprotect) &&
           for_all<2>([&](u64 k) { return changer_registers(w, "change_prot_numa", k, s.numa[k]); });
  });
  static constexpr auto zap_registers = lemma("zap_registers", [](const auto& s, const auto& w) {
    return for_all<2>([&](u64 k) {
      auto&& r = s.zap[k];
      return quiet(w, "madvise_dontneed", k, r) &&
             implies(r.changed != 0u,
                     w.in("madvise_dontneed", "ptep_get_and_clear_full", "gather_done", 0, k)) &&
             each_page([&](u64 v) {
               return implies(load(r.gathered[v]), w.in("madvise_dontneed", "ptep_get_and_clear_full",
                                                        "free_pages_and_swap_cache", v, k)) &&
                      implies(
                          r.gathered[v] && w.in("madvise_dontneed", "ptep_get_and_clear_full", O::sent, v, k),
                          O::has(r.changed, v));
             });
    });
  });
  static auto flush_is_over(const auto& w, const char* actor) {
    const char* last = O::x86 ? "try_to_unmap_flush/wait_for_acks" : "try_to_unmap_flush/dsb_ish";
    const char* first =
        O::x86 ? "try_to_unmap_flush_dirty/wait_for_acks" : "try_to_unmap_flush_dirty/dsb_ish";
    const auto over = w.in(actor, last, "try_to_unmap_flush/clear_tlb_ubc");
    return std::string_view(actor) == "migrate"
               ? over
               : over || w.in(actor, first, "try_to_unmap_flush_dirty/clear_tlb_ubc");
  }
  static auto posts_allowed(const auto& w, const char* actor, const auto& r) {
    const auto eager = exists<B::pages>([&](u64 v) { return w.in(actor, O::eager_sent, O::eager_over, v); });
    if constexpr (O::x86) {
      const auto last = w.in(actor, "try_to_unmap_flush/send_ipis", "try_to_unmap_flush/wait_for_acks");
      const auto both = std::string_view(actor) == "migrate"
                            ? last
                            : last || w.in(actor, "try_to_unmap_flush_dirty/send_ipis",
                                           "try_to_unmap_flush_dirty/wait_for_acks");
      return eager || both;
    } else {
      const auto posting =
          exists<B::pages>([&](u64 v) { return w.in(actor, O::batch_sent, "flush_required", v); });
      return eager || posting || (r.flush_required && !flush_is_over(w, actor));
    }
  }
  /// Reclaim and migration: when `old` is set, the page was unmapped and the folio is isolated.
  static auto unmapper_registers(const auto& w, const char* actor, const auto& r, const char* last,
                                 const char* flush_over) {
    return each_page([&](u64 v) {
             const auto old = load(r.old[v]);
             return implies(old != 0u, Arch::pte_present(old) && r.isolated[v] &&
                                           V::frame_of(old) == r.folio[v] &&
                                           w.in(actor, "ptep_get_and_clear", last, v)) &&
                    implies(load(r.isolated[v]), w.in(actor, "folio_isolate_lru", last, v)) &&
                    implies(load(r.accessible),
                            w.in(actor, "pte_accessible", "forget_accessible", v) && old != 0u) &&
                    implies(w.in(actor, "flush_required", "inc_tlb_flush_batched", v),
                            load(r.flush_required));
           }) &&
           implies(exists<B::cpus>([&](u64 c) { return r.posted.pages[0][c] != 0u; }),
                   posts_allowed(w, actor, r)) &&
           implies(load(r.flush_required), w.in(actor, "flush_required", flush_over)) &&
           implies(load(r.writable), load(r.flush_required));
  }
  static constexpr auto reclaim_registers = lemma("reclaim_registers", [](const auto& s, const auto& w) {
    return unmapper_registers(w, "reclaim", s.reclaim, "free_folio", "try_to_unmap_flush/clear_tlb_ubc") &&
           implies(load(s.reclaim.dirty), exists<B::pages>([&](u64 v) {
                     return w.in("reclaim", "folio_test_dirty", "pageout", v);
                   }));
  });
  static constexpr auto migrate_registers = lemma("migrate_registers", [](const auto& s, const auto& w) {
    return unmapper_registers(w, "migrate", s.migrate, "putback", "try_to_unmap_flush/clear_tlb_ubc") &&
           s.ghost.migrating == w.in("migrate", "migrate_pages", "return");
  });

  static constexpr auto lazy_cpu = lemma("lazy_cpu", [](const auto& s, const auto& w) {
    return !s.lazy[0].active || w.config().count(By::slot) != 0;
  });
};

}  // namespace ptmc::batched_unmap
