// SPDX-License-Identifier: GPL-2.0
// Kernel: mm/mprotect.c do_mprotect_pkey, mprotect_fixup, change_protection (6.12 and 6.17);
//   mm/mmu_gather.c tlb_finish_mmu, include/asm-generic/tlb.h tlb_end_vma.
// Claim: when mprotect returns, the table grants what the VMA does and no TLB more.
// Omitted: VMA split and merge, notifiers, several VMAs a call: with one, arm64's flush at tlb_end_vma and
//   x86's in tlb_finish_mmu come at the same place, after the PTL is dropped.
#pragma once
#include "model/opt/mprotect/change_pte_range.hpp"

namespace ptmc::mprotect {

template <class B>
struct Mprotect {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  using Range = ChangePteRange<B>;
  static constexpr auto registers = [](auto& s, u64) -> decltype(auto) { return (s.mprotect); };

  static constexpr auto mmap_write_lock = choose<3>(
      "mmap_write_lock",
      [](const auto& s, const auto&, Ctx x) { return !s.mm.writer && !s.mm.reader && s.mm.prot != x.k; },
      [](auto& s, auto& r, Ctx x) {
        s.mm.writer = true;
        s.ghost.revoking = true;
        r.target = x.k;
      });
  static constexpr auto ptl_free = [](const auto& s, const auto&) { return !s.mm.ptl_held; };

  static constexpr auto gathered = [](const auto& r) {
    return hw::PageRange{wide(load(r.gather_start)), wide(load(r.gather_end))};
  };

  /// Under the PTL: flushes what reclaim may owe (mm/rmap.c). Only where something defers its flush.
  static constexpr auto flush_tlb_batched_pending() {
    return block("flush_tlb_batched_pending",
                 step("read_batched", [](auto& s, auto& r) { r.drains = load(s.mm.batched); }),
                 if_([](const auto& r) { return load(r.drains); },
                     Flush<B, by_mprotect>::whole_mm("arch_flush_tlb_batched_pending"),
                     step("cmpxchg_batched", [](auto& s, auto& r) {
                       s.mm.batched = false;
                       r.drains = false;
                     })));
  }

  static constexpr auto sequence_ = sequence(
      "mprotect", registers, mmap_write_lock,
      step("tlb_gather_mmu", [](auto& s) { s.mm.flush_pending = true; }),
      step("vma_set_page_prot", [](auto& s, auto& r) { s.mm.prot = load(r.target); }),
      block("change_pte_range", step("pte_offset_map_lock", ptl_free, [](auto& s) { s.mm.ptl_held = true; }),
            loop<By::slot>(flush_tlb_batched_pending()), Range::batches,
            step("pte_unmap_unlock",
                 [](auto& s, auto& r) {
                   s.mm.ptl_held = false;
                   r.start = 0;
                   r.end = 0;
                 })),
      if_([](const auto& r) { return r.gather_end != 0u; },
          Flush<B, by_mprotect>::range("tlb_flush_mmu", gathered)),
      step("dec_tlb_flush_pending", [](auto& s) { s.mm.flush_pending = false; }),
      step("mmap_write_unlock", [](auto& s, auto& r) {
        s.mm.writer = false;
        s.ghost.revoking = false;
        r.target = 0;
        r.gather_start = 0;
        r.gather_end = 0;
      }));
};

}  // namespace ptmc::mprotect
