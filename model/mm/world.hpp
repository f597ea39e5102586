// SPDX-License-Identifier: GPL-2.0
// Kernel: mm_struct, vm_area_struct, folio, tlbflush_unmap_batch as far as seed 004 reads them
//   (include/linux/mm_types.h, mm_types_task.h, 6.12).
// Claim: page tables, their locks, counters and frames, and one TLB per user CPU: the state that actors
// share. Omitted: upper tables (nothing here removes one: facts mremap/B4), several mms, large folios, fork,
// pins, memcg.
#pragma once
#include "model/hw/invalidate.hpp"
#include "model/hw/tlb.hpp"
#include "model/hw/visibility.hpp"
#include "model/hw/walker.hpp"

namespace ptmc::mm {

/// Who stores to entries and issues invalidations; also the owner numbers of the PTL (plus one, 0 is free).
enum Issuer : u64 {
  by_reclaim,
  by_migrate,
  by_aging,
  by_mprotect,
  by_numa,
  by_numa_1,
  by_zap,
  by_zap_1,
  by_fault,
  issuers
};

/// Rights of the VMA, in the order of growing rights. vm_page_prot of a private VMA never has write: W is
/// added by can_change_pte_writable and by write faults (all anonymous pages here are exclusive).
enum Prot : u64 { prot_none, prot_read, prot_write };

/// Bounds that fix the size of a state. `generation_bits`: width of the two halves of mm->tlb_flush_batched.
template <class A, u64 cpus_, u64 pages_, u64 frames_, unsigned generation_bits_>
struct Bounds {
  using Arch = A;
  static constexpr u64 cpus = cpus_, pages = pages_, frames = frames_;
  static constexpr unsigned generation_bits = generation_bits_;
  static constexpr u64 all_pages = bits(pages_ - 1, 0);
  /// No unmapping begins when this many batches are pending: the bound of an exploration. Those under way
  /// then may pass it; far from the real width (15 bits) it is no bound at all, and the step that counts
  /// assumes "no wrap".
  static constexpr u64 generation_cap = generation_bits_ <= 3 ? 3 : bits(generation_bits_ - 1, 0) - 8;
};

template <class D>
struct Frame {
  using Refs = Bits<D, 2>;
  using F = Flag<D>;
  BOOST_HANA_DEFINE_STRUCT(Frame,
                           (Refs,
                            refs),  // References of this mm: its PTE or a gather, an isolation. 0: not ours.
                           (F, isolated),  // Taken off the LRU: one of reclaim and migration works on it.
                           (F, foreign),   // Owned by somebody else.
                           (F, dirty),     // folio_dirty.
                           (F, unsaved));  // Ghost: holds a store that neither swap nor a copy has.
};

template <class D, class B>
struct Mm {
  using F = Flag<D>;
  using Count = Bits<D, 3>;
  using Readers = Bits<D, 3>;
  using Rights = Bits<D, 2>;
  using Generation = Bits<D, B::generation_bits>;
  BOOST_HANA_DEFINE_STRUCT(Mm, (F, writer), (Readers, readers),  // mmap_lock.
                           (Rights, prot),                       // VM_READ | VM_WRITE and vm_page_prot: Prot.
                           (Count, flush_pending),               // tlb_flush_pending: open gathers.
                           (Generation, pending),                // tlb_flush_batched, low half.
                           (Generation, flushed));               // tlb_flush_batched, high half.
};

/// x86: the last user CPU may go lazy, keeping its entries. `behind`: its tlb_gen is below the mm's: exactly
/// what switch_mm_irqs_off compares when it leaves lazy mode.
template <class D>
struct Lazy {
  using F = Flag<D>;
  BOOST_HANA_DEFINE_STRUCT(Lazy, (F, active), (F, behind));
};

/// History that no guard reads.
template <class D, class B>
struct Ghost {
  using F = Flag<D>;
  using PerPage = Array<D, F, B::pages, By::page>;
  BOOST_HANA_DEFINE_STRUCT(Ghost, (F, unsettled),  // An mprotect has begun and not returned.
                           (F, migrating),         // A migration has begun and not returned.
                           (F, lost),              // A frame with an unsaved store was given up.
                           (PerPage,
                            discarded));  // MADV_DONTNEED has returned, nobody touched the page since.
};

// ---- vocabulary of guards and effects ----
template <class B>
struct Vocabulary {
  using Arch = typename B::Arch;

  static auto pte(const auto& s, u64 v) { return hw::load_entry(s.pte[v]); }
  /// The frame number of a present entry, as an index of s.frame.
  static auto frame_of(const auto& word) { return Arch::pte_pfn(word) & low(bits_for(B::frames)); }
  static constexpr u64 low(unsigned n) { return bits(n - 1, 0); }

  /// mk_pte(frame, vm_page_prot) for the rights `prot`: never writable.
  static auto mk_pte(const auto& frame, const auto& prot) {
    return Arch::pfn_pte(wide(frame), page_prot(prot));
  }
  static auto page_prot(const auto& prot) {
    return ite(prot == u64{prot_none}, Arch::page_none, Arch::page_readonly);
  }
  /// pte_mkwrite if the rights allow writing (can_change_pte_writable of an exclusive anonymous page).
  static auto maybe_mkwrite(const auto& word, const auto& prot) {
    return ite(prot == u64{prot_write}, Arch::pte_mkwrite(word), wide(word));
  }

  /// One reference less; at none the frame is free and its content is gone.
  static void put(auto& s, const auto& frame) {
    update(s.frame, frame, [](auto& f) {
      const auto last = f.refs == 1u;
      f.refs = f.refs - 1u;
      when(last, f, [](auto& g) {
        g.dirty = false;
        g.unsaved = false;
      });
    });
  }
  static void get(auto& s, const auto& frame) {
    update(s.frame, frame, [](auto& f) { f.refs = f.refs + 1u; });
  }
  static auto is_free(const auto& f) { return f.refs == 0u && !f.foreign; }

  /// Each page lies in a page table of its own, with a lock of its own.
  static constexpr auto ptl_free = [](const auto& s, const auto&, Ctx x) { return s.ptl[x.i] == 0u; };

  /// A CPU that is lazy executes nothing in user space.
  static auto runs(const auto& s, u64 c) { return !(s.lazy[0].active && c + 1 == B::cpus); }
};

}  // namespace ptmc::mm
