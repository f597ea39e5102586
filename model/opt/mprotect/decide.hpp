// SPDX-License-Identifier: GPL-2.0
// Kernel: mm/mprotect.c, mm/internal.h, include/linux/pgtable.h (6.17: batched, cac1db8c3aad; one entry at a
//   time in 6.12), mm/mmap.c (6.12); entry layouts of 6.12.
// Claim: what change_pte_range computes from words it has read, as pure functions of any domain.
// Omitted: protections customised by a driver's open, memory encryption, the order of reads and writes (the
//   machine's), powerpc.
//
// Self: what a function here calls. A variant overrides one function: struct V : Decide<Arch, V> { ... };
#pragma once
#include <type_traits>

#include "model/arch/entry.hpp"

namespace ptmc::mprotect {

/// What these functions ask of a VMA. Any type with these members will do.
template <class B, class W>
struct Vma {
  W flags;         // VM_*.
  B page_mkwrite;  // vm_ops_needs_writenotify: the file system wants to know of the first store.
  B writeback;     // vma_fs_can_writeback: it writes dirty pages back.
};

/// mm/internal.h, fpb_t, 6.17. What a batch may not differ in.
constexpr u64 fpb_respect_dirty = bit(0), fpb_respect_soft_dirty = bit(1), fpb_respect_write = bit(2);
/// include/linux/mm.h, MM_CP_*.
constexpr u64 mm_cp_try_change_writable = bit(0), mm_cp_prot_numa = bit(1), mm_cp_uffd_wp = bit(2),
              mm_cp_uffd_wp_resolve = bit(3);

template <class Arch, class Variant = void>
struct Decide {
  using Self = std::conditional_t<std::is_void_v<Variant>, Decide, Variant>;
  /// change_pte_range: how it asks for a batch.
  static constexpr u64 batch_flags = fpb_respect_soft_dirty | fpb_respect_write;

  // ---- which entries make a batch: mm/internal.h, folio_pte_batch_flags ----
  /// __pte_batch_clear_ignored.
  static constexpr auto pte_batch_clear_ignored(const auto& pte, u64 flags) {
    const auto clean = ite((flags & fpb_respect_dirty) != 0, wide(pte), wide(Arch::pte_mkclean(pte)));
    const auto unsoft =
        ite((flags & fpb_respect_soft_dirty) != 0, clean, wide(Arch::pte_clear_soft_dirty(clean)));
    const auto key = ite((flags & fpb_respect_write) != 0, unsoft, wide(Arch::pte_wrprotect(unsoft)));
    return Arch::pte_mkold(key);
  }
  /// The entry `other`, `k` pages after `first`, belongs to first's batch. Both are present; whether their
  /// frames lie in one folio the caller knows.
  static constexpr auto batches_with(const auto& first, const auto& other, const auto& k, u64 flags) {
    return Arch::pte_same(Self::pte_batch_clear_ignored(Arch::pte_advance_pfn(first, k), flags),
                          Self::pte_batch_clear_ignored(other, flags));
  }

  // ---- start: include/linux/pgtable.h, modify_prot_start_ptes ----
  /// One more entry, as read when it was cleared, into the word that began as the first.
  static constexpr auto fold(const auto& merged, const auto& next) {
    const auto dirtied = ite(Arch::pte_dirty(next), wide(Arch::pte_mkdirty(merged)), wide(merged));
    return ite(Arch::pte_young(next), wide(Arch::pte_mkyoung(dirtied)), dirtied);
  }

  // ---- the new word ----
  /// pte_modify, then the uffd-wp bits.
  template <class P, class Q, class F, class C = NoFeatures>
  static constexpr auto changed(const P& old, const Q& newprot, const F& cp_flags, const C& cpu = {}) {
    const auto modified = wide(Arch::pte_modify(old, newprot, cpu));
    return ite(
        arch::any(cp_flags, mm_cp_uffd_wp), wide(Arch::pte_mkuffd_wp(modified)),
        ite(arch::any(cp_flags, mm_cp_uffd_wp_resolve), wide(Arch::pte_clear_uffd_wp(modified)), modified));
  }

  // ---- may it be writable at once? mm/mprotect.c ----
  /// vma_soft_dirty_enabled, mm/internal.h. VM_SOFTDIRTY set means: the whole VMA counts as dirty.
  static constexpr auto vma_soft_dirty_enabled(const auto& vma) {
    return Arch::has_soft_dirty && !arch::any(vma.flags, vm::soft_dirty);
  }
  static constexpr auto pte_needs_soft_dirty_wp(const auto& vma, const auto& pte) {
    return Self::vma_soft_dirty_enabled(vma) && !Arch::pte_soft_dirty(pte);
  }
  static constexpr auto userfaultfd_pte_wp(const auto& vma, const auto& pte) {
    return arch::any(vma.flags, vm::uffd_wp) && Arch::pte_uffd_wp(pte);
  }
  static constexpr auto maybe_change_pte_writable(const auto& vma, const auto& pte) {
    return arch::any(vma.flags, vm::write) && !Arch::pte_protnone(pte) &&
           !Self::pte_needs_soft_dirty_wp(vma, pte) && !Self::userfaultfd_pte_wp(vma, pte);
  }
  /// `exclusive`: PageAnonExclusive of the page that this entry maps.
  static constexpr auto can_change_private_pte_writable(const auto& vma, const auto& pte, const auto& anon,
                                                        const auto& exclusive) {
    return Self::maybe_change_pte_writable(vma, pte) && anon && exclusive;
  }
  static constexpr auto can_change_shared_pte_writable(const auto& vma, const auto& pte) {
    return Self::maybe_change_pte_writable(vma, pte) && Arch::pte_dirty(pte);
  }
  /// 6.12 and later, for one entry.
  static constexpr auto can_change_pte_writable(const auto& vma, const auto& pte, const auto& anon,
                                                const auto& exclusive) {
    return ite(arch::any(vma.flags, vm::shared), Self::can_change_shared_pte_writable(vma, pte),
               Self::can_change_private_pte_writable(vma, pte, anon, exclusive));
  }
  /// Version 1 of the series, never merged: of more than one entry of a private mapping it asks only whether
  /// the folio seems mapped by one mm.
  static constexpr auto can_change_ptes_writable_v1(const auto& vma, const auto& pte, const auto& anon,
                                                    const auto& exclusive, const auto& many,
                                                    const auto& maybe_mapped_shared) {
    const auto alone = (many && !maybe_mapped_shared) || (!many && anon && exclusive);
    return Self::maybe_change_pte_writable(vma, pte) &&
           ite(arch::any(vma.flags, vm::shared), Arch::pte_dirty(pte), alone);
  }
  /// The upgrade is asked for and needed: then one of the questions above is put.
  template <class P, class F, class C = NoFeatures>
  static constexpr auto tries_writable(const P& ptent, const F& cp_flags, const C& cpu = {}) {
    return arch::any(cp_flags, mm_cp_try_change_writable) && !Arch::pte_write(ptent, cpu);
  }

  // ---- what is stored, and whether to flush: prot_commit_flush_ptes ----
  static constexpr auto made_writable(const auto& vma, const auto& ptent, const auto& set_write) {
    return ite(set_write, wide(Arch::pte_mkwrite(ptent, vma.flags)), wide(ptent));
  }
  /// Entry `k` of the batch, from the word made for its first.
  static constexpr auto committed(const auto& ptent, const auto& k) {
    return Arch::pte_advance_pfn(ptent, k);
  }
  /// One decision a (sub-)batch: `old` is the merged word.
  static constexpr auto needs_flush(const auto& old, const auto& ptent) {
    return Arch::pte_needs_flush(old, ptent);
  }
  /// commit_anon_folio_batch: the page of the folio whose PageAnonExclusive decides for entry `i`, if the
  /// batch begins at page `first`. Not page i (cf1b80dc31a1).
  static constexpr auto exclusive_page(const auto& first, const auto& i) { return first + i; }
  /// page_anon_exclusive_sub_batch: the run that began at entry `start` takes entry `i` too.
  static constexpr auto sub_batch_goes_on(const auto& i, const auto& start, const auto& max_len,
                                          const auto& exclusive, const auto& expected) {
    return i < start + max_len && exclusive == expected;
  }

  // ---- entries that are not present: change_pte_range, 6.12; markers and empty entries apart ----
  /// A writable migration or device entry becomes readable; swap entries keep what they have. The first needs
  /// not carry uffd-wp over: a marked entry is not writable (f1eb1bacfba9).
  template <class P, class N, class F>
  static constexpr auto changed_swap(const P& old, const N& anon, const F& cp_flags) {
    const auto entry = Arch::pte_to_swp_entry(old);
    const auto offset = Arch::swp_offset(entry);
    const auto soft = arch::when(Arch::pte_swp_soft_dirty(old), Self::swp_soft_dirty());
    const auto uffd = arch::when(Arch::pte_swp_uffd_wp(old), Arch::swp_uffd_wp);
    const auto migration =
        Arch::swp_entry_to_pte(ite(anon, Arch::make_readable_exclusive_migration_entry(offset),
                                   Arch::make_readable_migration_entry(offset))) |
        soft;
    const auto private_ = Arch::swp_entry_to_pte(Arch::make_readable_device_private_entry(offset)) | uffd;
    const auto exclusive =
        Arch::swp_entry_to_pte(Arch::make_readable_device_exclusive_entry(offset)) | soft | uffd;
    const auto readable =
        ite(Arch::is_writable_migration_entry(entry), migration,
            ite(Arch::is_writable_device_private_entry(entry), private_,
                ite(Arch::is_writable_device_exclusive_entry(entry), exclusive, wide(old))));
    return ite(arch::any(cp_flags, mm_cp_uffd_wp), wide(Arch::pte_swp_mkuffd_wp(readable)),
               ite(arch::any(cp_flags, mm_cp_uffd_wp_resolve), wide(Arch::pte_swp_clear_uffd_wp(readable)),
                   readable));
  }

  // ---- the VMA: mm/mmap.c, mm/mprotect.c ----
  /// The file system's own wishes, then soft-dirty, uffd-wp (51d3d5eb74ff) and writeback. Private or
  /// read-only mappings have no write bit in vm_page_prot anyway.
  static constexpr auto vma_wants_writenotify(const auto& vma) {
    return arch::all(vma.flags, vm::shared | vm::write) &&
           (vma.page_mkwrite || Self::vma_soft_dirty_enabled(vma) || arch::any(vma.flags, vm::uffd_wp) ||
            vma.writeback);
  }
  /// Then mprotect sets mm_cp_try_change_writable.
  static constexpr auto vma_wants_manual_pte_write_upgrade(const auto& vma) {
    return ite(arch::any(vma.flags, vm::shared), Self::vma_wants_writenotify(vma),
               arch::any(vma.flags, vm::write));
  }
  /// vma_set_page_prot: vm_page_prot, the newprot of mprotect.
  template <class V, class C = NoFeatures>
  static constexpr auto page_prot(const V& vma, const C& cpu = {}) {
    const auto hidden = arch::when(Self::vma_wants_writenotify(vma), vm::shared);
    return Arch::vm_get_page_prot(vma.flags & ~hidden, cpu);
  }

  static constexpr u64 swp_soft_dirty() {
    if constexpr (Arch::has_soft_dirty)
      return Arch::swp_soft_dirty;
    else
      return 0;
  }
};

}  // namespace ptmc::mprotect
