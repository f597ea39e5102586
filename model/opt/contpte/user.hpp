// SPDX-License-Identifier: GPL-2.0
// Kernel: none. Hardware: model/hw/walker.hpp; Arm ARM (DDI 0487) D8.5, D8.7.1, D8.16.
// Claim: a walk for a page of a CONT block may use any CONT descriptor of it, and may leave an entry for the
//   page or for the block. AF and AP[2] change in the descriptor that was used.
// Omitted: loads; faults that change nothing; evictions: no property asks for an entry to exist.
#pragma once
#include "model/hw/walker.hpp"
#include "model/opt/contpte/world.hpp"

namespace ptmc::contpte {

template <class B>
struct User {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  using Walker = hw::Walker<Arch>;

  static void cache(auto& t, const auto& word, bool block, bool hd) {
    t.valid = true;
    t.block = block;
    t.cont = Arch::hw_cont(word);
    t.copy = V::is_copy(word);
    t.writable = Arch::hw_can_store(word, hd);
    t.dirty = Arch::hw_dirty(word);
  }

  /// Who fills the TLB entry. An SMMU's walks change no descriptor (no HTTU).
  static Walker filler(const Ctx& x) {
    Walker w(x);
    const bool smmu = x.knob(KnobId::walker) == smmu_walker;
    w.ha = w.ha && !smmu;
    w.hd = w.hd && !smmu;
    return w;
  }

  /// A speculative walk for the watched page by descriptor `u`.
  static constexpr auto fill = ruleset<By::page>(
      "fill",
      [](const auto& s, u64 u, Ctx x) {
        return filler(x).can_fill(s.pte[u]) && V::serves(s, V::pte(s, u), u);
      },
      [](auto& s, u64 u, Ctx x) {
        const auto word = Arch::hw_mark_accessed(V::pte(s, u));
        hw::update_entry(s.pte[u], word);
        cache(s.tlb, word, false, filler(x).hd);
      });
  static constexpr auto fill_block = ruleset<By::page>(
      "fill_block",
      [](const auto& s, u64 u, Ctx x) { return filler(x).can_fill(s.pte[u]) && Arch::hw_cont(V::pte(s, u)); },
      [](auto& s, u64 u, Ctx x) {
        const auto word = Arch::hw_mark_accessed(V::pte(s, u));
        hw::update_entry(s.pte[u], word);
        cache(s.tlb, word, true, filler(x).hd);
      });
  /// Walks that have not seen the latest store to the descriptor. Arm ARM B2.7.3, RDDMVT.
  static constexpr auto fill_before = ruleset<By::page>(
      "fill_before",
      [](const auto& s, u64 u, Ctx x) {
        return filler(x).can_fill_before(s.pte[u]) && V::serves(s, hw::load_before(s.pte[u]), u);
      },
      [](auto& s, u64 u, Ctx x) { cache(s.tlb, hw::load_before(s.pte[u]), false, filler(x).hd); });
  static constexpr auto fill_block_before = ruleset<By::page>(
      "fill_block_before",
      [](const auto& s, u64 u, Ctx x) {
        return filler(x).can_fill_before(s.pte[u]) && Arch::hw_cont(hw::load_before(s.pte[u]));
      },
      [](auto& s, u64 u, Ctx x) { cache(s.tlb, hw::load_before(s.pte[u]), true, filler(x).hd); });

  /// A store reaches the walkers by itself: of two in a row they may then read the first one late.
  static constexpr auto seen = ruleset<By::page>(
      "seen",
      [](const auto& s, u64 u, Ctx x) { return hw::has_before(s.pte[u]) && Walker(x).can_fill(s.pte[u]); },
      [](auto& s, u64 u) { hw::drain(s.pte[u]); });

  /// Through an entry that is dirty: looks at no memory. Through a clean one it walks, as any store does.
  static constexpr auto user_store = ruleset(
      "user_store", [](const auto& s) { return s.tlb.valid && s.tlb.writable && s.tlb.dirty; },
      [](auto& s) { s.ghost.stored = true; });
  /// Can an executed store walk by descriptor `u`?
  static auto can_walk(const auto& s, u64 u, const Ctx& x) {
    return Walker(x).can_fill(s.pte[u]) && Arch::hw_can_store(V::pte(s, u), Walker(x).hd);
  }
  /// A store to the watched page that walks, by this CPU or another. What it leaves in a TLB, a speculative
  /// walk can, too.
  static constexpr auto walk_store = ruleset<By::page>(
      "walk_store",
      [](const auto& s, u64 u, Ctx x) { return can_walk(s, u, x) && V::serves(s, V::pte(s, u), u); },
      [](auto& s, u64 u) {
        hw::update_entry(s.pte[u], Arch::hw_mark_dirty(V::pte(s, u)));
        s.ghost.stored = true;
      });
  /// The same to another page.
  static constexpr auto walk_store_beside = ruleset<By::page>(
      "walk_store_beside",
      [](const auto& s, u64 u, Ctx x) { return can_walk(s, u, x) && !Arch::hw_dirty(V::pte(s, u)); },
      [](auto& s, u64 u) { hw::update_entry(s.pte[u], Arch::hw_mark_dirty(V::pte(s, u))); });
  /// A speculative walk by another CPU, or for another page, sets AF (D8.5.1).
  static constexpr auto walk = ruleset<By::page>(
      "walk",
      [](const auto& s, u64 u, Ctx x) {
        return Walker(x).can_fill(s.pte[u]) && !Arch::hw_accessed(V::pte(s, u));
      },
      [](auto& s, u64 u) { hw::update_entry(s.pte[u], Arch::hw_mark_accessed(V::pte(s, u))); });

  /// The CPU does what was asked of it. An address of the block reaches the entry for the block (D8.7.1).
  template <class R>
  static constexpr auto invalidate(const char* name, R) {
    return ruleset<By::cpu>(
        name, [](const auto& s, u64) { return R{}(s, 0).posted.pages[0][0] != 0u; },
        [](auto& s, u64, Ctx x) {
          auto&& r = R{}(s, 0);
          const auto pages = load(r.posted.pages[0][0]);
          r.posted.pages[0][0] = 0;
          const bool any = x.knob(KnobId::any_address) == 0;
          const auto block = any || (pages & 1u) != 0u;
          hw::drop_if((s.tlb.block && block) || (!s.tlb.block && V::watches(s, pages)), s.tlb);
        });
  }
};

}  // namespace ptmc::contpte
