// SPDX-License-Identifier: GPL-2.0
// Kernel: mm_struct, vm_area_struct, folio and PageAnonExclusive as far as mprotect reads them
//   (include/linux/mm_types.h, page-flags.h, 6.12 and 6.17).
// Claim: one VMA that maps pages 1 to 3 of a folio of four, its page table, and one TLB entry a user CPU.
// Omitted: several gathers at a time (seed 004's machine has them), several page tables, VMA split and merge,
// contpte, page 0's own entry: it belongs to another VMA and nobody here changes it.
#pragma once
#include "model/hw/invalidate.hpp"
#include "model/hw/visibility.hpp"
#include "model/hw/walker.hpp"
#include "model/mm/world.hpp"
#include "model/opt/mprotect/decide.hpp"
#include "model/opt/mprotect/knobs.hpp"

namespace ptmc::mprotect {

/// Who stores to entries; also the owner numbers of the PTL (plus one, 0 is free).
enum Issuer : u64 { by_mprotect, by_fork, by_rmap, by_fault, issuers };

/// The range has `pages_` entries; the folio one page more, before them.
template <class A, u64 cpus_, u64 pages_>
struct Bounds {
  using Arch = A;
  static constexpr u64 cpus = cpus_, pages = pages_, folio_pages = pages_ + 1;
  static constexpr u64 all_pages = bits(pages_ - 1, 0);
};

/// What a CPU has cached: one entry suffices. A property speaks of one entry and one page; entries may be
/// dropped at any time; and what another one could have done before, setting A or D of some page, it can also
/// do when it is filled just for that.
template <class D, class B>
struct TlbSlot {
  using F = Flag<D>;
  using Page = Bits<D, bits_for(B::pages)>;
  using Frame = Bits<D, bits_for(B::folio_pages)>;
  BOOST_HANA_DEFINE_STRUCT(TlbSlot, (F, valid), (Page, page),  // Of the range.
                           (Frame, frame),                     // Page of the folio.
                           (F, writable),  // Shadow-stack memory: by a shadow-stack store.
                           (F, dirty));
};

template <class D, class B>
struct Folio {
  using F = Flag<D>;
  using PerFrame = Array<D, F, B::folio_pages>;
  BOOST_HANA_DEFINE_STRUCT(Folio, (PerFrame, exclusive),  // PageAnonExclusive.
                           (F, mapped_shared),            // folio_maybe_mapped_shared.
                           (F, dirty), (F, locked),       // PG_dirty, PG_locked.
                           (F, swapcache));               // PG_swapcache.
};

template <class D>
struct Mm {
  using F = Flag<D>;
  using Rights = Bits<D, 2>;
  BOOST_HANA_DEFINE_STRUCT(Mm, (F, writer), (F, reader),       // mmap_lock; faults hold it within a step.
                           (F, ptl_held), (F, write_protect),  // write_protect_seq is odd.
                           (F, flush_pending),                 // tlb_flush_pending: a gather is open.
                           (F, batched),     // tlb_flush_batched: more pending than flushed.
                           (Rights, prot));  // mm::Prot.
};

/// History that no guard reads.
template <class D, class B>
struct Ghost {
  using F = Flag<D>;
  using Page = Bits<D, bits_for(B::pages)>;
  using Frame = Bits<D, bits_for(B::folio_pages)>;
  using PerPage = Array<D, F, B::pages, By::page>;
  using PerFrame = Array<D, F, B::folio_pages>;
  BOOST_HANA_DEFINE_STRUCT(Ghost, (F, revoking),  // A call that takes rights away has not returned.
                           (PerFrame, other),     // Somebody else reads this page and relies on it: a
                                                  // child, whom it gave the page to, the page cache.
                           (PerPage, stored),     // A store went through this page, still to be found.
                           (PerPage, asked),      // userfaultfd wants to hear of the next store.
                           (F, notified),         // The file system knows that the folio is written.
                           (F, cleaning),         // Writeback or KSM has an entry in its hands.
                           (F, saving),           // What is stored now goes to disk with the rest.
                           (F, evicting),         // Reclaim has begun and not returned.
                           (F, pin),              // Somebody else has got this page to read or write it:
                           (Page, pin_page), (Frame, pin_frame));
};

// ---- vocabulary ----
struct Cet {
  static constexpr bool shstk = true;
};
/// Shadow-stack memory: what counts as a store is a shadow-stack store (SDM 4.6.1).
template <class Arch>
struct ShadowStackView : Arch {
  template <class H = bool>
  static constexpr auto hw_can_store(const auto& e, const H& = H{true}, Level = Level::pte) {
    return Arch::hw_can_shadow_stack_store(e, Cet{});
  }
};

template <class B>
struct Vocabulary {
  using Arch = typename B::Arch;
  using Words = Decide<Arch>;

  static Kind kind(const Ctx& x) { return kind(*x.config); }
  static Kind kind(const Config& config) { return static_cast<Kind>(config.choice(KnobId::vma)); }
  static bool is_stack(Kind k) { return k == shadow_stack || k == exclusive_stack; }
  static bool is_anon(Kind k) {
    return k == anon || k == exclusive || k == two_folios || k == small || k == soft_dirty || is_stack(k);
  }
  static bool is_anon(const Ctx& x) { return is_anon(kind(x)); }
  /// Page `v` of the range begins a folio, not of the kind of the one before.
  static bool begins_folio(Kind k, u64 v) { return k == two_folios && v + 1 == B::pages; }

  static auto pte(const auto& s, u64 v) { return hw::load_entry(s.pte[v]); }
  /// Page of the folio that an entry maps.
  static auto frame_of(const auto& word) {
    return Arch::pte_pfn(word) & bits(bits_for(B::folio_pages) - 1, 0);
  }
  /// The swap entry of a page, its place in swap numbered as its frame is.
  static auto swap_entry(const auto& frame) { return Arch::swp_entry_to_pte(Arch::swp_entry(u64{0}, frame)); }
  static auto is_swap_entry_of(const auto& word, u64 v) {
    return Arch::is_swap_pte(word) && Arch::pte_to_swp_entry(word) == Arch::swp_entry(u64{0}, v + 1);
  }
  // ---- counts of a folio: what GUP and KSM hold says what they are ----
  static auto referenced(const auto& s, const auto& v, const Ctx& x) {
    return s.gup.holds && (kind(x) != small || s.gup.page == v);
  }
  static auto maybe_dma_pinned(const auto& s, const auto& v, const Ctx& x) {
    return referenced(s, v, x) && s.gup.foll != u64{get_to_write};
  }
  static bool has_gup(const Ctx& x) { return x.knob(KnobId::gup) != 0; }
  static auto can_store(const auto& word, const Config& config) {
    return is_stack(kind(config)) ? ShadowStackView<Arch>::hw_can_store(word) : Arch::hw_can_store(word);
  }

  /// The VMA with these rights. VM_SOFTDIRTY set: stores are not tracked.
  static auto vma(const auto& prot, const Config& config) {
    const auto rights = ite(prot == u64{mm::prot_write}, vm::read | vm::write,
                            ite(prot == u64{mm::prot_read}, vm::read, u64{0}));
    u64 kind_flags = kind(config) == soft_dirty ? 0 : vm::soft_dirty;
    if (kind(config) == notified || kind(config) == uffd_wp) kind_flags |= vm::shared;
    if (kind(config) == uffd_wp) kind_flags |= vm::uffd_wp;
    if (is_stack(kind(config))) kind_flags |= vm::shadow_stack;
    return Vma<bool, u64>{rights | kind_flags, kind(config) == notified, false};
  }
  static auto vma(const auto& prot, const Ctx& x) { return vma(prot, *x.config); }
  struct Cpu : NoFeatures {
    bool shstk;
  };
  static Cpu cpu(const Ctx& x) { return {{}, is_stack(kind(x))}; }
};

}  // namespace ptmc::mprotect
