// SPDX-License-Identifier: GPL-2.0
// Kernel: the machine of mprotect's PTE batching (kernel commit cac1db8c3aad, 6.17).
// Claim: the actors of the parts and the hardware, over one VMA; an instance picks from them.
// Omitted: see the parts.
#pragma once
#include "model/opt/mprotect/fork.hpp"
#include "model/opt/mprotect/gup.hpp"
#include "model/opt/mprotect/ksm.hpp"
#include "model/opt/mprotect/mprotect.hpp"
#include "model/opt/mprotect/reclaim.hpp"
#include "model/opt/mprotect/user.hpp"
#include "model/opt/mprotect/writeback.hpp"

namespace ptmc::mprotect {

template <class D, class B>
struct State {
  using Entry = hw::Entry<typename B::Arch, D, issuers>;
  using Ptes = Array<D, Entry, B::pages, By::page>;
  using Tlbs = Array<D, TlbSlot<D, B>, B::cpus, By::cpu>;
  using Batches = Array<D, Bits<D, 1>, B::pages, By::table>;
  using MmState = Mm<D>;
  using FolioState = Folio<D, B>;
  using Ghosts = Ghost<D, B>;
  using MprotectR = MprotectRegisters<D, B>;
  using ForkR = ForkRegisters<D, B>;
  using RmapR = RmapRegisters<D, B>;
  using GupR = GupRegisters<D, B>;
  BOOST_HANA_DEFINE_STRUCT(State, (Ptes, pte), (Tlbs, tlb), (MmState, mm), (FolioState, folio),
                           (Ghosts, ghost), (MprotectR, mprotect), (ForkR, fork), (RmapR, rmap), (GupR, gup));
};

/// Initial states: what a history of faults, forks and clear_refs may have left, page by page.
template <class B>
struct Seeds {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  struct Page {
    u64 word;
    bool exclusive, stored, asked;
  };

  static u64 pages_of(Kind kind) {
    return kind == anon || kind == soft_dirty || kind == shadow_stack ? 3
           : kind == uffd_wp || kind == notified                      ? 2
                                                                      : 1;
  }
  /// Without HD a clean entry takes a fault before its first store; here that fault is over.
  static bool manages_dirty(const Config& config) {
    if constexpr (Arch::tlbi_is_posted) return config.has(arm::Feature::hd);
    return true;
  }
  /// What page `v` may look like, by kind of VMA: `k` < pages_of(kind).
  static Page page(Kind kind, u64 v, u64 k, bool manages_dirty) {
    const u64 ro = Arch::pfn_pte(v + 1, Arch::page_readonly), rw = Arch::pfn_pte(v + 1, Arch::page_shared);
    const u64 dirty = Arch::pte_mkdirty(rw), used = manages_dirty ? rw : dirty,
              saved = Arch::pte_wrprotect(dirty);
    switch (kind) {
      case anon:  // Shared with somebody, or not and read only, or not and writable.
        return k == 0 ? Page{ro, false, false, false} : Page{k == 1 ? ro : used, true, false, false};
      case file:
        return {ro, false, false, false};
      case exclusive:
      case small:
        return {used, true, false, false};
      case two_folios:  // PageAnonExclusive of page cache is PG_mappedtodisk.
        return {V::begins_folio(kind, v) ? ro : used, true, false, false};
      case notified:  // Written and cleaned since; written.
        return {k == 0 ? Arch::pte_mksoft_dirty(ro) : dirty, false, false, false};
      case uffd_wp:  // Write-protected, or resolved and written.
        return {k == 0 ? Arch::pte_mkuffd_wp(ro) : dirty, false, false, k == 0};
      case soft_dirty:  // Never written; written before clear_refs; written since.
        if (k < 2) return {Arch::pte_clear_soft_dirty(k == 0 ? ro : saved), true, false, false};
        return {Arch::pte_mksoft_dirty(dirty), true, true, false};
      case shadow_stack:  // Shared, clean (MADV_FREE, swap) or dirty; not shared.
        if (k < 2) return {k == 0 ? ro : Arch::pte_clear_soft_dirty(saved), false, false, false};
        [[fallthrough]];
      default:
        return {Arch::pte_mkwrite(ro, vm::shadow_stack), true, false, false};
    }
  }

  static bool seed(State<Plain, B>& s, u64 k, const Config& config) {
    const Kind kind = V::kind(config);
    s.mm.prot = kind == file ? mm::prot_read : mm::prot_write;
    s.folio.exclusive[0] = V::is_anon(kind) && kind != small;
    s.ghost.other[0] = kind == file || kind == small;
    for (u64 v = 0; v < config.count(By::page); ++v, k /= pages_of(kind)) {
      const Page p = page(kind, v, k % pages_of(kind), manages_dirty(config));
      hw::settle_entry(s.pte[v], p.word);
      s.folio.exclusive[v + 1] = p.exclusive;
      s.ghost.other[v + 1] = kind == file || V::begins_folio(kind, v) ||
                             ((kind == anon || kind == shadow_stack) && !p.exclusive);
      s.ghost.stored[v] = p.stored;
      s.ghost.asked[v] = p.asked;
      const bool written = kind == notified && Arch::pte_dirty(p.word);
      s.ghost.notified = s.ghost.notified || written;
      s.folio.dirty = s.folio.dirty || written;
    }
    return k == 0;
  }
};

/// Everything but what is claimed about it: properties/mprotect adds that.
template <class B>
struct Machine {
  using Arch = typename B::Arch;
  static constexpr const auto& knobs = mprotect::knobs<Arch>;
  static constexpr auto operand_absent = &hw::operand_absent<Arch>;
  static constexpr auto actors =
      hana::make_basic_tuple(Mprotect<B>::sequence_, Fork<B>::sequence_, Writeback<B>::sequence_,
                             Reclaim<B>::sequence_, Ksm<B>::sequence_, Gup<B>::sequence_);
  static constexpr auto environment =
      hana::make_basic_tuple(User<B>::fill, User<B>::fill_before, User<B>::user_store,
                             Flush<B, by_mprotect>::invalidate("invalidate_mprotect", Mprotect<B>::registers),
                             Flush<B, by_fork>::invalidate("invalidate_fork", Fork<B>::registers),
                             Flush<B, by_rmap>::invalidate("invalidate_writeback", Writeback<B>::registers),
                             Flush<B, by_rmap>::invalidate("invalidate_reclaim", Reclaim<B>::registers),
                             Flush<B, by_rmap>::invalidate("invalidate_ksm", Ksm<B>::registers),
                             Writeback<B>::wp_page_shared, Reclaim<B>::do_swap_page, Ksm<B>::wp_page_reuse);

  static bool seed(State<Plain, B>& s, u64 k, const Config& config) { return Seeds<B>::seed(s, k, config); }
};

}  // namespace ptmc::mprotect
