// SPDX-License-Identifier: GPL-2.0
// Kernel: none. Hardware: model/hw/walker.hpp.
// Claim: what user CPUs and their walkers may do between two steps of software.
// Omitted: loads (they change nothing: properties look at what an entry grants); faults: a store that faults
//   comes back unchanged, and each initial state says what earlier faults have left.
#pragma once
#include "model/opt/mprotect/flush.hpp"

namespace ptmc::mprotect {

template <class B>
struct User {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;

  /// body(walker): shadow-stack memory has its own rule of who may store.
  static auto with_walker(const Ctx& x, auto body) {
    if constexpr (Arch::is_x86)
      if (V::is_stack(V::kind(x))) return body(hw::Walker<ShadowStackView<Arch>>(x));
    return body(hw::Walker<Arch>(x));
  }

  /// A speculative walk; it takes the place of what was cached. SDM 4.10.2.3; Arm ARM D8.16.
  static constexpr auto fill = ruleset<By::cpu, By::page>(
      "fill", [](const auto& s, u64, u64 v, Ctx x) { return hw::Walker<Arch>(x).can_fill(s.pte[v]); },
      [](auto& s, u64 c, u64 v, Ctx x) {
        with_walker(x, [&](const auto& walker) {
          walker.fill(s.tlb[c], s.pte[v]);
          s.tlb[c].page = v;
        });
      });
  /// A walk that has not seen the latest store to the entry (arm64). Arm ARM B2.7.3, RDDMVT.
  static constexpr auto fill_before = ruleset<By::cpu, By::page>(
      "fill_before",
      [](const auto& s, u64, u64 v, Ctx x) { return hw::Walker<Arch>(x).can_fill_before(s.pte[v]); },
      [](auto& s, u64 c, u64 v, Ctx x) {
        hw::Walker<Arch>(x).fill_before(s.tlb[c], s.pte[v]);
        s.tlb[c].page = v;
      });
  /// An executed store through a cached entry (a miss is a fill first). SDM 4.8, 4.10.4.3; Arm ARM RSGJBL.
  static constexpr auto user_store = ruleset<By::cpu>(
      "user_store",
      [](const auto& s, u64 c, Ctx x) { return s.tlb[c].valid && !Flush<B, by_fault>::irqs_off(s, c, x); },
      [](auto& s, u64 c, Ctx x) {
        const auto page = load(s.tlb[c].page);
        update(s.pte, page, [&](auto&& entry) {
          const auto faulted = with_walker(
              x, [&](const auto& walker) { return walker.access_store(s.tlb[c], entry).faulted; });
          update(s.ghost.stored, page, [&](auto&& stored) { stored = stored || !faulted; });
        });
      });
};

}  // namespace ptmc::mprotect
