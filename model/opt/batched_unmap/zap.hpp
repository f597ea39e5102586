// SPDX-License-Identifier: GPL-2.0
// Kernel: mm/madvise.c madvise_dontneed_single_vma, mm/memory.c zap_pte_range, mm/mmu_gather.c (6.12).
// Claim: when MADV_DONTNEED returns, nobody reads or writes the discarded pages, and their frames are free.
// Omitted: munmap (the write lock excludes more), MADV_FREE, swap slot accounting, rss, freeing of page
// tables.
#pragma once
#include "model/opt/batched_unmap/change_prot.hpp"

namespace ptmc::batched_unmap {

template <class D, class B>
struct ZapRegisters {
  using F = Flag<D>;
  using Mask = Bits<D, B::pages>;
  using Folio = Bits<D, bits_for(B::frames)>;
  using Folios = Array<D, Folio, B::pages, By::page>;
  using PerPage = Array<D, F, B::pages, By::page>;
  using Generation = Bits<D, B::generation_bits>;
  using P = mm::Posts<D, B>;
  BOOST_HANA_DEFINE_STRUCT(ZapRegisters, (Mask, changed),         // Pages to flush.
                           (PerPage, gathered), (Folios, folio),  // Frames to put after the flush.
                           (PerPage, touched),  // Ghost: faulted in again since this call began.
                           (Generation, batch_pending), (Generation, batch_flushed), (P, posted));
};

template <class B>
struct Zap {
  using Arch = typename B::Arch;
  using V = mm::Vocabulary<B>;
  using Range = ChangePteRange<B, mm::by_zap>;
  static constexpr auto registers = [](auto& s, u64 self) -> decltype(auto) { return s.zap[self]; };

  /// Present: into the gather. Swap and migration entries: just gone.
  static constexpr auto get_and_clear = step("ptep_get_and_clear_full", [](auto& s, auto& r, Ctx x) {
    const auto word = V::pte(s, x.i);
    const auto present = Arch::pte_present(word);
    const auto frame = V::frame_of(word);
    r.gathered[x.i] = present;
    r.folio[x.i] = ite(present, frame, frame & 0u);
    r.changed = r.changed | ite(present, bit(static_cast<unsigned>(x.i)), u64{0});
    r.touched[x.i] = false;
    s.reclaim.alone[x.i] = s.reclaim.alone[x.i] && word != Arch::swap_entry;
    s.migrate.alone[x.i] = s.migrate.alone[x.i] && !Migrate<B>::is_migration(word);
    static_cast<void>(hw::xchg_entry(s.pte[x.i], mm::by_zap + x.self, u64{0}));
  });
  static constexpr auto free_pages = step("free_pages_and_swap_cache", [](auto& s, auto& r, Ctx x) {
    V::put(s, r.folio[x.i]);
    r.gathered[x.i] = false;
    r.folio[x.i] = 0;
  });

  static constexpr auto sequence_ = sequence<2>(
      "madvise_dontneed", registers,
      step(
          "mmap_read_lock", [](const auto& s) { return !s.mm.writer; },
          [](auto& s) { s.mm.readers = s.mm.readers + 1u; }),
      Range::tlb_gather_mmu,
      loop<By::page>(block("zap_pte_range", Range::lock, Range::Flush::flush_tlb_batched_pending(),
                           get_and_clear, Range::unlock)),
      block("tlb_finish_mmu",
            step("mm_tlb_flush_nested",
                 [](auto& s, auto& r) {
                   r.changed = ite(u64{1} < s.mm.flush_pending, B::all_pages, load(r.changed));
                 }),
            if_([](const auto& r) { return r.changed != 0u; },
                Range::Flush::range("tlb_flush_mmu", Range::changed_pages)),
            loop<By::page>(if_([](const auto& r, Ctx x) { return load(r.gathered[x.i]); }, free_pages)),
            Range::dec_tlb_flush_pending, compute("gather_done", [](auto& r) { r.changed = 0; })),
      step("mmap_read_unlock", [](auto& s, auto& r) {
        s.mm.readers = s.mm.readers - 1u;
        for (u64 v = 0; v < B::pages; ++v) {
          s.ghost.discarded[v] = s.ghost.discarded[v] || !r.touched[v];
          r.touched[v] = false;
        }
      }));
};

}  // namespace ptmc::batched_unmap
