// SPDX-License-Identifier: GPL-2.0
// Kernel: one contpte block of a user mm and what its callers hold (arch/arm64/mm/contpte.c, 6.12).
// Claim: the block's descriptors, the locks, and one TLB entry of one CPU for one page, the watched one,
// which
//   may be any of the block. That is enough: each property speaks of one entry and one page, and all that
//   other entries and other CPUs can do to memory, setting AF and clearing AP[2], depends on the descriptor
//   as it is at that moment: rules without a state (user.hpp) do it for any number of them.
// Omitted: several blocks a range, other memory types, CONT at PMD level (hugetlb), special mappings; each
//   block lies in one folio (but for a page that a write fault has copied).
#pragma once
#include "model/arch/arm64.hpp"
#include "model/hw/features.hpp"
#include "model/hw/invalidate.hpp"
#include "model/hw/visibility.hpp"
#include "model/mm/flush.hpp"
#include "model/opt/contpte/knobs.hpp"
#include "model/opt/mprotect/decide.hpp"

namespace ptmc::contpte {

/// Who stores to entries: a call (mprotect, fork, zap, a fault that copies), and who else takes the PTL.
enum Issuer : u64 { by_call, by_other, issuers };

/// CONT_PTES is `pages_`: 16 with pages of 4 KiB.
template <class A, u64 pages_>
struct Bounds {
  using Arch = A;
  static constexpr u64 cpus = 1, pages = pages_;
  static constexpr u64 all_pages = bits(pages_ - 1, 0);
};

/// What the CPU has cached for the watched page. `block` implies `cont`.
template <class D>
struct TlbSlot {
  using F = Flag<D>;
  BOOST_HANA_DEFINE_STRUCT(TlbSlot, (F, valid), (F, block),  // One entry for the whole block.
                           (F, cont),                        // Read from a CONT descriptor.
                           (F, copy),  // Output address: a copied page, not the block's.
                           (F, writable), (F, dirty));
};

template <class D>
struct Mm {
  using F = Flag<D>;
  BOOST_HANA_DEFINE_STRUCT(Mm, (F, writer), (F, reader),      // mmap_lock, or the VMA's.
                           (F, ptl_held), (F, folio_locked),  // PG_locked.
                           (F, flush_pending),                // tlb_flush_pending: a gather is open.
                           (F, batched));                     // tlb_flush_batched: more pending than flushed.
};

/// History that no guard of software reads, of the watched page.
template <class D, class B>
struct Ghost {
  using F = Flag<D>;
  using Page = Bits<D, bits_for(B::pages)>;
  BOOST_HANA_DEFINE_STRUCT(
      Ghost, (Page, watched), (F, read_only),  // A call that took W has returned.
      (F, closed),                             // A call that took every right has returned.
      (F, gone),                               // A call that gave the page back has returned.
      (F, unmapped),  // A call that gives the page back has begun; no fault mapped it since.
      (F, granted),   // mprotect(PROT_WRITE) has returned; nobody took W since.
      (F, stored),    // A store went through, to be found by D.
      (F, found),     // It was: PG_dirty of the page's folio, until the page is given back.
      (F, lost),      // It was not when the page was given back.
      (F, served),    // A write fault has returned; nobody took W or AF since.
      (F, freeing),   // MADV_FREE has begun: what is stored until it returns may be lost.
      (F, owed));     // A lock-free reader has begun after a store that it has to find.
};

/// Of every actor that takes the PTL.
template <class D, class B>
struct Registers {
  using Entry = Word<D>;
  using F = Flag<D>;
  using Page = Bits<D, bits_for(B::pages + 1)>;
  using Two = Bits<D, 2>;
  using Mask = Bits<D, B::pages>;
  using P = mm::Posts<D, B>;
  BOOST_HANA_DEFINE_STRUCT(Registers, (Entry, old),             // As read, gathered, merged; then ptent.
                           (Entry, raw),                        // One descriptor, as read.
                           (Entry, pte),                        // Of contpte_convert and set_ptes.
                           (Page, first), (Page, end),          // The call's range.
                           (Page, page), (Page, batch),         // The batch at hand: [page, batch).
                           (Page, stop),                        // The end of its sub-batches.
                           (F, same), (F, young), (F, closed),  // Of loops that look for a difference.
                           (F, drains),                         // A batch of reclaim is pending.
                           (Mask, changed),                     // Pages that the mmu_gather has seen.
                           (Two, target), (P, posted));
};

// ---- vocabulary ----
template <class B>
struct Vocabulary {
  using Arch = typename B::Arch;
  using Words = mprotect::Decide<Arch>;

  static constexpr u64 one(u64 v) { return bit(static_cast<unsigned>(v)); }
  static auto pte(const auto& s, u64 v) { return hw::load_entry(s.pte[v]); }
  static auto pte_at(const auto& s, const auto& v) { return hw::load_entry(at(s.pte, load(v))); }
  static auto cont(const auto& word) { return Arch::pte_valid_cont(word); }
  /// A page of the block, or a copy made of it.
  static auto is_copy(const auto& word) { return Arch::hw_pfn(word) >= B::pages; }

  /// The first entry's word, from that of entry `v`: ALIGN_DOWN(pte_pfn(pte), CONT_PTES).
  static auto aligned(const auto& word) {
    return Arch::pfn_pte(Arch::pte_pfn(word) & ~(B::pages - 1), Arch::pte_pgprot(word));
  }
  /// Pages first..end-1 as a mask.
  static auto span(const auto& first, const auto& end) {
    return hw::mask_of<B::pages>(hw::PageRange{first, end});
  }
  /// From the first to the last page of `mask`: what an mmu_gather flushes.
  static auto hull(const auto& mask) {
    u64 pages = 0;
    for (unsigned v = 0; v < B::pages; ++v) {
      const auto begun = (wide(mask) & bits(v, 0)) != 0u, ended = (wide(mask) >> v) == 0u;
      pages |= ite(begun && !ended, bit(v), u64{0});
    }
    return pages;
  }
  static auto watched(const auto& s) { return hw::load_entry(at(s.pte, load(s.ghost.watched))); }
  /// Is the watched page in this mask?
  static auto watches(const auto& s, const auto& mask) {
    return ((wide(mask) >> s.ghost.watched) & 1u) != 0u;
  }
  /// May a walk for the watched page use descriptor `u`? Its own, or any CONT one of the block (D8.7.1).
  static auto serves(const auto& s, const auto& word, u64 u) {
    return s.ghost.watched == u || Arch::hw_cont(word);
  }
};

}  // namespace ptmc::contpte
