// SPDX-License-Identifier: GPL-2.0
// Kernel: mm/mprotect.c change_pte_range over one contpte block, entry by entry (6.12) and by batches (6.17,
//   cac1db8c3aad); arch/arm64/mm/mmu.c ptep_modify_prot_start, modify_prot_start_ptes.
// Claim: the same calls on contpte's API that change_pte_range makes, each access a step.
// Omitted: what does not depend on CONT (properties/mprotect has it): uffd-wp, shared mappings, NUMA hinting;
//   erratum 2645198. Every page is exclusive, or the first half is.
#pragma once
#include "model/mm/world.hpp"
#include "model/opt/contpte/convert.hpp"

namespace ptmc::contpte {

/// How a call starts and ends; `who` is by_call.
template <class B>
struct Call {
  using V = Vocabulary<B>;
  static u64 first(const Ctx& x) {
    constexpr u64 half = B::pages / 2;
    return std::array<u64, 4>{0, 1, 0, half}.at(x.knob(KnobId::range));
  }
  static u64 end(const Ctx& x) {
    constexpr u64 n = B::pages;
    return std::array<u64, 4>{n, n - 1, n / 2, n}.at(x.knob(KnobId::range));
  }
  static void begin(auto& r, const Ctx& x) {
    r.first = first(x);
    r.end = end(x);
    r.page = first(x);
  }
  static u64 pages(const Ctx& x) {
    return bits(static_cast<unsigned>(end(x) - 1), static_cast<unsigned>(first(x)));
  }
  static void finish(auto& r) {
    r.first = 0;
    r.end = 0;
    r.target = 0;
    r.changed = 0;
  }
  /// Only reclaim reads mm->tlb_flush_pending.
  static constexpr auto tlb_gather_mmu =
      if_(Convert<B, by_call>::beside_reclaim,
          step("tlb_gather_mmu", [](auto& s) { s.mm.flush_pending = true; }));
  static constexpr auto dec_tlb_flush_pending =
      if_(Convert<B, by_call>::beside_reclaim,
          step("dec_tlb_flush_pending", [](auto& s) { s.mm.flush_pending = false; }));
  static constexpr auto unlock = step("pte_unmap_unlock", [](auto& s, auto& r) {
    s.mm.ptl_held = false;
    r.page = 0;
    r.batch = 0;
    r.stop = 0;
    r.old = 0;
  });
};

template <class B>
struct Mprotect {
  using Arch = typename B::Arch;
  using V = Vocabulary<B>;
  using Words = typename V::Words;
  using C = Convert<B, by_call>;
  using L = Call<B>;
  static constexpr auto registers = [](auto& s, u64) -> decltype(auto) { return (s.mprotect); };

  static u64 exclusive(const Ctx& x) {
    return x.knob(KnobId::anon_exclusive) == everywhere ? B::all_pages : bits(B::pages / 2 - 1, 0);
  }
  static bool per_entry(const Ctx& x) { return x.knob(KnobId::change_pte_range) == per_pte; }

  /// mprotect(PROT_READ), (PROT_READ|PROT_WRITE), (PROT_NONE).
  static constexpr auto mmap_write_lock = choose<3>(
      "mmap_write_lock", [](const auto& s) { return !s.mm.writer && !s.mm.reader; },
      [](auto& s, auto& r, Ctx x) {
        s.mm.writer = true;
        r.target = std::array<u64, 3>{mm::prot_read, mm::prot_write, mm::prot_none}.at(x.k);
        L::begin(r, x);
        s.ghost.served = false;
        s.ghost.granted = false;
        const u64 usable = x.k == 2 ? 0 : L::pages(x), writable = x.k == 1 ? L::pages(x) & exclusive(x) : 0;
        s.ghost.closed = s.ghost.closed && !V::watches(s, usable);
        s.ghost.read_only = s.ghost.read_only && !V::watches(s, writable);
      });

  static constexpr auto from_start = [](const auto&) { return u64{0}; };
  static constexpr auto goes_on = [](const auto& r) { return r.page < r.end; };
  /// pte_batch_hint: the rest of the block.
  static constexpr auto pte_batch_hint = compute("pte_batch_hint", [](auto& r, Ctx x) {
    const auto rest = V::cont(load(r.old)) && !per_entry(x);
    r.batch = ite(rest, wide(load(r.end)), r.page + 1u);
    r.closed = false;
  });
  static constexpr auto from_end = [](const auto& r) { return load(r.batch); };
  static constexpr auto extends = [](const auto& r, const Ctx& x) {
    return !per_entry(x) && r.batch == x.i && x.i < r.end && !r.closed;
  };
  static constexpr auto folio_pte_batch = block(
      "folio_pte_batch",
      loop_while<By::page>(from_end, extends, step("ptep_get", [](auto& s, auto& r, Ctx x) {
                             const u64 flags = mprotect::fpb_respect_soft_dirty | mprotect::fpb_respect_write;
                             const auto same =
                                 Words::batches_with(load(r.old), V::pte(s, x.i), x.i - r.page, flags);
                             r.batch = ite(same, x.i + 1, wide(load(r.batch)));
                             r.closed = !same;
                           })));
  static constexpr auto pte_modify = compute("pte_modify", [](auto& r) {
    const auto prot = ite(r.target == u64{mm::prot_none}, Arch::page_none, Arch::page_readonly);
    r.old = Arch::pte_mknoncont(Arch::pte_modify(load(r.old), prot));
    r.stop = load(r.batch);
    r.changed = r.changed | V::span(load(r.page), load(r.batch));
  });
  static constexpr auto left = [](const auto& r) { return r.page < r.stop; };
  /// page_anon_exclusive_sub_batch; only exclusive pages get W.
  static constexpr auto sub_batch = compute("sub_batch", [](auto& r, Ctx x) {
    constexpr u64 half = B::pages / 2;
    const auto splits = x.knob(KnobId::anon_exclusive) == first_half && r.page < half && half < r.stop;
    r.batch = ite(splits, half, wide(load(r.stop)));
    const auto own = x.knob(KnobId::anon_exclusive) == everywhere || r.page < half;
    const auto writes = r.target == u64{mm::prot_write} && own;
    r.old = ite(writes, Arch::pte_mkwrite(load(r.old)), wide(load(r.old)));
  });
  static constexpr auto advance = compute("advance", [](auto& r) {
    const auto word = ite(Arch::pte_valid(load(r.old)), Arch::pte_wrprotect(load(r.old)), wide(load(r.old)));
    const auto more = r.batch < r.stop;
    r.old = ite(more, Arch::pte_advance_pfn(word, r.batch - r.page), u64{0});
    r.page = load(r.batch);
  });

  /// A swap entry stays as it is.
  static constexpr auto is_present = [](const auto& r) { return Arch::pte_present(load(r.old)); };
  static constexpr auto is_absent = [](const auto& r) { return !Arch::pte_present(load(r.old)); };
  static constexpr auto next = compute("next", [](auto& r) {
    r.page = r.page + 1u;
    r.old = 0;
  });
  static constexpr auto change_pte_range = loop_while<By::table>(
      from_start, goes_on, C::gathered_get, if_(is_absent, next),
      if_(is_present, pte_batch_hint, folio_pte_batch, block("modify_prot_start_ptes", C::get_and_clear_full),
          pte_modify,
          block("modify_prot_commit_ptes",
                loop_while<By::slot>(from_start, left, sub_batch, C::set_ptes, advance))));

  static constexpr auto gathered = [](const auto& r) { return V::hull(load(r.changed)); };
  static constexpr auto sequence_ =
      sequence("mprotect", registers, mmap_write_lock, L::tlb_gather_mmu,
               block("change_pte_range", C::lock, C::flush_tlb_batched_pending, change_pte_range, L::unlock),
               if_([](const auto& r) { return r.changed != 0u; }, C::flush("tlb_flush_mmu", gathered)),
               L::dec_tlb_flush_pending, step("mmap_write_unlock", [](auto& s, auto& r, Ctx x) {
                 s.mm.writer = false;
                 const auto none = r.target == u64{mm::prot_none}, read = r.target == u64{mm::prot_read};
                 const auto mine = V::watches(s, L::pages(x));
                 s.ghost.closed = s.ghost.closed || (mine && none);
                 s.ghost.read_only = s.ghost.read_only || (mine && read);
                 s.ghost.granted = !none && !read && mine && V::watches(s, exclusive(x)) && !s.ghost.unmapped;
                 L::finish(r);
               }));
};

}  // namespace ptmc::contpte
