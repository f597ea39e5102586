// SPDX-License-Identifier: GPL-2.0
// Kernel: mm/memory.c handle_pte_fault, wp_page_reuse, wp_page_copy; include/asm/pgtable.h
//   ptep_set_access_flags; arch/arm64/mm/contpte.c contpte_ptep_set_access_flags (6.12 with its fix
//   97c5550b7631); mm/fault.c __ptep_set_access_flags; include/linux/pgtable.h ptep_clear_flush.
// Claim: a write fault makes an entry young, dirty and writable, or replaces it by a copy. It comes from any
//   walker, also from one that manages neither AF nor dirty state (an SMMU, a CPU without HA or HD).
// Omitted: the look at the entry before the PTL (pte_same after it decides); read faults.
#pragma once
#include "model/opt/contpte/convert.hpp"

namespace ptmc::contpte {

template <class B>
struct Fault {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  using Words = typename V::Words;
  using C = Convert<B, by_other>;
  static constexpr auto registers = [](auto& s, u64) -> decltype(auto) { return (s.fault); };
  static constexpr auto this_page = [](const auto& r) { return V::span(load(r.page), r.page + 1u); };

  /// Some walker that manages nothing cannot store to page k.
  static constexpr auto lock = choose<4>(
      "pte_offset_map_lock",
      [](const auto& s, const auto&, Ctx x) {
        const auto word = V::pte(s, x.k);
        return !s.mm.writer && !s.mm.ptl_held && Arch::pte_valid(word) && !Arch::hw_can_store(word, false);
      },
      [](auto& s, auto& r, Ctx x) {
        s.mm.ptl_held = true;
        s.mm.reader = true;
        s.ghost.read_only = s.ghost.read_only && s.ghost.watched != x.k;
        r.page = x.k;
        r.batch = x.k + 1;
      });
  static constexpr auto mkdirty = compute("pte_mkdirty", [](auto& r) {
    r.old = Arch::pte_mkwrite(Arch::pte_mkdirty(Arch::pte_mkyoung(Arch::pte_mknoncont(load(r.old)))));
  });

  // ---- contpte_ptep_set_access_flags: is there nothing to do? ----
  static bool gathers(const Ctx& x) { return x.knob(KnobId::set_access_flags) == 1; }
  static constexpr auto is_cont = C::raw_is_cont;
  static constexpr auto begin_match = compute("begin_match", [](auto& r) {
    r.same = true;
    r.pte = load(r.raw);
  });
  static constexpr auto reads_on = [](const auto& r, const Ctx& x) { return gathers(x) || r.same; };
  static constexpr auto match = step("ptep_get", [](auto& s, auto& r, Ctx x) {
    const u64 dirty = x.knob(KnobId::set_access_flags) == 2 ? 0 : Arch::dirty;
    const u64 flags = Arch::rdonly | Arch::af | Arch::write | dirty;
    const auto word = V::pte(s, x.i);
    r.pte = Words::fold(load(r.pte), word);
    const auto whole = Arch::pte_mknoncont(load(r.pte)) == r.old;
    r.same = ite(gathers(x), whole, ((word ^ r.old) & flags) == 0u);
  });
  static constexpr auto nothing_changes = [](const auto& r) { return load(r.same); };
  static constexpr auto same_write = [](const auto& r) {
    return Arch::pte_write(load(r.raw)) == Arch::pte_write(load(r.old)) && V::cont(load(r.raw));
  };
  static constexpr auto other_write = [](const auto& r) { return !same_write(r) && r.raw != 0u; };

  static constexpr auto set_flags = [](auto&& entry, const auto& r) {
    hw::store_entry(entry, by_other, Arch::ptep_set_access_flags(hw::load_entry(entry), load(r.old), true));
  };
  static constexpr auto set_all =
      step("ptep_set_access_flags", [](auto& s, auto& r, Ctx x) { set_flags(s.pte[x.i], r); });
  static constexpr auto set_one = step("ptep_set_access_flags", [](auto& s, auto& r) {
    update(s.pte, load(r.page), [&](auto&& entry) { set_flags(entry, r); });
  });
  static constexpr auto set_access_flags =
      block("ptep_set_access_flags", C::raw_get(C::at_page),
            if_(is_cont, begin_match, loop<By::page>(if_(reads_on, match))), if_(nothing_changes, C::forget),
            if_([](const auto& r) { return V::cont(load(r.raw)); }, C::raw_get(C::at_page)),
            if_(same_write, loop<By::page>(set_all), C::flush("__flush_tlb_range", C::all_pages), C::forget),
            if_(other_write, C::unfold, set_one, C::flush("flush_tlb_page", this_page), C::forget));

  static constexpr auto unlock = step("pte_unmap_unlock", [](auto& s, auto& r) {
    s.mm.ptl_held = false;
    s.mm.reader = false;
    s.ghost.served = s.ghost.served || s.ghost.watched == r.page;
    r.page = 0;
    r.batch = 0;
    r.old = 0;
  });
  static constexpr auto sequence_ =
      sequence("fault", registers, lock, C::gathered_get, mkdirty, set_access_flags, unlock);
};

/// A write fault on a page that others use: page 1 of the block is copied, once.
template <class B>
struct Copy {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  using C = Convert<B, by_call>;
  static constexpr auto registers = [](auto& s, u64) -> decltype(auto) { return (s.copy); };
  static constexpr auto this_page = [](const auto& r) { return V::span(load(r.page), r.page + 1u); };

  static constexpr auto sequence_ = sequence(
      "copy", registers,
      step(
          "pte_offset_map_lock", [](const auto& s) { return !s.mm.ptl_held && !V::is_copy(V::pte(s, 1)); },
          [](auto& s, auto& r) {
            s.mm.ptl_held = true;
            s.ghost.read_only = s.ghost.read_only && s.ghost.watched != 1u;
            r.page = 1;
            r.batch = 2;
          }),
      C::gathered_get,
      block("ptep_clear_flush", C::get_and_clear_full, C::flush("flush_tlb_page", this_page)),
      compute("mk_pte",
              [](auto& r) {
                const auto copy = Arch::pfn_pte(wide(load(r.page)) + B::pages, Arch::page_shared);
                r.old = Arch::pte_mkwrite(Arch::pte_mkdirty(Arch::pte_mkyoung(copy)));
              }),
      C::set_ptes, step("pte_unmap_unlock", [](auto& s, auto& r) {
        s.mm.ptl_held = false;
        s.ghost.gone = s.ghost.gone || s.ghost.watched == 1u;
        r.page = 0;
        r.batch = 0;
        r.old = 0;
      }));
};

}  // namespace ptmc::contpte
