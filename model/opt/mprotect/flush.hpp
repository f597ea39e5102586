// SPDX-License-Identifier: GPL-2.0
// Kernel: arch/x86/mm/tlb.c flush_tlb_mm_range; arch/arm64/include/asm/tlbflush.h __flush_tlb_range;
//   mm/mmu_gather.c, include/asm-generic/tlb.h tlb_end_vma (6.12).
// Claim: the steps of a flush that its caller waits for, and their delivery to the CPU's one entry.
// Omitted: lazy CPUs (seed 004's machine), secondary MMUs, a full flush in place of a long range.
#pragma once
#include "model/mm/flush.hpp"
#include "model/opt/mprotect/world.hpp"

namespace ptmc::mprotect {

using mm::Posts;

/// The waits and barriers of mm::Flush; what is posted reaches every CPU.
template <class B, u64 who>
struct Flush : mm::Flush<B, who> {
  using Arch = typename B::Arch;
  using Waits = mm::Flush<B, who>;

  template <class Pages>
  static constexpr auto post(const char* name, Pages) {
    return step(name,
                [](auto&, auto& r, Ctx x) { hw::post<Arch>(r.posted, 0, call_private<Pages>(r, x), x); });
  }

  /// A synchronous flush of the pages that `pages(r)` masks, as a block called `name`.
  template <class Pages>
  static constexpr auto range(const char* name, Pages pages) {
    if constexpr (Arch::is_x86)
      return block(name, post("send_ipis", pages), Waits::wait_for_acks);
    else
      return block(name, Waits::dsb_ishst, post("tlbi_vale1is", pages), Waits::dsb_ish);
  }

  /// flush_tlb_mm.
  static constexpr auto whole_mm(const char* name) {
    constexpr auto all = [](const auto&) { return hw::PageRange{u64{0}, B::pages}; };
    if constexpr (Arch::is_x86)
      return block(name, post("send_ipis", all), Waits::wait_for_acks);
    else
      return block(name, Waits::dsb_ishst, post("tlbi_aside1is", all), Waits::dsb_ish);
  }

  /// x86: GUP-fast runs on the last CPU and keeps IPIs out. TLBIs need no interrupt.
  static auto irqs_off(const auto& s, u64 c, const Ctx& x) {
    return Arch::is_x86 && c + 1 == x.count(By::cpu) && s.gup.irqs_off;
  }
  /// One CPU does what was asked of it. `R` maps the state to the issuer's registers.
  template <class R>
  static constexpr auto invalidate(const char* name, R) {
    return ruleset<By::cpu>(
        name,
        [](const auto& s, u64 c, Ctx x) { return R{}(s, 0).posted.pages[0][c] != 0u && !irqs_off(s, c, x); },
        [](auto& s, u64 c) {
          auto&& r = R{}(s, 0);
          const auto pages = load(r.posted.pages[0][c]);
          r.posted.pages[0][c] = 0;
          auto&& t = s.tlb[c];
          for (u64 v = 0; v < B::pages; ++v)
            hw::drop_if((pages & bit(static_cast<unsigned>(v))) != 0u && t.page == v, t);
        });
  }
};

}  // namespace ptmc::mprotect
