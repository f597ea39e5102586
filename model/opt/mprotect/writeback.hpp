// SPDX-License-Identifier: GPL-2.0
// Kernel: mm/page-writeback.c folio_clear_dirty_for_io, mm/rmap.c folio_mkclean, page_vma_mkclean_one,
//   mm/pgtable-generic.c ptep_clear_flush; mm/memory.c wp_page_shared, do_page_mkwrite (6.12).
// Claim: writeback takes D and W from every entry of a dirty folio before it writes the folio out, so that
//   the next store is announced again.
// Omitted: other mappings of the folio; a folio that is dirtied by write(2); errors.
#pragma once
#include "model/opt/mprotect/rmap.hpp"

namespace ptmc::mprotect {

template <class B>
struct Writeback {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  static constexpr auto registers = [](auto& s, u64) -> decltype(auto) { return (s.rmap); };
  static constexpr auto this_page = [](const auto& r) { return u64{1} << r.page; };

  static constexpr auto lock = step(
      "pte_offset_map_lock", [](const auto& s) { return !s.mm.ptl_held; },
      [](auto& s) {
        s.mm.ptl_held = true;
        s.ghost.cleaning = true;
      });
  static constexpr auto unlock = step("pte_unmap_unlock", [](auto& s) {
    s.mm.ptl_held = false;
    s.ghost.cleaning = false;
  });
  /// page_vma_mapped_walk keeps the PTL from one entry of a page table to the next. Knob: drops it.
  static constexpr auto enters = [](const auto&, const Ctx& x) {
    return x.i == 0 || x.knob(KnobId::page_vma_mapped_walk) == 1;
  };
  static constexpr auto leaves = [](const auto&, const Ctx& x) {
    return x.i + 1 == x.count(By::page) || x.knob(KnobId::page_vma_mapped_walk) == 1;
  };
  /// Only if it is dirty or writable; the read of the entry is part of the xchg: under the PTL only A and D
  /// change, and a D that is set in between would be cleared with the rest.
  static constexpr auto get_and_clear = step("ptep_get_and_clear", [](auto& s, auto& r, Ctx x) {
    const auto word = V::pte(s, x.i);
    const auto acts = Arch::pte_dirty(word) || Arch::pte_write(word);
    r.old = ite(acts, word, u64{0});
    r.page = x.i;
    when(acts, s, [&](auto& t) { static_cast<void>(hw::xchg_entry(t.pte[x.i], by_rmap, u64{0})); });
  });
  static constexpr auto pte_accessible = step("pte_accessible", [](auto& s, auto& r, Ctx x) {
    r.accessible =
        Arch::pte_accessible(load(r.old), s.mm.flush_pending && x.knob(KnobId::pte_accessible) == 0);
  });
  static constexpr auto set_pte_at = step("set_pte_at", [](auto& s, auto& r, Ctx x) {
    hw::store_entry(s.pte[x.i], by_rmap, Arch::pte_mkclean(Arch::pte_wrprotect(load(r.old))));
    r.old = 0;
    r.page = 0;
    r.accessible = false;
  });

  static constexpr auto sequence_ =
      sequence("writeback", registers,
               step(
                   "folio_lock", [](const auto& s) { return s.folio.dirty && !s.folio.locked; },
                   [](auto& s) {
                     s.folio.locked = true;
                     s.ghost.saving = true;
                   }),
               block("folio_mkclean",
                     loop<By::page>(if_(enters, lock),
                                    block("ptep_clear_flush", get_and_clear,
                                          if_([](const auto& r) { return r.old != 0; }, pte_accessible,
                                              if_([](const auto& r) { return load(r.accessible); },
                                                  Flush<B, by_rmap>::range("flush_tlb_page", this_page)),
                                              set_pte_at)),
                                    if_(leaves, unlock))),
               /// What is stored from here on must be found again.
               step("writepage", [](auto& s) {
                 s.folio.dirty = false;
                 s.folio.locked = false;
                 s.ghost.saving = false;
                 s.ghost.notified = false;
                 for (u64 v = 0; v < B::pages; ++v) s.ghost.stored[v] = false;
               }));

  /// A write fault on a shared mapping: the file system is told, which takes the folio lock; the folio counts
  /// as dirty. One step: it holds the mmap lock (or the VMA's) for reading, and the PTL.
  static constexpr auto wp_page_shared = ruleset<By::page>(
      "wp_page_shared",
      [](const auto& s, u64 v, Ctx x) {
        const auto word = V::pte(s, v);
        return !s.mm.writer && !s.mm.ptl_held && !s.folio.locked && s.mm.prot == u64{mm::prot_write} &&
               Arch::pte_valid(word) && !V::can_store(word, *x.config);
      },
      [](auto& s, u64 v, Ctx x) {
        const auto word = Arch::pte_mkdirty(Arch::pte_mkyoung(V::pte(s, v)));
        hw::store_entry(s.pte[v], by_fault, Arch::pte_mkwrite(word, V::vma(load(s.mm.prot), x).flags));
        s.folio.dirty = true;
        s.ghost.notified = true;
      });
};

}  // namespace ptmc::mprotect
