// SPDX-License-Identifier: GPL-2.0
// Kernel: the machine of seed 004 (kernel commit 4d4b6d66db63): no deferred flush for an inaccessible PTE.
// Claim: the actors of the parts, the hardware and the faults, over one world; an instance picks from them.
// Omitted: see the parts.
#pragma once
#include "model/mm/fault.hpp"
#include "model/mm/user.hpp"
#include "model/opt/batched_unmap/aging.hpp"
#include "model/opt/batched_unmap/change_prot.hpp"
#include "model/opt/batched_unmap/reclaim.hpp"
#include "model/opt/batched_unmap/zap.hpp"

namespace ptmc::batched_unmap {

template <class D, class B>
struct State {
  using Locks = Array<D, Bits<D, 4>, B::pages, By::page>;
  using Entry = hw::Entry<typename B::Arch, D, mm::issuers>;
  using Ptes = Array<D, Entry, B::pages, By::page>;
  using MmState = mm::Mm<D, B>;
  using Frames = Array<D, mm::Frame<D>, B::frames, By::frame>;
  using Tlb = Array<D, hw::TlbEntry<D, B::frames>, B::pages, By::page>;
  using Tlbs = Array<D, Tlb, B::cpus, By::cpu>;
  using SwapCache = Array<D, Flag<D>, B::pages, By::page>;
  using LazyCpu = Array<D, mm::Lazy<D>, 1, By::slot>;  // None if the bound of `slot` is 0.
  using Ghosts = mm::Ghost<D, B>;
  using ReclaimR = ReclaimRegisters<D, B>;
  using MigrateR = MigrateRegisters<D, B>;
  using AgingR = AgingRegisters<D, B>;
  using ChangeR = ChangeRegisters<D, B>;
  using NumaR = Array<D, NumaRegisters<D, B>, 2, By::actor>;
  using ZapR = Array<D, ZapRegisters<D, B>, 2, By::actor>;
  BOOST_HANA_DEFINE_STRUCT(State, (Ptes, pte),  // The page table.
                           (Locks, ptl),        // Lock of each page's table: 0 or issuer + 1.
                           (MmState, mm), (Frames, frame), (Tlbs, tlb),  // [cpu][page]
                           (SwapCache,
                            swap_cache),  // The page's folio is in the swap cache, locked by reclaim.
                           (LazyCpu, lazy), (Ghosts, ghost), (ReclaimR, reclaim), (MigrateR, migrate),
                           (AgingR, aging), (ChangeR, mprotect), (NumaR, numa), (ZapR, zap));
};

/// Everything but what is claimed about it: properties/batched_unmap adds that.
template <class B>
struct Machine {
  using Arch = typename B::Arch;
  using User = mm::User<B>;
  using Fault = mm::Fault<B>;
  using Allocator = mm::Allocator<B>;

  static constexpr const auto& knobs = batched_unmap::knobs<Arch>;
  static constexpr auto operand_absent = &hw::operand_absent<Arch>;
  static constexpr auto actors =
      hana::make_basic_tuple(Reclaim<B>::sequence_, Migrate<B>::sequence_, Aging<B>::sequence_,
                             Mprotect<B>::sequence_, ChangeProtNuma<B>::sequence_, Zap<B>::sequence_);

  /// Kernel commit 8f1d56f64f8d: the batch's flush carries generation 0, which is no generation.
  static constexpr auto ignores_batch = [](const Ctx& x) {
    return Arch::is_x86 && x.knob(KnobId::flush_tlb_func) == 1;
  };
  static constexpr auto ignores_none = [](const Ctx&) { return false; };
  static constexpr auto environment = hana::make_basic_tuple(
      User::fill, User::fill_before, User::user_store, User::enter_lazy_tlb, User::leave_lazy_tlb,
      User::invalidate("invalidate_reclaim", Reclaim<B>::registers, ignores_batch),
      User::invalidate("invalidate_migrate", Migrate<B>::registers, ignores_batch),
      User::invalidate("invalidate_aging", Aging<B>::registers, ignores_none),
      User::invalidate("invalidate_mprotect", Mprotect<B>::registers, ignores_none),
      User::invalidate("invalidate_numa", ChangeProtNuma<B>::registers, ignores_none),
      User::invalidate("invalidate_zap", Zap<B>::registers, ignores_none), Fault::do_anonymous_page,
      Fault::do_swap_page, Fault::do_numa_page, Fault::do_wp_page, Fault::set_young, Allocator::alloc_foreign,
      Allocator::foreign_store, Allocator::free_foreign);

  /// Page v maps frame v, writable, clean (seed 0) or stored to and dirty (seed 1).
  static bool seed(State<Plain, B>& s, u64 k, const Config& config) {
    if (k > 1) return false;
    s.mm.prot = mm::prot_write;
    for (u64 v = 0; v < config.count(By::page); ++v) {
      const u64 clean = Arch::pfn_pte(v, Arch::page_shared);
      const u64 word = k == 1 ? Arch::hw_mark_dirty(clean) : clean;
      if constexpr (Arch::tlbi_is_posted)
        s.pte[v].word = word;
      else
        s.pte[v] = word;
      s.frame[v].refs = 1;
      s.frame[v].unsaved = k == 1;
    }
    return true;
  }
};

}  // namespace ptmc::batched_unmap
