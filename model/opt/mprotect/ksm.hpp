// SPDX-License-Identifier: GPL-2.0
// Kernel: mm/ksm.c try_to_merge_one_page, write_protect_page, replace_page; include/linux/rmap.h
//   folio_try_share_anon_rmap_pte, (A1) to (A4); mm/memory.c do_wp_page, wp_can_reuse_anon_folio (6.12).
// Claim: what KSM compares nobody can change unseen, and a page that somebody has a reference to is not
//   replaced.
// Omitted: the trees of pages (KSM's page is page 0, which everybody shares), splitting of large folios (it
//   comes first), the zero page, a second mapping, the copy that a write fault makes of a shared page: a page
//   once merged stays so, and pte_same finds no other entry.
#pragma once
#include "model/opt/mprotect/rmap.hpp"

namespace ptmc::mprotect {

template <class B>
struct Ksm {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  using Words = Decide<Arch>;
  static constexpr auto registers = [](auto& s, u64) -> decltype(auto) { return (s.rmap); };
  static constexpr auto this_page = [](const auto& r) { return u64{1} << r.page; };
  static auto pte(const auto& s, const auto& r) { return hw::load_entry(at(s.pte, load(r.page))); }
  static void store(auto& s, const auto& r, const auto& word) {
    update(s.pte, load(r.page), [&](auto&& entry) { hw::store_entry(entry, by_rmap, word); });
  }
  static auto is_own(const auto& word, const auto& v) {
    return Arch::pte_present(word) && V::frame_of(word) == v + 1;
  }

  /// Holds the mmap lock for reading and the folio lock to the end. It found the folio by its mapping.
  static constexpr auto mmap_read_lock = choose<B::pages>(
      "mmap_read_lock",
      [](const auto& s, const auto&, Ctx x) {
        return !s.mm.writer && x.k < x.count(By::page) && is_own(V::pte(s, x.k), x.k);
      },
      [](auto& s, auto& r, Ctx x) {
        s.mm.reader = true;
        r.page = x.k;
      });
  static void lock(auto& s) {
    s.mm.ptl_held = true;
    s.ghost.cleaning = true;
  }
  static constexpr auto ptl_free = [](const auto& s) { return !s.mm.ptl_held; };
  static constexpr auto unlock = step("pte_unmap_unlock", [](auto& s) {
    s.mm.ptl_held = false;
    s.ghost.cleaning = false;
  });

  static constexpr auto ptep_clear_flush() {
    return block("ptep_clear_flush",
                 step("ptep_get_and_clear",
                      [](auto& s, auto& r) {
                        r.old = pte(s, r);
                        store(s, r, u64{0});
                      }),
                 step("pte_accessible",
                      [](auto& s, auto& r) {
                        r.accessible = Arch::pte_accessible(load(r.old), load(s.mm.flush_pending));
                      }),
                 if_([](const auto& r) { return load(r.accessible); },
                     Flush<B, by_rmap>::range("flush_tlb_page", this_page)));
  }

  // ---- write_protect_page ----
  /// Takes the PTL and reads the entry: only A and D can change in between.
  static constexpr auto page_vma_mapped_walk = step("page_vma_mapped_walk", ptl_free, [](auto& s, auto& r) {
    const auto word = pte(s, r);
    lock(s);
    r.old = word;
    r.exclusive = load(at(s.folio.exclusive, r.page + 1));
    r.acts = Arch::pte_write(word) || Arch::pte_dirty(word) || r.exclusive || s.mm.flush_pending;
  });
  static constexpr auto folio_ref_count =
      step("folio_ref_count", [](auto& s, auto& r, Ctx x) { r.busy = V::referenced(s, load(r.page), x); });
  static constexpr auto maybe_dma_pinned = step("folio_maybe_dma_pinned", [](auto& s, auto& r, Ctx x) {
    r.busy = r.busy || V::maybe_dma_pinned(s, load(r.page), x);
  });
  static constexpr auto clear_exclusive = step("ClearPageAnonExclusive", [](auto& s, auto& r) {
    update(s.folio.exclusive, r.page + 1, [](auto&& mark) { mark = false; });
  });
  static constexpr auto free = [](const auto& r) { return !r.busy; };
  static constexpr auto set_pte_at = step("set_pte_at", [](auto& s, auto& r) {
    const auto old = load(r.old);
    const auto shared = Arch::pte_wrprotect(Arch::pte_mkclean(old));
    // folio_mark_dirty: that finds what was stored.
    update(s.ghost.stored, load(r.page),
           [&](auto&& stored) { stored = stored && (r.busy || !Arch::pte_dirty(old)); });
    r.old = ite(r.busy, old, wide(shared));
    store(s, r, load(r.old));
    r.exclusive = false;
    r.accessible = false;
  });
  static constexpr auto write_protect_page =
      block("write_protect_page", page_vma_mapped_walk,
            if_([](const auto& r) { return load(r.acts); }, ptep_clear_flush(), folio_ref_count,
                if_([](const auto& r) { return r.exclusive && !r.busy; },
                    block("folio_try_share_anon_rmap_pte", maybe_dma_pinned, if_(free, clear_exclusive))),
                set_pte_at),
            unlock);

  // ---- replace_page ----
  /// From here on KSM relies on what it has read.
  static constexpr auto pages_identical =
      choose<2>("pages_identical", always_on, [](auto& s, auto& r, Ctx x) {
        r.same = x.k == 1;
        update(s.ghost.other, r.page + 1, [&](auto&& other) { other = other || x.k == 1; });
      });
  static constexpr auto forget_content = [](auto& s, const auto& r, const auto& merged) {
    update(s.ghost.other, r.page + 1, [](auto&& other) { other = false; });
    update(s.ghost.stored, load(r.page), [&](auto&& stored) { stored = stored && !merged; });
  };
  static constexpr auto pte_same = step("pte_same", ptl_free, [](auto& s, auto& r) {
    lock(s);
    const auto same = pte(s, r) == r.old;
    when(!same, s, [&](auto& t) { forget_content(t, r, false); });
    r.same = same;
  });
  /// KSM's page, read only. The old one has lost its mapping.
  static constexpr auto set_pte_at_ksm = step("set_pte_at_ksm", [](auto& s, auto& r, Ctx x) {
    store(s, r, Arch::pfn_pte(u64{0}, Words::page_prot(V::vma(load(s.mm.prot), x))));
    forget_content(s, r, true);
    r.accessible = false;
  });
  static constexpr auto same = [](const auto& r) { return load(r.same); };
  static constexpr auto replace_page =
      block("replace_page", pte_same, if_(same, ptep_clear_flush(), set_pte_at_ksm), unlock);

  static constexpr auto sequence_ = sequence("ksm", registers, mmap_read_lock, write_protect_page,
                                             if_(free, pages_identical, if_(same, replace_page)),
                                             step("mmap_read_unlock", [](auto& s, auto& r) {
                                               s.mm.reader = false;
                                               r.page = 0;
                                               r.old = 0;
                                               r.exclusive = false;
                                               r.acts = false;
                                               r.busy = false;
                                               r.same = false;
                                             }));

  /// A write fault on a page that is exclusive or has no reference but its mapping's: reused. One step: it
  /// holds the mmap lock (or the VMA's) for reading, and the PTL.
  static constexpr auto wp_page_reuse = ruleset<By::page>(
      "wp_page_reuse",
      [](const auto& s, u64 v, Ctx x) {
        const auto word = V::pte(s, v);
        const auto scanned = s.mm.reader && s.rmap.page == v;
        return !s.mm.writer && !s.mm.ptl_held && s.mm.prot == u64{mm::prot_write} && is_own(word, v) &&
               Arch::hw_valid(word) && !V::can_store(word, *x.config) &&
               (s.folio.exclusive[v + 1] || !(scanned || V::referenced(s, v, x)));
      },
      [](auto& s, u64 v, Ctx x) {
        const auto word = Arch::pte_mkdirty(Arch::pte_mkyoung(V::pte(s, v)));
        hw::store_entry(s.pte[v], by_fault, Arch::pte_mkwrite(word, V::vma(load(s.mm.prot), x).flags));
        s.folio.exclusive[v + 1] = true;
      });
};

}  // namespace ptmc::mprotect
