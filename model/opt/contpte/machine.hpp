// SPDX-License-Identifier: GPL-2.0
// Kernel: the machine of arm64's contpte (arch/arm64/mm/contpte.c, 6.12).
// Claim: callers of contpte's API and the hardware, over one block; an instance picks from them.
// Omitted: see the parts.
#pragma once
#include "model/opt/contpte/aging.hpp"
#include "model/opt/contpte/fault.hpp"
#include "model/opt/contpte/fork.hpp"
#include "model/opt/contpte/lockless.hpp"
#include "model/opt/contpte/madvise.hpp"
#include "model/opt/contpte/mprotect.hpp"
#include "model/opt/contpte/reclaim.hpp"
#include "model/opt/contpte/user.hpp"
#include "model/opt/contpte/zap.hpp"

namespace ptmc::contpte {

template <class D, class B>
struct State {
  using Entry = hw::Entry<typename B::Arch, D, issuers>;
  using Ptes = Array<D, Entry, B::pages, By::page>;
  using Tlb = TlbSlot<D>;
  using MmState = Mm<D>;
  using Ghosts = Ghost<D, B>;
  using R = Registers<D, B>;
  using ReclaimR = ReclaimRegisters<D, B>;
  BOOST_HANA_DEFINE_STRUCT(State, (Ptes, pte), (Tlb, tlb), (MmState, mm), (Ghosts, ghost), (R, mprotect),
                           (R, fork), (R, zap), (R, copy), (R, fault), (R, aging), (R, map),
                           (ReclaimR, reclaim), (R, swapin), (R, madvise), (R, lockless));
};

/// Everything but what is claimed about it: properties/contpte adds that.
template <class B>
struct Machine {
  using Arch = typename B::Arch;
  using U = User<B>;
  static constexpr const auto& knobs = contpte::knobs;
  static constexpr auto operand_absent = &hw::operand_absent<Arch>;
  static constexpr auto actors = hana::make_basic_tuple(
      Mprotect<B>::sequence_, Fork<B>::sequence_, Zap<B>::sequence_, Copy<B>::sequence_, Fault<B>::sequence_,
      Aging<B>::sequence_, Map<B>::sequence_, Reclaim<B>::sequence_, SwapIn<B>::sequence_,
      Madvise<B>::sequence_, Lockless<B>::sequence_);
  static constexpr auto environment = hana::make_basic_tuple(
      U::fill, U::fill_block, U::fill_before, U::fill_block_before, U::seen, U::user_store, U::walk_store,
      U::walk_store_beside, U::walk, U::invalidate("invalidate_mprotect", Mprotect<B>::registers),
      U::invalidate("invalidate_fork", Fork<B>::registers),
      U::invalidate("invalidate_zap", Zap<B>::registers),
      U::invalidate("invalidate_copy", Copy<B>::registers),
      U::invalidate("invalidate_fault", Fault<B>::registers),
      U::invalidate("invalidate_aging", Aging<B>::registers),
      U::invalidate("invalidate_map", Map<B>::registers),
      U::invalidate("invalidate_reclaim", Reclaim<B>::registers),
      U::invalidate("invalidate_swapin", SwapIn<B>::registers),
      U::invalidate("invalidate_madvise", Madvise<B>::registers));

  /// All entries young; all clean, or the last has been stored to. Any page is watched.
  static bool seed(State<Plain, B>& s, u64 k, const Config& config) {
    const u64 contents = config.choice(KnobId::contents);
    const u64 watched = k % B::pages, stored_to = k / B::pages;
    const bool hd = config.has(arm::Feature::hd);
    for (u64 v = 0; v < B::pages; ++v) {
      u64 word = Arch::pfn_pte(v, contents == read_only ? Arch::page_readonly : Arch::page_shared);
      if (contents != unfolded) word = Arch::pte_mkcont(word);
      if (stored_to == 1 && v + 1 == B::pages)
        word = hd ? Arch::hw_mark_dirty(word) : Arch::pte_mkdirty(word);
      hw::settle_entry(s.pte[v], word);
    }
    s.ghost.watched = watched;
    s.ghost.read_only = contents == read_only;
    return stored_to < (contents == read_only ? 1 : 2);
  }
};

}  // namespace ptmc::contpte
