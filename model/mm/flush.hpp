// SPDX-License-Identifier: GPL-2.0
// Kernel: arch/x86/mm/tlb.c flush_tlb_mm_range, arch_tlbbatch_flush; arch/arm64/include/asm/tlbflush.h
//   __flush_tlb_range_nosync, arch_tlbbatch_flush; mm/rmap.c flush_tlb_batched_pending (6.12).
// Claim: the steps of a flush, in order, with their barriers; actors compose them.
// Omitted: secondary MMUs; REPEAT_TLBI errata; KPTI's second ASID; INVLPGB.
#pragma once
#include "model/core/language.hpp"
#include "model/mm/world.hpp"

namespace ptmc::mm {

/// Invalidations that an actor has issued: part of its registers, delivered by a rule of the hardware.
template <class D, class B>
using Posts = hw::Posted<D, 1, B::cpus, B::pages>;

/// Flushes by issuer `who` (+ copy of the actor).
template <class B, u64 who>
struct Flush {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;

  static void post(auto& s, auto& r, const auto& pages, const Ctx& x) {
    // x86: lazy CPUs are left out when no table is freed (tlb.c, flush_tlb_multi and tlb_is_not_lazy).
    hw::post<Arch>(r.posted, 0, pages, x, [&](u64 c) { return V::runs(s, c); });
  }

  static constexpr auto wait_for_acks = step(
      "wait_for_acks", [](const auto&, const auto& r) { return hw::complete(r.posted, 0); }, [](auto&) {});
  static constexpr auto dsb_ish = step(
      "dsb_ish", [](const auto&, const auto& r) { return hw::complete(r.posted, 0); }, [](auto&) {});
  static constexpr auto dsb_ishst = step("dsb_ishst", [](auto& s, auto&, Ctx x) {
    for (u64 v = 0; v < B::pages; ++v) hw::publish(s.pte[v], who + x.self);
  });
  /// tlb_gen++ is what a CPU compares when it leaves lazy mode.
  static constexpr auto inc_tlb_gen = step("inc_mm_tlb_gen", [](auto& s) { s.lazy[0].behind = true; });
  template <class Pages>
  static constexpr auto send_ipis(Pages) {
    return step("send_ipis", [](auto& s, auto& r, Ctx x) { post(s, r, Pages{}(s, r, x), x); });
  }
  template <class Pages>
  static constexpr auto tlbi(const char* name, Pages) {
    return step(name, [](auto& s, auto& r, Ctx x) { post(s, r, Pages{}(s, r, x), x); });
  }

  /// A synchronous flush of the pages that `pages(s, r, x)` masks, as a block called `name`.
  template <class Pages>
  static constexpr auto range(const char* name, Pages pages) {
    if constexpr (Arch::is_x86)
      return block(name, inc_tlb_gen, send_ipis(pages), wait_for_acks);
    else
      return block(name, dsb_ishst, tlbi("tlbi_vale1is", pages), dsb_ish);
  }
  /// flush_tlb_mm.
  static constexpr auto whole_mm(const char* name) {
    constexpr auto all = [](const auto&, const auto&, const Ctx&) { return B::all_pages; };
    if constexpr (Arch::is_x86)
      return block(name, inc_tlb_gen, send_ipis(all), wait_for_acks);
    else
      return block(name, dsb_ishst, tlbi("tlbi_aside1is", all), dsb_ish);
  }

  /// Under the PTL: if a batch of reclaim is unflushed, flush the mm (rmap.c, flush_tlb_batched_pending).
  /// Registers: batch_pending, batch_flushed.
  static constexpr auto flush_tlb_batched_pending() {
    return block(
        "flush_tlb_batched_pending",
        step("read_batched",
             [](auto& s, auto& r) {
               r.batch_pending = load(s.mm.pending);
               r.batch_flushed = load(s.mm.flushed);
             }),
        if_([](const auto& r) { return r.batch_pending != r.batch_flushed; },
            whole_mm("arch_flush_tlb_batched_pending"), step("cmpxchg_batched", [](auto& s, auto& r) {
              const auto same = s.mm.pending == r.batch_pending && s.mm.flushed == r.batch_flushed;
              s.mm.flushed = ite(same, load(r.batch_pending), load(s.mm.flushed));
              r.batch_pending = 0;
              r.batch_flushed = 0;
            })));
  }
};

}  // namespace ptmc::mm
