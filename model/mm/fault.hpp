// SPDX-License-Identifier: GPL-2.0
// Kernel: mm/memory.c handle_pte_fault: do_anonymous_page, do_swap_page, do_numa_page, do_wp_page; 6.12.
// Claim: each fault is one step. It takes the mmap lock for reading (or the VMA lock) and the PTL, stores one
// entry and
//   drops them: acquiring is a right mover, releasing a left mover, and no other actor can see the middle.
// Omitted: retries, allocation failure, the swap cache as a source (its folio is locked while reclaim works
// on it),
//   read faults on anonymous memory (the zero page), NUMA migration on a hint fault (actor migrate does it).
#pragma once
#include "model/core/language.hpp"
#include "model/mm/world.hpp"

namespace ptmc::mm {

template <class B>
struct Fault {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;

  static auto may_fault(const auto& s, u64 v) {
    return s.ptl[v] == 0u && !s.mm.writer && s.mm.prot != u64{prot_none};
  }
  static auto young_dirty(const auto& word) { return Arch::pte_mkdirty(Arch::pte_mkyoung(word)); }

  /// The entry is stored; what MADV_DONTNEED promised about this page ends here.
  static void install(auto& s, u64 v, const auto& word) {
    hw::store_entry(s.pte[v], by_fault, word);
    s.ghost.discarded[v] = false;
    for (u64 k = 0; k < 2; ++k) s.zap[k].touched[v] = true;
  }

  static constexpr auto do_anonymous_page = ruleset<By::page, By::frame>(
      "do_anonymous_page",
      [](const auto& s, u64 v, u64 f) {
        return may_fault(s, v) && Arch::pte_none(V::pte(s, v)) && s.mm.prot == u64{prot_write} &&
               V::is_free(s.frame[f]);
      },
      [](auto& s, u64 v, u64 f) {
        V::get(s, f);
        install(s, v, V::maybe_mkwrite(young_dirty(V::mk_pte(f, s.mm.prot)), s.mm.prot));
      });
  /// Reads the page from swap into a new frame; for a writable VMA the fault is a write.
  static constexpr auto do_swap_page = ruleset<By::page, By::frame>(
      "do_swap_page",
      [](const auto& s, u64 v, u64 f) {
        return may_fault(s, v) && V::pte(s, v) == Arch::swap_entry && !s.swap_cache[v] &&
               V::is_free(s.frame[f]);
      },
      [](auto& s, u64 v, u64 f) {
        V::get(s, f);
        const auto clean = Arch::pte_mkyoung(V::mk_pte(f, s.mm.prot));
        const auto writes = s.mm.prot == u64{prot_write};
        install(s, v, ite(writes, V::maybe_mkwrite(young_dirty(clean), s.mm.prot), clean));
      });
  /// numa_rebuild_single_mapping: vm_page_prot, young, W by can_change_pte_writable.
  static constexpr auto do_numa_page = ruleset<By::page>(
      "do_numa_page",
      [](const auto& s, u64 v) { return may_fault(s, v) && Arch::pte_protnone(V::pte(s, v)); },
      [](auto& s, u64 v) {
        const auto plain_rights = Arch::pte_mkyoung(Arch::pte_modify(V::pte(s, v), V::page_prot(s.mm.prot)));
        install(s, v, V::maybe_mkwrite(plain_rights, s.mm.prot));
      });
  /// wp_page_reuse: young, dirty, writable.
  static constexpr auto do_wp_page = ruleset<By::page>(
      "do_wp_page",
      [](const auto& s, u64 v) {
        const auto word = V::pte(s, v);
        return may_fault(s, v) && s.mm.prot == u64{prot_write} && Arch::pte_valid(word) &&
               !Arch::pte_write(word);
      },
      [](auto& s, u64 v) { install(s, v, V::maybe_mkwrite(young_dirty(V::pte(s, v)), s.mm.prot)); });
  /// An access flag fault (arm64 without HA): handle_pte_fault, pte_mkyoung.
  static constexpr auto set_young = ruleset<By::page>(
      "set_young",
      [](const auto& s, u64 v) {
        const auto word = V::pte(s, v);
        return may_fault(s, v) && Arch::pte_valid(word) && !Arch::pte_young(word);
      },
      [](auto& s, u64 v) { install(s, v, Arch::pte_mkyoung(V::pte(s, v))); });
};

/// Other owners of frames: another process, the page cache, a device.
template <class B>
struct Allocator {
  using V = Vocabulary<B>;
  static constexpr auto alloc_foreign = ruleset<By::frame>(
      "alloc_foreign", [](const auto& s, u64 f) { return V::is_free(s.frame[f]); },
      [](auto& s, u64 f) { s.frame[f].foreign = true; });
  static constexpr auto foreign_store = ruleset<By::frame>(
      "foreign_store", [](const auto& s, u64 f) { return s.frame[f].foreign && !s.frame[f].unsaved; },
      [](auto& s, u64 f) { s.frame[f].unsaved = true; });
  static constexpr auto free_foreign = ruleset<By::frame>(
      "free_foreign", [](const auto& s, u64 f) { return load(s.frame[f].foreign); },
      [](auto& s, u64 f) {
        s.frame[f].foreign = false;
        s.frame[f].unsaved = false;
      });
};

}  // namespace ptmc::mm
