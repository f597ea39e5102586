// SPDX-License-Identifier: GPL-2.0
// Kernel: arch/arm64/mm/contpte.c contpte_convert, __contpte_try_fold, __contpte_try_unfold,
//   contpte_try_unfold_partial, contpte_ptep_get; mm/rmap.c flush_tlb_batched_pending; include/asm/pgtable.h
//   ptep_get, set_ptes, get_and_clear_full_ptes (6.12); with BBM level 2: 83bbd6be7d17 (6.17);
//   include/asm/tlbflush.h
//   __flush_tlb_range.
// Claim: what callers under the PTL do to a block, each access a step, on the registers `old`, `raw`, `pte`,
//   `page`, `batch` of issuer `who`.
// Omitted: init_mm and EFI; folios smaller than the block; DEBUG_VM's checks.
#pragma once
#include "model/opt/contpte/world.hpp"

namespace ptmc::contpte {

template <class B, u64 who>
struct Convert {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  using Words = typename V::Words;
  using Waits = mm::Flush<B, who>;

  // ---- flushes of a range, leaves of level 3 ----
  template <class Pages>
  static constexpr auto tlbi(Pages) {
    return block(
        "",
        if_([](const auto&, const Ctx& x) { return x.has(arm::Feature::range_tlbi); },
            step("tlbi_rvale1is", [](auto&, auto& r, Ctx x) { hw::post<Arch>(r.posted, 0, Pages{}(r), x); })),
        loop<By::page>(if_(
            [](const auto& r, const Ctx& x) {
              return !x.has(arm::Feature::range_tlbi) && (Pages{}(r)&V::one(x.i)) != 0;
            },
            step("tlbi_vale1is",
                 [](auto&, auto& r, Ctx x) { hw::post<Arch>(r.posted, 0, V::one(x.i), x); }))));
  }
  template <class Pages>
  static constexpr auto flush(const char* name, Pages pages) {
    return block(name, Waits::dsb_ishst, tlbi(pages), Waits::dsb_ish);
  }
  static constexpr auto all_pages = [](const auto&) { return B::all_pages; };
  static constexpr auto flush_tlb_mm = block(
      "flush_tlb_mm", Waits::dsb_ishst,
      step("tlbi_aside1is", [](auto&, auto& r, Ctx x) { hw::post<Arch>(r.posted, 0, B::all_pages, x); }),
      Waits::dsb_ish);
  static constexpr auto range_pages = [](const auto& r) { return V::span(load(r.first), load(r.end)); };

  // ---- contpte_convert: r.pte is the new word of the first entry, without the A and D found here ----
  static constexpr auto get_and_clear = step("ptep_get_and_clear", [](auto& s, auto& r, Ctx x) {
    r.pte = Words::fold(load(r.pte), hw::xchg_entry(s.pte[x.i], who, u64{0}));
  });
  /// system_supports_bbml2_noabort() since 6.17: then without the break.
  static constexpr auto breaks = [](const auto&, const Ctx& x) { return !x.has(arm::Feature::bbm2); };
  static constexpr auto set_pte = step("set_pte", [](auto& s, auto& r, Ctx x) {
    hw::store_entry(s.pte[x.i], who, Arch::pte_advance_pfn(load(r.pte), x.i));
  });
  static constexpr auto forget = compute("forget", [](auto& r) {
    r.raw = 0;
    r.pte = 0;
    r.same = false;
  });
  static constexpr auto convert =
      block("contpte_convert", loop<By::page>(get_and_clear),
            if_(breaks, flush("__flush_tlb_range", all_pages)), block("__set_ptes", loop<By::page>(set_pte)));

  // ---- unfold: At names the entry, as page number ----
  static constexpr auto at_page = [](const auto& r) { return wide(load(r.page)); };
  static constexpr auto at_last = [](const auto& r) { return load(r.batch) - 1u; };
  template <class At>
  static constexpr auto raw_get(At) {
    return step("ptep_get", [](auto& s, auto& r) { r.raw = V::pte_at(s, At{}(r)); });
  }
  static constexpr auto raw_is_cont = [](const auto& r) { return V::cont(load(r.raw)); };
  static constexpr auto unfold =
      block("contpte_try_unfold",
            if_(raw_is_cont,
                compute("mknoncont", [](auto& r) { r.pte = V::aligned(Arch::pte_mknoncont(load(r.raw))); }),
                convert),
            forget);
  template <class At>
  static constexpr auto try_unfold(At at) {
    return block("", raw_get(at), unfold);
  }
  /// The edges of [page, batch) that cut the block.
  static constexpr auto unfold_partial = block(
      "contpte_try_unfold_partial",
      if_([](const auto& r) { return r.page != 0u || r.batch - r.page < B::pages; }, try_unfold(at_page)),
      if_([](const auto& r) { return r.batch != B::pages; }, try_unfold(at_last)));

  // ---- ptep_get: A and D of the whole block ----
  static constexpr auto gathered_get =
      block("ptep_get", step("ptep_get", [](auto& s, auto& r) { r.old = V::pte_at(s, r.page); }),
            loop<By::page>(if_([](const auto& r) { return V::cont(load(r.old)); },
                               step("contpte_ptep_get", [](auto& s, auto& r, Ctx x) {
                                 r.old = Words::fold(load(r.old), V::pte(s, x.i));
                               }))));

  // ---- get_and_clear_full_ptes of [page, batch), merged into r.old ----
  static constexpr auto single = [](const auto& r) { return r.batch == r.page + 1u; };
  static constexpr auto many = [](const auto& r) { return r.batch != r.page + 1u; };
  static constexpr auto from_page = [](const auto& r) { return load(r.page); };
  static constexpr auto in_batch = [](const auto& r, const Ctx& x) { return r.page <= x.i && x.i < r.batch; };
  static constexpr auto get_and_clear_full =
      block("get_and_clear_full_ptes", if_(single, try_unfold(at_page)), if_(many, unfold_partial),
            loop_while<By::page>(from_page, in_batch, step("ptep_get_and_clear", [](auto& s, auto& r, Ctx x) {
                                   const auto word = hw::xchg_entry(s.pte[x.i], who, u64{0});
                                   r.old = ite(r.page == x.i, word, Words::fold(load(r.old), word));
                                 })));

  // ---- set_ptes of [page, batch): r.old is the first entry's word ----
  /// Only over the last entry of the block, if that makes a CONT word possible.
  static constexpr auto may_fold = [](const auto& r) {
    const auto word = load(r.old);
    return r.batch == B::pages && (Arch::pte_pfn(word) & (B::pages - 1)) == B::pages - 1 &&
           Arch::pte_valid(word) && !Arch::pte_cont(word);
  };
  static constexpr auto expect = compute("expect", [](auto& r) {
    r.pte = V::aligned(Arch::pte_mkold(Arch::pte_mkclean(load(r.old))));
    r.same = true;
  });
  static constexpr auto compare = step("ptep_get", [](auto& s, auto& r, Ctx x) {
    const auto other = Arch::pte_mkold(Arch::pte_mkclean(V::pte(s, x.i)));
    r.same = other == Arch::pte_advance_pfn(load(r.pte), x.i);
  });
  static constexpr auto looks_same = [](const auto& r) { return load(r.same); };
  static constexpr auto try_fold = block(
      "contpte_try_fold",
      if_(may_fold, expect, loop<By::page>(if_(looks_same, compare)),
          if_(looks_same,
              compute("mkcont", [](auto& r) { r.pte = V::aligned(Arch::pte_mkcont(load(r.old))); }), convert),
          forget));
  /// contpte_set_ptes: CONT if the batch is the whole block, and aligned in its frames.
  static constexpr auto choose_cont = compute("choose_cont", [](auto& r) {
    const auto word = load(r.old);
    const auto whole_block =
        r.page == 0u && r.batch == B::pages && (Arch::pte_pfn(word) & (B::pages - 1)) == 0u;
    r.pte = ite(Arch::pte_valid(word) && whole_block, Arch::pte_mkcont(word), wide(word));
  });
  static constexpr auto set_ptes = block(
      "set_ptes",
      if_(single, try_unfold(at_page),
          step("set_pte",
               [](auto& s, auto& r) {
                 update(s.pte, load(r.page), [&](auto&& entry) { hw::store_entry(entry, who, load(r.old)); });
               }),
          try_fold),
      if_(many, choose_cont,
          loop_while<By::page>(from_page, in_batch,
                               step("set_pte",
                                    [](auto& s, auto& r, Ctx x) {
                                      const auto word = Arch::pte_advance_pfn(load(r.pte), x.i - r.page);
                                      hw::store_entry(s.pte[x.i], who, word);
                                    })),
          forget));

  // ---- under the PTL: what reclaim has unmapped, but not flushed yet (mm/rmap.c) ----
  static constexpr auto beside_reclaim = [](const auto&, const Ctx& x) {
    return x.knob(KnobId::reclaims) != nobody;
  };
  static constexpr auto flush_tlb_batched_pending =
      block("flush_tlb_batched_pending",
            if_(beside_reclaim, step("read_batched", [](auto& s, auto& r) { r.drains = load(s.mm.batched); }),
                if_([](const auto& r) { return load(r.drains); }, flush_tlb_mm,
                    step("cmpxchg_batched", [](auto& s, auto& r) {
                      s.mm.batched = false;
                      r.drains = false;
                    }))));

  // ---- the PTL ----
  static constexpr auto lock = step(
      "pte_offset_map_lock", [](const auto& s) { return !s.mm.ptl_held; },
      [](auto& s) { s.mm.ptl_held = true; });
};

}  // namespace ptmc::contpte
