// What observers of a contpte block must never see, and what must be reachable for the claims to mean
// something.
//
// Observers: a CPU through what its TLB grants, a walker that manages neither AF nor dirty state, whoever
// looks for stores under the PTL, and the callers when they have returned. `bbm` looks at what a TLB holds
// beside what a walk can read; no property looks at which flushes the code has made.
#pragma once
#include "model/opt/contpte/machine.hpp"

namespace ptmc::contpte {

template <class B>
struct Properties {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;

  static auto each_page(auto claim) { return for_all<B::pages>(claim); }

  static constexpr auto bbm =
      always("bbm", "no CPU can hold two translations of one page that the architecture forbids to meet",
             [](const auto& s, const auto& w) {
               const bool level2 = w.config().has(arm::Feature::bbm2);
               const auto word = V::watched(s);
               return !s.tlb.valid || !Arch::hw_valid(word) ||
                      (V::is_copy(word) == s.tlb.copy && (level2 || Arch::hw_cont(word) == s.tlb.cont));
             });
  static constexpr auto stale =
      always("stale", "no CPU can use a right that a call has taken and returned", [](const auto& s) {
        return !s.tlb.valid || (!s.ghost.closed && !(s.tlb.writable && s.ghost.read_only));
      });
  static constexpr auto excess = always(
      "excess", "no walk can find a right that the mapping does not give", [](const auto& s, const auto& w) {
        const bool hd = w.config().has(arm::Feature::hd);
        return each_page([&](u64 u) {
          const auto word = V::pte(s, u);
          return implies(Arch::hw_valid(word) && V::serves(s, word, u),
                         !s.ghost.closed && !(Arch::hw_can_store(word, hd) && s.ghost.read_only));
        });
      });
  static constexpr auto reach =
      always("reach", "no CPU can reach a page that was given back",
             [](const auto& s) { return !s.tlb.valid || !s.ghost.gone || s.tlb.copy; });
  /// Of a CONT block the kernel looks at all entries.
  static constexpr auto lost =
      always("lost", "each store is found by whoever looks for it", [](const auto& s) {
        const auto word = V::watched(s);
        const auto dirty = exists<B::pages>(
            [&](u64 u) { return Arch::pte_dirty(V::pte(s, u)) && (s.ghost.watched == u || V::cont(word)); });
        const auto looked_for = s.ghost.stored && Arch::pte_present(word) && !V::is_copy(word);
        const auto may_be_lost = s.mm.ptl_held || s.ghost.freeing;
        return !s.ghost.lost && (may_be_lost || implies(looked_for, dirty || s.ghost.found));
      });
  /// facts mprotect/I13.
  static constexpr auto uniform = always(
      "uniform", "the entries of a block agree in CONT, frames and rights while nobody has the PTL",
      [](const auto& s) {
        const auto plain = [](const auto& word) { return Arch::pte_mkold(Arch::pte_mkclean(word)); };
        const auto first = V::pte(s, 0);
        const auto any = exists<B::pages>([&](u64 v) { return V::cont(V::pte(s, v)); });
        return s.mm.ptl_held || !any || each_page([&](u64 v) {
                 return V::cont(first) && plain(V::pte(s, v)) == Arch::pte_advance_pfn(plain(first), v);
               });
      });
  /// A fault that has returned lets every walker store, also by what its TLB holds: else it faults for ever;
  /// mprotect has given W; no page is lost or mistaken. Under the PTL an entry may be none for a while.
  static constexpr auto done = always(
      "done", "a call that has returned has done what it promised: rights, frames, and nothing unmapped else",
      [](const auto& s) {
        const auto word = V::watched(s);
        const auto served = Arch::hw_can_store(word, false) && Arch::hw_accessed(word);
        const auto frame = (Arch::pte_pfn(word) & (B::pages - 1)) == s.ghost.watched;
        const auto kept = ite(Arch::pte_present(word), frame, load(s.ghost.unmapped));
        const auto writable = Arch::pte_valid(word) && Arch::pte_write(word);
        const auto refused = s.tlb.valid && !s.tlb.writable;
        return implies(load(s.ghost.served), served && !refused) &&
               (s.mm.ptl_held || (implies(load(s.ghost.granted), writable) && kept));
      });

  // ---- covers ----
  static auto all_cont(const auto& s) {
    return each_page([&](u64 v) { return V::cont(V::pte(s, v)); });
  }
  static auto none_cont(const auto& s) {
    return each_page([&](u64 v) { return Arch::pte_valid(V::pte(s, v)) && !V::cont(V::pte(s, v)); });
  }
  static constexpr auto is_folded = sometimes("folded", "the block is folded and nobody has the PTL",
                                              [](const auto& s) { return !s.mm.ptl_held && all_cont(s); });
  static constexpr auto is_unfolded =
      sometimes("unfolded", "the block is valid, unfolded, and nobody has the PTL",
                [](const auto& s) { return !s.mm.ptl_held && none_cont(s); });
  static constexpr auto block_cached = sometimes(
      "block_in_window", "a CPU holds the block's entry while all its descriptors are 0",
      [](const auto& s) { return s.tlb.block && each_page([&](u64 v) { return V::pte(s, v) == 0u; }); });
  static constexpr auto two_sizes = sometimes(
      "two_sizes", "a CPU holds a block's entry while the table has a single one, or the other way around",
      [](const auto& s) {
        const auto word = V::watched(s);
        return s.tlb.valid && Arch::hw_valid(word) && Arch::hw_cont(word) != s.tlb.cont;
      });
  static constexpr auto revoked_but_cached = sometimes(
      "revoked_but_cached", "a CPU can store to a page that the table makes read-only, before the flush",
      [](const auto& s) {
        const auto word = V::watched(s);
        return s.tlb.valid && s.tlb.writable && Arch::hw_valid(word) && !Arch::hw_can_store(word);
      });
  static constexpr auto deferred = sometimes(
      "deferred", "a CPU can store to a page that has a swap entry by now, before the flush",
      [](const auto& s) { return s.tlb.valid && s.tlb.writable && V::watched(s) == Arch::swap_entry; });
  static constexpr auto mixed =
      sometimes("mixed", "a folded block is part dirty, part clean", [](const auto& s) {
        return all_cont(s) && Arch::pte_dirty(V::pte(s, 0)) != Arch::pte_dirty(V::pte(s, B::pages - 1));
      });
};

/// The machine with what is claimed about it: what lowerings take.
template <class B>
struct Model : Machine<B> {
  template <class D>
  using State = contpte::State<D, B>;
  using P = Properties<B>;
  static constexpr auto predicates = hana::make_basic_tuple(
      P::bbm, P::stale, P::excess, P::reach, P::lost, P::uniform, P::done, P::is_folded, P::is_unfolded,
      P::block_cached, P::two_sizes, P::revoked_but_cached, P::mixed, P::deferred);
  static constexpr auto lemmas = hana::make_basic_tuple();
};

}  // namespace ptmc::contpte
