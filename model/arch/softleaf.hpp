// SPDX-License-Identifier: GPL-2.0
// Kernel: include/linux/{swapops,swap}.h, 6.12 and 6.1: swap, migration, device, poison and marker entries.
// Claim: the generic swp_entry_t algebra and its two conversions, for all 64-bit words and types.
// Omitted: radix-tree forms, struct page lookups, CONFIG_MIGRATION=n and CONFIG_DEVICE_PRIVATE=n variants.
//
// A swp_entry_t is type << 58 | offset on both architectures; only its place inside an entry (layout S)
// differs.
#pragma once
#include "model/arch/entry.hpp"

namespace ptmc {

/// S offers: first_special, swp_pfn_bits(cpu), swp_raw(type, offset), swp_raw_type(e), swp_raw_offset(e),
/// swp_flags, pmd_swp_flags, pte_none(e), pte_present(e), pmd_present(e).
template <class S>
struct Softleaf {
  static constexpr unsigned swp_type_shift = 58;
  static constexpr u64 swp_offset_mask = bits(57, 0);
  // Types, counted down from 32 (with CONFIG_MEMORY_FAILURE). 6.1 has SWP_SWAPIN_ERROR above them.
  static constexpr u64 swp_hwpoison = S::first_special - 1, swp_migration_read = S::first_special,
                       swp_migration_read_exclusive = S::first_special + 1,
                       swp_migration_write = S::first_special + 2, swp_device_write = S::first_special + 3,
                       swp_device_read = S::first_special + 4,
                       swp_device_exclusive_write = S::first_special + 5,
                       swp_device_exclusive_read = S::first_special + 6,
                       swp_pte_marker = S::first_special + 7;
  static constexpr u64 pte_marker_uffd_wp = bit(0), pte_marker_poisoned = bit(1);  // Poisoned: 6.12.

  // ---- swp_entry_t ----
  static constexpr auto swp_entry(const auto& type, const auto& offset) {
    return (wide(type) << swp_type_shift) | (offset & swp_offset_mask);
  }
  static constexpr auto swp_type(const auto& entry) { return entry >> swp_type_shift; }
  static constexpr auto swp_offset(const auto& entry) { return entry & swp_offset_mask; }
  template <class W, class C = NoFeatures>
  static constexpr auto swp_offset_pfn(const W& entry, const C& cpu = {}) {
    return entry & ((u64{1} << S::swp_pfn_bits(cpu)) - 1);
  }
  static constexpr auto non_swap_entry(const auto& entry) { return !(swp_type(entry) < swp_hwpoison); }
  static constexpr auto is_migration_entry(const auto& entry) {
    return is_readable_migration_entry(entry) || is_readable_exclusive_migration_entry(entry) ||
           is_writable_migration_entry(entry);
  }
  static constexpr auto is_writable_migration_entry(const auto& e) {
    return swp_type(e) == swp_migration_write;
  }
  static constexpr auto is_readable_migration_entry(const auto& e) {
    return swp_type(e) == swp_migration_read;
  }
  static constexpr auto is_readable_exclusive_migration_entry(const auto& e) {
    return swp_type(e) == swp_migration_read_exclusive;
  }
  static constexpr auto is_device_private_entry(const auto& e) {
    return swp_type(e) == swp_device_read || swp_type(e) == swp_device_write;
  }
  static constexpr auto is_writable_device_private_entry(const auto& e) {
    return swp_type(e) == swp_device_write;
  }
  static constexpr auto is_writable_device_exclusive_entry(const auto& e) {
    return swp_type(e) == swp_device_exclusive_write;
  }
  static constexpr auto is_device_exclusive_entry(const auto& e) {
    return swp_type(e) == swp_device_exclusive_read || swp_type(e) == swp_device_exclusive_write;
  }
  static constexpr auto is_hwpoison_entry(const auto& e) { return swp_type(e) == swp_hwpoison; }
  static constexpr auto is_pte_marker_entry(const auto& e) {
    return swp_type(e) == swp_pte_marker && S::has_markers;
  }
  static constexpr auto pte_marker_get(const auto& e) { return swp_offset(e) & S::pte_marker_mask; }
  /// 6.12.
  static constexpr auto is_poisoned_swp_entry(const auto& e) {
    return is_pte_marker_entry(e) && arch::any(e, pte_marker_poisoned);
  }
  static constexpr auto is_pfn_swap_entry(const auto& e) {
    return is_migration_entry(e) || is_device_private_entry(e) || is_device_exclusive_entry(e) ||
           is_hwpoison_entry(e);
  }
  static constexpr auto make_writable_migration_entry(const auto& offset) {
    return swp_entry(swp_migration_write, offset);
  }
  static constexpr auto make_readable_migration_entry(const auto& offset) {
    return swp_entry(swp_migration_read, offset);
  }
  static constexpr auto make_readable_exclusive_migration_entry(const auto& offset) {
    return swp_entry(swp_migration_read_exclusive, offset);
  }
  static constexpr auto make_readable_device_private_entry(const auto& offset) {
    return swp_entry(swp_device_read, offset);
  }
  static constexpr auto make_writable_device_private_entry(const auto& offset) {
    return swp_entry(swp_device_write, offset);
  }
  static constexpr auto make_readable_device_exclusive_entry(const auto& offset) {
    return swp_entry(swp_device_exclusive_read, offset);
  }
  static constexpr auto make_writable_device_exclusive_entry(const auto& offset) {
    return swp_entry(swp_device_exclusive_write, offset);
  }
  static constexpr auto make_pte_marker_entry(const auto& marker) {
    return swp_entry(swp_pte_marker, marker);
  }

  // ---- A and D inside a migration offset, just above the pfn ----
  template <class C = NoFeatures>
  static constexpr auto swp_mig_young(const C& cpu = {}) {
    return u64{1} << S::swp_pfn_bits(cpu);
  }
  template <class C = NoFeatures>
  static constexpr auto swp_mig_dirty(const C& cpu = {}) {
    return u64{2} << S::swp_pfn_bits(cpu);
  }
  template <class W, class C = NoFeatures>
  static constexpr auto make_migration_entry_young(const W& entry, const C& cpu = {}) {
    return ite(cpu.migration_ad, entry | swp_mig_young(cpu), wide(entry));
  }
  template <class W, class C = NoFeatures>
  static constexpr auto make_migration_entry_dirty(const W& entry, const C& cpu = {}) {
    return ite(cpu.migration_ad, entry | swp_mig_dirty(cpu), wide(entry));
  }
  template <class W, class C = NoFeatures>
  static constexpr auto is_migration_entry_young(const W& entry, const C& cpu = {}) {
    return (entry & swp_mig_young(cpu)) != 0 && cpu.migration_ad;
  }
  template <class W, class C = NoFeatures>
  static constexpr auto is_migration_entry_dirty(const W& entry, const C& cpu = {}) {
    return (entry & swp_mig_dirty(cpu)) != 0 && cpu.migration_ad;
  }

  // ---- entries ----
  static constexpr auto is_swap_pte(const auto& pte) { return !S::pte_none(pte) && !S::pte_present(pte); }
  static constexpr auto pte_swp_clear_flags(const auto& pte) { return pte & ~S::swp_flags; }
  static constexpr auto pte_to_swp_entry(const auto& pte) {
    const auto bare = pte_swp_clear_flags(pte);
    return swp_entry(S::swp_raw_type(bare), S::swp_raw_offset(bare));
  }
  static constexpr auto swp_entry_to_pte(const auto& entry) {
    return S::swp_raw(swp_type(entry), swp_offset(entry));
  }
  static constexpr auto pmd_to_swp_entry(const auto& pmd) {
    const auto bare = pmd & ~S::pmd_swp_flags;
    return swp_entry(S::swp_raw_type(bare), S::swp_raw_offset(bare));
  }
  static constexpr auto swp_entry_to_pmd(const auto& entry) { return swp_entry_to_pte(entry); }
  static constexpr auto is_pmd_migration_entry(const auto& pmd) {
    return !S::pmd_present(pmd) && is_migration_entry(pmd_to_swp_entry(pmd));
  }
  static constexpr auto is_pte_marker(const auto& pte) {
    return is_swap_pte(pte) && is_pte_marker_entry(pte_to_swp_entry(pte));
  }
  static constexpr auto make_pte_marker(const auto& marker) {
    return swp_entry_to_pte(make_pte_marker_entry(marker));
  }
  static constexpr auto pte_none_mostly(const auto& pte) { return S::pte_none(pte) || is_pte_marker(pte); }
};

}  // namespace ptmc
