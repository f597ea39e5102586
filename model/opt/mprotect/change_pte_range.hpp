// SPDX-License-Identifier: GPL-2.0
// Kernel: mm/mprotect.c change_pte_range, mprotect_folio_pte_batch, set_write_prot_commit_flush_ptes,
//   commit_anon_folio_batch, prot_commit_flush_ptes (6.17); include/linux/pgtable.h modify_prot_start_ptes,
//   modify_prot_commit_ptes; the loop over single entries of 6.12; version 1 of the series as posted.
// Claim: one batch of the loop, from the read of its first entry to its last store, each access a step.
// Omitted: entries that are neither present nor swap entries, NUMA hinting, contpte's folding of blocks, the
//   arm64 erratum 2645198. The read of PageAnonExclusive is part of the step that stores the entry: under the
//   PTL nobody here changes it.
#pragma once
#include "model/opt/mprotect/flush.hpp"

namespace ptmc::mprotect {

/// Which entries of the batch get the write bit.
enum Write : u64 { to_none, to_all, by_exclusive };

template <class D, class B>
struct MprotectRegisters {
  using Entry = Word<D>;
  using F = Flag<D>;
  using Page = Bits<D, bits_for(B::pages + 1)>;
  using Two = Bits<D, 2>;
  using P = Posts<D, B>;
  BOOST_HANA_DEFINE_STRUCT(MprotectRegisters, (Entry, first),  // As ptep_get read it.
                           (Entry, old),                       // Merged by modify_prot_start_ptes.
                           (Entry, ptent),                     // For the first entry, without W.
                           (Page, start), (Page, end),         // The batch.
                           (F, closed), (F, shared),           // Its end is found; v1: mapped elsewhere, too.
                           (Two, write),                       // Write.
                           (Page, gather_start), (Page, gather_end),  // What to flush; none: end is 0.
                           (Two, target),                             // mm::Prot.
                           (F, drains), (P, posted));                 // Reclaim may owe a flush.
};

template <class B>
struct ChangePteRange {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  using Words = Decide<Arch>;
  static auto variant(const Ctx& x) { return x.knob(KnobId::change_pte_range); }

  // ---- the batch: folio_pte_batch_flags ----
  static u64 flags(const Ctx& x) {
    const bool ignores = x.knob(KnobId::respect_write) == 1 || variant(x) == v1;
    return Words::batch_flags & ~(ignores ? fpb_respect_write : 0);
  }
  static constexpr auto ptep_get = step("ptep_get", [](auto& s, auto& r) {
    r.first = hw::load_entry(at(s.pte, load(r.start)));
    r.end = r.start + 1u;
  });
  /// A swap entry stays as it is.
  static constexpr auto is_present = [](const auto& r) { return Arch::pte_present(load(r.first)); };
  /// folio_pte_batch asks for no more pages than the folio has.
  static bool may_batch(const Ctx& x) {
    const bool ends = V::begins_folio(V::kind(x), x.i) && x.knob(KnobId::folio_pte_batch) == 0;
    return variant(x) != per_pte && V::kind(x) != small && !ends;
  }
  static constexpr auto from_end = [](const auto& r) { return load(r.end); };
  static constexpr auto extends = [](const auto& r, const Ctx& x) {
    return may_batch(x) && r.end == x.i && !r.closed;
  };
  static constexpr auto folio_pte_batch = step("folio_pte_batch", [](auto& s, auto& r, Ctx x) {
    const auto same = Words::batches_with(load(r.first), V::pte(s, x.i), x.i - r.start, flags(x));
    r.end = ite(same, x.i + 1, load(r.end));
    r.closed = !same;
  });

  // ---- modify_prot_start_ptes ----
  static constexpr auto from_start = [](const auto& r) { return load(r.start); };
  static constexpr auto in_batch = [](const auto& r, const Ctx& x) { return r.start <= x.i && x.i < r.end; };
  static void take(auto& r, const auto& word, const Ctx& x) {
    const auto begins = r.start == x.i;
    const auto old = load(r.old);
    const auto folded = x.knob(KnobId::merged_dirty) == 1 ? old : Words::fold(old, word);
    r.old = ite(begins, word, folded);
  }
  static constexpr auto get_and_clear = step("ptep_get_and_clear", [](auto& s, auto& r, Ctx x) {
    take(r, hw::xchg_entry(s.pte[x.i], by_mprotect, u64{0}), x);
  });
  /// A load and a store in place of the xchg (mutation `split`).
  static constexpr auto get_half =
      spare("ptep_get_and_clear.load", [](auto& s, auto& r, Ctx x) { take(r, V::pte(s, x.i), x); });
  static constexpr auto clear_half = spare("ptep_get_and_clear.store", [](auto& s, auto&, Ctx x) {
    hw::store_entry(s.pte[x.i], by_mprotect, u64{0});
  });

  // ---- the new word ----
  /// The VMA as the questions about it see it: mutants of the questions are VMAs that were changed.
  static auto asked_vma(const auto& r, const Ctx& x) {
    auto vma = V::vma(load(r.target), x);
    if (x.knob(KnobId::soft_dirty) == 1) vma.flags = vma.flags ^ vm::soft_dirty;
    if (x.knob(KnobId::soft_dirty) == 2) vma.flags = vma.flags | vm::soft_dirty;
    if (x.knob(KnobId::writenotify) == 1) vma.flags = vma.flags & ~vm::uffd_wp;
    return vma;
  }
  static auto v1_asks_folio(const auto& r, const Ctx& x) {
    return variant(x) == v1 && r.start + 1 < r.end && (V::is_anon(x) || V::kind(x) == file);
  }
  /// folio_test_anon of the batch's folio.
  static auto is_anon(const auto& r, const Ctx& x) {
    return V::is_anon(x) && !(V::begins_folio(V::kind(x), B::pages - 1) && r.start + 1 == B::pages);
  }
  static constexpr auto asks_folio = [](const auto& r, const Ctx& x) { return v1_asks_folio(r, x); };
  static constexpr auto folio_maybe_mapped_shared =
      step("folio_maybe_mapped_shared", [](auto& s, auto& r) { r.shared = load(s.folio.mapped_shared); });
  static constexpr auto pte_modify = compute("pte_modify", [](auto& r, Ctx x) {
    const auto vma = asked_vma(r, x);
    const auto cpu = V::cpu(x);
    const auto ptent = Words::changed(load(r.old), Words::page_prot(vma), u64{0}, cpu);
    const u64 cp_flags =
        ite(Words::vma_wants_manual_pte_write_upgrade(vma), mm_cp_try_change_writable, u64{0});
    const auto tries = Words::tries_writable(ptent, cp_flags, cpu);
    const auto maybe = Words::maybe_change_pte_writable(vma, ptent);
    const auto everyone =
        ite(arch::any(vma.flags, vm::shared), Words::can_change_shared_pte_writable(vma, ptent),
            v1_asks_folio(r, x) && maybe && !r.shared);
    const auto each = is_anon(r, x) && maybe && !v1_asks_folio(r, x);
    r.ptent = ptent;
    r.write = ite(tries && everyone, u64{to_all}, ite(tries && each, u64{by_exclusive}, u64{to_none}));
  });

  // ---- prot_commit_flush_ptes, for each sub-batch of equal PageAnonExclusive ----
  /// Page of the folio whose mark decides: page 0 of the range is page 1 of the folio. A small folio may
  /// have given way to KSM's page.
  static auto page_asked(const auto& r, const Ctx& x) {
    const u64 own = V::kind(x) == small ? V::frame_of(load(r.old)) : x.i + 1, from_head = x.i - r.start,
              first = r.start + 1;
    return std::array{own, from_head, first}.at(x.knob(KnobId::anon_exclusive));
  }
  /// One range for all; entries come in order.
  static void tlb_flush_pte_range(auto& r, const auto& flushes, u64 page) {
    r.gather_start = ite(flushes && r.gather_end == 0u, page, wide(load(r.gather_start)));
    r.gather_end = ite(flushes, page + 1, wide(load(r.gather_end)));
  }
  static constexpr auto modify_prot_commit = step("modify_prot_commit_ptes", [](auto& s, auto& r, Ctx x) {
    const auto k = x.i - r.start;
    const auto exclusive = load(at(s.folio.exclusive, page_asked(r, x)));
    const auto set_write = r.write == u64{to_all} || (r.write == u64{by_exclusive} && exclusive);
    const auto made = Words::made_writable(V::vma(load(r.target), x), load(r.ptent), set_write);
    const auto word = x.knob(KnobId::pte_advance_pfn) == 1 ? made : Words::committed(made, k);
    const auto old = x.knob(KnobId::pte_needs_flush) == 1 ? load(r.first) : load(r.old);
    hw::store_entry(s.pte[x.i], by_mprotect, word);
    tlb_flush_pte_range(r, Words::needs_flush(old, made), x.i);
  });

  static constexpr auto from_table = [](const auto&) { return u64{0}; };
  static constexpr auto goes_on = [](const auto& r, const Ctx& x) { return r.start < x.count(By::page); };
  static constexpr auto next_batch = compute("next_batch", [](auto& r) {
    r.start = load(r.end);
    r.first = 0;
    r.old = 0;
    r.ptent = 0;
    r.closed = false;
    r.shared = false;
    r.write = 0;
  });

  /// At most one batch an entry.
  static constexpr auto batches = loop_while<By::table>(
      from_table, goes_on, ptep_get,
      if_(is_present, loop_while<By::page>(from_end, extends, folio_pte_batch),
          block("modify_prot_start_ptes",
                loop_while<By::page>(from_start, in_batch, get_and_clear, get_half, clear_half)),
          if_(asks_folio, folio_maybe_mapped_shared), pte_modify,
          loop_while<By::page>(from_start, in_batch, modify_prot_commit)),
      next_batch);
};

}  // namespace ptmc::mprotect
