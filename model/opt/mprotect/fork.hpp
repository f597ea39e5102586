// SPDX-License-Identifier: GPL-2.0
// Kernel: kernel/fork.c dup_mmap, mm/memory.c copy_present_ptes, include/linux/rmap.h
//   folio_try_dup_anon_rmap_ptes (6.12); fs/splice.c vmsplice as the one who takes a reference to read.
// Claim: from its return on, fork gives the pages to a child, too, and takes W and AnonExclusive from them.
//   The child takes a reference to read them (FOLL_GET, as vmsplice into a pipe does), unmaps them, and
//   reads. Pages under MADV_DONTFORK are not given; MADV_DOFORK afterwards makes one VMA of them again.
//   A page that may be pinned is copied for the child, which does not get it then.
// Omitted: the child's own table. Without GUP-fast PageAnonExclusive and the entry change in one step: both
//   are under the PTL.
#pragma once
#include "model/opt/mprotect/flush.hpp"

namespace ptmc::mprotect {

template <class D, class B>
struct ForkRegisters {
  using Mask = Bits<D, B::pages>;
  using P = Posts<D, B>;
  BOOST_HANA_DEFINE_STRUCT(ForkRegisters, (Mask, kept),  // The page that MADV_DONTFORK keeps from the child.
                           (P, posted));
};

template <class B>
struct Fork {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  static constexpr auto registers = [](auto& s, u64) -> decltype(auto) { return (s.fork); };
  static constexpr auto all_pages = [](const auto&) { return B::all_pages; };

  static constexpr auto copy_present_ptes = step("copy_present_ptes", [](auto& s, auto&, Ctx x) {
    const auto word = V::pte(s, x.i);
    const auto present = Arch::pte_present(word);
    s.folio.exclusive[x.i + 1] = false;
    // A swap entry: copy_nonpresent_pte.
    const auto shared = ite(present, Arch::ptep_set_wrprotect(word), Arch::pte_swp_clear_exclusive(word));
    when(present || Arch::is_swap_pte(word), s,
         [&](auto& t) { hw::store_entry(t.pte[x.i], by_fork, shared); });
  });
  /// Under write_protect_seq: a page that may be pinned is copied for the child.
  static constexpr auto with_gup = [](const auto&, const Ctx& x) { return V::has_gup(x); };
  static constexpr auto try_dup_anon_rmap = step("folio_try_dup_anon_rmap_ptes", [](auto& s, auto& r, Ctx x) {
    const auto mark = load(s.folio.exclusive[x.i + 1]);
    const auto pinned = mark && V::maybe_dma_pinned(s, x.i, x);
    r.kept = r.kept | ite(pinned, bit(static_cast<unsigned>(x.i)), u64{0});
    s.folio.exclusive[x.i + 1] = pinned;
  });
  static constexpr auto write_seqcount_begin = step("raw_write_seqcount_begin", [](auto& s) {
    s.mm.write_protect = true;
    s.gup.raced = s.gup.raced || s.gup.counts;
  });
  static auto keeps(const auto& r, u64 v) { return (r.kept & bit(static_cast<unsigned>(v))) != 0u; }
  static constexpr auto copies = [](const auto& r, const Ctx& x) { return !keeps(r, x.i); };

  static constexpr auto sequence_ = sequence(
      "fork", registers,
      choose<3>(
          "mmap_write_lock",
          [](const auto& s, const auto&, Ctx x) {
            return !s.mm.writer && !s.mm.reader && (x.k < 2 || x.count(By::page) > 1);
          },
          [](auto& s, auto& r, Ctx x) {
            s.mm.writer = true;
            s.ghost.revoking = true;
            r.kept = std::array<u64, 3>{0, 1, bit(B::pages - 1)}.at(x.k);
          }),
      if_(with_gup, write_seqcount_begin),
      block("copy_pte_range",
            step(
                "pte_offset_map_lock", [](const auto& s) { return !s.mm.ptl_held; },
                [](auto& s) { s.mm.ptl_held = true; }),
            loop<By::page>(if_(copies, if_(with_gup, try_dup_anon_rmap), if_(copies, copy_present_ptes))),
            step("pte_unmap_unlock", [](auto& s) { s.mm.ptl_held = false; })),
      if_(with_gup, step("raw_write_seqcount_end", [](auto& s) { s.mm.write_protect = false; })),
      Flush<B, by_fork>::range("flush_tlb_mm", all_pages),
      step("mmap_write_unlock",
           [](auto& s, auto& r, Ctx x) {
             s.mm.writer = false;
             s.ghost.revoking = false;
             s.folio.mapped_shared = true;
             for (u64 v = 0; v < x.count(By::page); ++v)
               s.ghost.other[v + 1] = s.ghost.other[v + 1] || !keeps(r, v);
             r.kept = 0;
           }),
      step("child_vmsplice_munmap", [](auto& s) { s.folio.mapped_shared = false; }),
      step("child_read", [](auto& s) {
        for (u64 v = 0; v < B::pages; ++v) s.ghost.other[v + 1] = false;
      }));
};

}  // namespace ptmc::mprotect
