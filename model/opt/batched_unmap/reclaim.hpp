// SPDX-License-Identifier: GPL-2.0
// Kernel: mm/vmscan.c shrink_folio_list, __remove_mapping; mm/rmap.c try_to_unmap_one (6.12).
// Claim: nothing is written to swap, and no frame given away, while a TLB entry that can still store to it is
// owed
//   a flush.
// Omitted: activation and keep paths (less happens), asynchronous writeback (pageout completes at once), file
//   folios, memcg. Nested reclaim appears as far as it touches the task's tlb_ubc.
#pragma once
#include "model/opt/batched_unmap/unmap_one.hpp"

namespace ptmc::batched_unmap {

template <class D, class B>
struct ReclaimRegisters {
  using F = Flag<D>;
  using Entries = Array<D, Word<D>, B::pages, By::page>;
  using Folio = Bits<D, bits_for(B::frames)>;
  using Folios = Array<D, Folio, B::pages, By::page>;
  using PerPage = Array<D, F, B::pages, By::page>;
  using P = mm::Posts<D, B>;
  BOOST_HANA_DEFINE_STRUCT(ReclaimRegisters,
                           (Entries, old),  // What the xchg returned; 0: nothing unmapped here.
                           (Folios, folio), (PerPage, isolated), (F, accessible), (F, skipped),
                           (F, pending_early), (PerPage, alone), (F, flush_required),
                           (F, writable),  // tlb_ubc.
                           (F, dirty),     // folio_test_dirty after unmapping.
                           (P, posted));   // Invalidations issued, not yet done.
};

template <class B>
struct Reclaim {
  using One = UnmapOne<B, mm::by_reclaim>;
  using V = mm::Vocabulary<B>;
  using Arch = typename B::Arch;
  static constexpr auto registers = [](auto& s, u64) -> decltype(auto) { return (s.reclaim); };
  static constexpr auto unmapped = [](const auto& r, Ctx x) { return r.old[x.i] != 0; };

  static constexpr auto install_swap_entry = step("set_pte_at_swap", [](auto& s, auto& r, Ctx x) {
    hw::store_entry(s.pte[x.i], mm::by_reclaim, Arch::swap_entry);
    s.swap_cache[x.i] = true;
    One::drop_mapping(s, r, x);
  });
  static constexpr auto folio_test_dirty = step(
      "folio_test_dirty", [](auto& s, auto& r, Ctx x) { r.dirty = load(at(s.frame, r.folio[x.i]).dirty); });
  /// Swap gets the content as of this step; what is stored later is unsaved again.
  static constexpr auto pageout = step("pageout", [](auto& s, auto& r, Ctx x) {
    update(s.frame, r.folio[x.i], [](auto& f) {
      f.dirty = false;
      f.unsaved = false;
    });
    r.dirty = false;
  });
  /// The folio leaves the swap cache: from here on a fault reads swap into a frame of its own.
  static constexpr auto remove_mapping =
      step("remove_mapping", [](auto& s, auto&, Ctx x) { s.swap_cache[x.i] = false; });

  /// An allocation inside reclaim may reclaim, with the same task's tlb_ubc. It ends with a flush of all of
  /// it.
  static constexpr auto nested =
      block("nested_reclaim",
            choose<2>(
                "enter", [](const auto&, const auto& r, Ctx x) { return x.k == 0 || r.flush_required; },
                [](auto&, auto& r, Ctx x) {
                  const bool forgets = x.k == 1 && x.knob(KnobId::tlb_ubc) == 1;
                  r.flush_required = r.flush_required && !forgets;
                }));

  static constexpr auto sequence_ = sequence(
      "reclaim", registers,
      loop<By::page>(
          One::folio_isolate_lru,
          if_([](const auto& r, Ctx x) { return load(r.isolated[x.i]); },
              block("try_to_unmap_one", One::lock, One::clear_and_install(install_swap_entry), One::unlock)),
          if_(unmapped, folio_test_dirty,
              if_([](const auto& r) { return load(r.dirty); },
                  if_([](const auto& r) { return load(r.writable); },
                      One::try_to_unmap_flush("try_to_unmap_flush_dirty")),
                  pageout),
              remove_mapping)),
      nested,
      if_([](const auto& r) { return load(r.flush_required); },
          One::try_to_unmap_flush("try_to_unmap_flush")),
      loop<By::page>(if_([](const auto& r, Ctx x) { return load(r.isolated[x.i]); },
                         step("free_folio", [](auto& s, auto& r, Ctx x) { One::putback(s, r, x); }))));
};

}  // namespace ptmc::batched_unmap
