// SPDX-License-Identifier: GPL-2.0
// Kernel: none but lazy TLB mode (arch/x86/mm/tlb.c enter_lazy_tlb, switch_mm_irqs_off, 6.12).
// Claim: what user CPUs and their walkers may do between two steps of software (design: hardware contract).
// Omitted: loads (they change nothing: properties look at what an entry grants); execution rights; keys.
#pragma once
#include "model/mm/flush.hpp"

namespace ptmc::mm {

template <class B>
struct User {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  using Walker = hw::Walker<Arch>;

  /// A speculative walk; replacing an entry is an eviction and a walk. SDM 4.10.2.3; Arm ARM D8.16.
  static constexpr auto fill = ruleset<By::cpu, By::page>(
      "fill", [](const auto& s, u64, u64 v, Ctx x) { return Walker(x).can_fill(s.pte[v]); },
      [](auto& s, u64 c, u64 v, Ctx x) { Walker(x).fill(s.tlb[c][v], s.pte[v]); });
  /// A walk that has not seen the latest store to the entry (arm64). Arm ARM B2.7.3, RDDMVT. That the store
  /// becomes visible by itself needs no rule: a lagging store may be read or not.
  static constexpr auto fill_before = ruleset<By::cpu, By::page>(
      "fill_before", [](const auto& s, u64, u64 v, Ctx x) { return Walker(x).can_fill_before(s.pte[v]); },
      [](auto& s, u64 c, u64 v, Ctx x) { Walker(x).fill_before(s.tlb[c][v], s.pte[v]); });
  /// An executed store through a cached entry (a miss is a fill first). SDM 4.8, 4.10.4.3; Arm ARM RSGJBL.
  static constexpr auto user_store = ruleset<By::cpu, By::page>(
      "user_store", [](const auto& s, u64 c, u64 v) { return s.tlb[c][v].valid && V::runs(s, c); },
      [](auto& s, u64 c, u64 v, Ctx x) {
        const auto access = Walker(x).access_store(s.tlb[c][v], s.pte[v]);
        const auto frame = load(s.tlb[c][v].frame);
        update(s.frame, frame, [&](auto& f) { f.unsaved = f.unsaved || !access.faulted; });
      });

  /// x86: the last CPU idles in lazy mode. It keeps its entries and its walker may go on.
  static constexpr auto enter_lazy_tlb = ruleset<By::slot>(
      "enter_lazy_tlb", [](const auto& s, u64) { return !s.lazy[0].active; },
      [](auto& s, u64) { s.lazy[0].active = true; });
  /// Leaving compares tlb_gen: behind means a full flush (switch_mm_irqs_off, was_lazy).
  static constexpr auto leave_lazy_tlb = ruleset<By::slot>(
      "leave_lazy_tlb", [](const auto& s, u64) { return load(s.lazy[0].active); },
      [](auto& s, u64) {
        for (u64 v = 0; v < B::pages; ++v) hw::drop_if(s.lazy[0].behind, s.tlb[B::cpus - 1][v]);
        s.lazy[0].active = false;
        s.lazy[0].behind = false;
      });

  /// One CPU does the invalidations that one copy of an actor has posted to it. `R` maps (state, copy) to
  /// registers. x86: flush_tlb_func in the IPI; knob: `gen_zero_is_old` makes it skip a batch's flush (kernel
  /// commit 8f1d56f64f8d).
  template <class R, class Ignored>
  static constexpr auto invalidate(const char* name, R, Ignored) {
    return ruleset<By::cpu, By::actor>(
        name,
        [](const auto& s, u64 c, u64 self) {
          auto&& r = R{}(s, self);
          return r.posted.pages[0][c] != 0u;
        },
        [](auto& s, u64 c, u64 self, Ctx x) {
          auto&& r = R{}(s, self);
          const auto pages = load(r.posted.pages[0][c]);
          r.posted.pages[0][c] = 0;
          if (Ignored{}(x)) return;
          for (u64 v = 0; v < B::pages; ++v)
            hw::drop_if((pages & bit(static_cast<unsigned>(v))) != 0u, s.tlb[c][v]);
          if (Arch::is_x86 && c + 1 == B::cpus) s.lazy[0].behind = false;
        });
  }
};

}  // namespace ptmc::mm
