// SPDX-License-Identifier: GPL-2.0
// Kernel: mm/memory.c copy_present_ptes, kernel/fork.c dup_mmap; arch/arm64/mm/contpte.c
//   contpte_wrprotect_ptes; include/asm/pgtable.h wrprotect_ptes (6.12).
// Claim: fork takes W from part of a block: the whole without unfolding it, less after unfolding.
// Omitted: the child's table; batches that end before the range does.
#pragma once
#include "model/opt/contpte/mprotect.hpp"

namespace ptmc::contpte {

template <class B>
struct Fork {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  using C = Convert<B, by_call>;
  using L = Call<B>;
  static constexpr auto registers = [](auto& s, u64) -> decltype(auto) { return (s.fork); };

  static constexpr auto take_w = [](auto& s, const Ctx& x) {
    hw::store_entry(s.pte[x.i], by_call, Arch::ptep_set_wrprotect(V::pte(s, x.i)));
  };
  /// The cmpxchg that succeeds.
  static constexpr auto set_wrprotect =
      step("ptep_set_wrprotect", [](auto& s, auto&, Ctx x) { take_w(s, x); });
  /// A load and a store in its place (mutation `split`).
  static constexpr auto load_half =
      spare("ptep_set_wrprotect.load", [](auto& s, auto& r, Ctx x) { r.raw = V::pte(s, x.i); });
  static constexpr auto store_half = spare("ptep_set_wrprotect.store", [](auto& s, auto& r, Ctx x) {
    hw::store_entry(s.pte[x.i], by_call, Arch::ptep_set_wrprotect(load(r.raw)));
    r.raw = 0;
  });

  static constexpr auto sequence_ = sequence(
      "fork", registers,
      step(
          "mmap_write_lock", [](const auto& s) { return !s.mm.writer && !s.mm.reader; },
          [](auto& s, auto& r, Ctx x) {
            s.mm.writer = true;
            s.ghost.served = false;
            L::begin(r, x);
          }),
      block("copy_pte_range", C::lock, C::gathered_get,
            compute("folio_pte_batch", [](auto& r) { r.batch = load(r.end); }),
            block("wrprotect_ptes", C::unfold_partial,
                  loop_while<By::page>(C::from_page, C::in_batch, set_wrprotect, load_half, store_half)),
            L::unlock),
      C::flush_tlb_mm, step("mmap_write_unlock", [](auto& s, auto& r, Ctx x) {
        s.mm.writer = false;
        s.ghost.read_only = s.ghost.read_only || V::watches(s, L::pages(x));
        L::finish(r);
      }));
};

}  // namespace ptmc::contpte
