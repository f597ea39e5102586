// SPDX-License-Identifier: GPL-2.0
// Kernel: arch/arm64/mm/contpte.c contpte_ptep_get_lockless; include/asm/pgtable.h ptep_get_lockless (6.12).
//   Callers: mm/memory.c handle_pte_fault (vmf->orig_pte), mm/gup.c gup_fast_pte_range, and others.
// Claim: a reader without the PTL gets A and D of the whole block; what it gathers is of one block, or it
//   starts again. Whoever was told to look for a store that came before the call finds it.
// Omitted: what callers do next: a fault takes the PTL and compares with ptep_get, GUP-fast takes a reference
//   and reads the entry again (properties/mprotect has it). That a retry ends at last.
#pragma once
#include "model/opt/contpte/world.hpp"

namespace ptmc::contpte {

template <class B>
struct Lockless {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  using Words = typename V::Words;
  static constexpr auto registers = [](auto& s, u64) -> decltype(auto) { return (s.lockless); };

  /// Of the watched page: who reads another one is told nothing about it.
  static constexpr auto ptep_get = choose<B::pages>(
      "ptep_get", [](const auto& s, const auto&, Ctx x) { return s.ghost.watched == x.k; },
      [](auto& s, auto& r, Ctx x) {
        r.old = V::pte(s, x.k);
        r.page = x.k;
        r.same = true;
        s.ghost.owed = s.ghost.stored && !s.ghost.found && !s.ghost.freeing;
      });
  static constexpr auto is_cont = [](const auto& r) { return V::cont(load(r.old)); };
  /// retry: from the first read on.
  static constexpr auto reads_on = [](const auto& r) { return load(r.same); };
  static constexpr auto gather = step("contpte_ptep_get_lockless", [](auto& s, auto& r, Ctx x) {
    const auto word = V::pte(s, x.i);
    const auto plain = [](const auto& w) { return Arch::pte_mkold(Arch::pte_mkclean(w)); };
    const auto expected = Arch::pte_advance_pfn(V::aligned(load(r.old)), x.i);
    const auto consistent = V::cont(word) && plain(word) == plain(expected);
    r.same = consistent || x.knob(KnobId::ptep_get_lockless) == 1;
    r.old = Words::fold(load(r.old), word);
  });
  static void forget(auto& s, auto& r) {
    s.ghost.owed = false;
    r.old = 0;
    r.page = 0;
    r.same = false;
  }
  static constexpr auto retry = step("retry", [](auto& s, auto& r) { forget(s, r); });
  static constexpr auto returned = step("return", [](auto& s, auto& r) {
    const auto missed = Arch::pte_present(load(r.old)) && !Arch::pte_dirty(load(r.old));
    s.ghost.lost = s.ghost.lost || (s.ghost.owed && !s.ghost.found && missed);
    forget(s, r);
  });

  static constexpr auto sequence_ =
      sequence("lockless", registers,
               block("ptep_get_lockless", ptep_get, if_(is_cont, loop<By::page>(if_(reads_on, gather))),
                     if_([](const auto& r) { return !r.same; }, retry),
                     if_([](const auto& r) { return load(r.same); }, returned)));
};

}  // namespace ptmc::contpte
