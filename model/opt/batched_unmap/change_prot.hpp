// SPDX-License-Identifier: GPL-2.0
// Kernel: mm/mprotect.c do_mprotect_pkey, change_pte_range, mm/mempolicy.c change_prot_numa,
//   mm/mmu_gather.c tlb_gather_mmu, tlb_finish_mmu (6.12).
// Claim: when mprotect returns, nobody has more than the VMA's rights; the NUMA scan takes rights away for a
// while. Omitted: VMA split and merge, soft-dirty, uffd-wp, large folios (seed 000's machine), the scan's
// filters.
#pragma once
#include "model/opt/batched_unmap/migrate.hpp"

namespace ptmc::batched_unmap {

template <class D, class B>
struct ChangeRegisters {
  using Entry = Word<D>;
  using F = Flag<D>;
  using Mask = Bits<D, B::pages>;
  using Rights = Bits<D, 2>;
  using Generation = Bits<D, B::generation_bits>;
  using P = mm::Posts<D, B>;
  BOOST_HANA_DEFINE_STRUCT(ChangeRegisters, (Entry, old),  // Between modify_prot_start and commit.
                           (Mask, changed),                // The gather: pages to flush.
                           (Rights, target),               // mprotect: the new rights.
                           (Generation, batch_pending), (Generation, batch_flushed), (P, posted));
};

/// What mprotect and the scan share: from the gather to its end. Registers R; issuer `who` + copy.
template <class B, u64 who>
struct ChangePteRange {
  using Arch = typename B::Arch;
  using V = mm::Vocabulary<B>;
  using Flush = mm::Flush<B, who>;
  static constexpr auto changed_pages = [](const auto&, const auto& r, const Ctx&) {
    return load(r.changed);
  };

  /// inc_tlb_flush_pending. Knob: the bool that kernel commit 16af97dc5a89 replaced.
  static constexpr auto tlb_gather_mmu = step("tlb_gather_mmu", [](auto& s, auto&, Ctx x) {
    if (x.knob(KnobId::tlb_flush_pending) == 1)
      s.mm.flush_pending = 1;
    else
      s.mm.flush_pending = s.mm.flush_pending + u64{1};
  });
  static constexpr auto dec_tlb_flush_pending = step("dec_tlb_flush_pending", [](auto& s, auto&, Ctx x) {
    if (x.knob(KnobId::tlb_flush_pending) == 1)
      s.mm.flush_pending = 0;
    else
      s.mm.flush_pending = s.mm.flush_pending - u64{1};
  });
  static constexpr auto lock =
      step("pte_offset_map_lock", V::ptl_free, [](auto& s, auto&, Ctx x) { s.ptl[x.i] = who + x.self + 1; });
  static constexpr auto unlock = step("pte_unmap_unlock", [](auto& s, auto&, Ctx x) { s.ptl[x.i] = 0; });

  static constexpr auto modify_prot_start = step("ptep_modify_prot_start", [](auto& s, auto& r, Ctx x) {
    const auto word = V::pte(s, x.i);
    const auto present = Arch::pte_present(word);
    r.old = ite(present, word, u64{0});
    when(present, s, [&](auto& t) { static_cast<void>(hw::xchg_entry(t.pte[x.i], who + x.self, u64{0})); });
  });
  /// `Modified`: (state, registers, old word) -> new word.
  template <class Modified>
  static constexpr auto modify_prot_commit(Modified) {
    return step("ptep_modify_prot_commit", [](auto& s, auto& r, Ctx x) {
      const auto old = load(r.old);
      const auto word = Modified{}(s, r, old);
      const auto flush = Arch::pte_needs_flush(old, word);
      hw::store_entry(s.pte[x.i], who + x.self, word);
      r.changed = r.changed | ite(flush, bit(static_cast<unsigned>(x.i)), u64{0});
      r.old = 0;
    });
  }

  /// tlb_finish_mmu: another open gather may have changed entries that we saw changed (mm_tlb_flush_nested).
  static constexpr auto tlb_finish_mmu =
      block("tlb_finish_mmu",
            step("mm_tlb_flush_nested",
                 [](auto& s, auto& r) {
                   r.changed = ite(u64{1} < s.mm.flush_pending, B::all_pages, load(r.changed));
                 }),
            if_([](const auto& r) { return r.changed != 0u; }, Flush::range("tlb_flush_mmu", changed_pages)),
            dec_tlb_flush_pending, compute("gather_done", [](auto& r) { r.changed = 0; }));
};

template <class B>
struct Mprotect {
  using Arch = typename B::Arch;
  using V = mm::Vocabulary<B>;
  using Range = ChangePteRange<B, mm::by_mprotect>;
  static constexpr auto registers = [](auto& s, u64) -> decltype(auto) { return (s.mprotect); };

  /// pte_modify to the new vm_page_prot, then W if wanted and allowed (can_change_pte_writable, exclusive
  /// anon).
  static constexpr auto modified = [](const auto&, const auto& r, const auto& old) {
    return V::maybe_mkwrite(Arch::pte_modify(old, V::page_prot(r.target)), r.target);
  };
  /// change_pte_range's branch for entries that are not present: a writable migration entry loses W.
  static constexpr auto change_softleaf = step("change_migration_entry", [](auto& s, auto&, Ctx x) {
    const auto word = V::pte(s, x.i);
    const auto entry = Arch::pte_to_swp_entry(word);
    const auto writable = Migrate<B>::is_migration(word) && Arch::is_writable_migration_entry(entry);
    const auto readable = Arch::make_readable_exclusive_migration_entry(Arch::swp_offset(entry));
    when(writable, s,
         [&](auto& t) { hw::store_entry(t.pte[x.i], mm::by_mprotect, Arch::swp_entry_to_pte(readable)); });
  });

  static constexpr auto sequence_ = sequence(
      "mprotect", registers,
      choose<3>(
          "mmap_write_lock",
          [](const auto& s, const auto&, Ctx x) {
            return !s.mm.writer && s.mm.readers == 0u && s.mm.prot != x.k;
          },
          [](auto& s, auto& r, Ctx x) {
            s.mm.writer = true;
            s.ghost.unsettled = true;
            r.target = x.k;
          }),
      Range::tlb_gather_mmu, step("vma_set_page_prot", [](auto& s, auto& r) { s.mm.prot = load(r.target); }),
      loop<By::page>(block("change_pte_range", Range::lock, Range::Flush::flush_tlb_batched_pending(),
                           Range::modify_prot_start,
                           if_([](const auto& r) { return r.old != 0; }, Range::modify_prot_commit(modified)),
                           change_softleaf, Range::unlock)),
      Range::tlb_finish_mmu, step("mmap_write_unlock", [](auto& s, auto& r) {
        s.mm.writer = false;
        s.ghost.unsettled = false;
        r.target = 0;
      }));
};

template <class D, class B>
struct NumaRegisters {
  using Entry = Word<D>;
  using Mask = Bits<D, B::pages>;
  using Generation = Bits<D, B::generation_bits>;
  using P = mm::Posts<D, B>;
  BOOST_HANA_DEFINE_STRUCT(NumaRegisters, (Entry, old), (Mask, changed), (Generation, batch_pending),
                           (Generation, batch_flushed), (P, posted));
};

template <class B>
struct ChangeProtNuma {
  using Arch = typename B::Arch;
  using V = mm::Vocabulary<B>;
  using Range = ChangePteRange<B, mm::by_numa>;
  static constexpr auto registers = [](auto& s, u64 self) -> decltype(auto) { return s.numa[self]; };
  static constexpr auto modified = [](const auto&, const auto&, const auto& old) {
    return Arch::pte_modify(old, Arch::page_none);
  };

  static constexpr auto sequence_ = sequence<2>(
      "change_prot_numa", registers,
      step(
          "mmap_read_lock", [](const auto& s) { return !s.mm.writer && s.mm.prot != u64{mm::prot_none}; },
          [](auto& s) { s.mm.readers = s.mm.readers + 1u; }),
      Range::tlb_gather_mmu,
      loop<By::page>(block("change_pte_range", Range::lock, Range::Flush::flush_tlb_batched_pending(),
                           Range::modify_prot_start,
                           if_([](const auto& r) { return r.old != 0; }, Range::modify_prot_commit(modified)),
                           Range::unlock)),
      Range::tlb_finish_mmu, step("mmap_read_unlock", [](auto& s) { s.mm.readers = s.mm.readers - 1u; }));
};

}  // namespace ptmc::batched_unmap
