// The tables of helpers.cpp: one row a helper, one file an architecture (compile time).
#pragma once
#include "properties/words/helpers.hpp"

namespace ptmc::words {

std::vector<Helper> x86_64_helpers();
std::vector<Helper> x86_64_6_1_helpers();
std::vector<Helper> arm64_helpers();
std::vector<Helper> arm64_6_1_helpers();

// A result as a word: the arguments only lend their context.
inline sym::Word as_word(const Arguments&, const sym::Word& value) { return wide(value); }
inline sym::Word as_word(const Arguments&, const sym::Bool& value) { return arch::number(value); }
inline sym::Word as_word(const Arguments& a, bool value) { return wide(a.front().literal(value ? 1 : 0)); }
inline sym::Word as_word(const Arguments& a, u64 value) { return wide(a.front().literal(value)); }
constexpr u64 as_word(const Values&, u64 value) { return value; }
constexpr auto truth(const auto& word) { return word != 0; }

template <class... T>
constexpr Types types_of(T... types) {
  return {sizeof...(T), {types...}};
}

// PTMC_HELPER(name, result, (argument types), value): a row; `a` are the arguments, `cpu` the features.
#define PTMC_ROW(name, form, result, types, ...)                                                \
  {                                                                                             \
    using enum Type;                                                                            \
    constexpr auto row = []([[maybe_unused]] const auto& a, [[maybe_unused]] const auto& cpu) { \
      return as_word(a, A::__VA_ARGS__);                                                        \
    };                                                                                          \
    table.push_back({#name, result, types_of types, Form::form, row, row});                     \
  }
#define PTMC_HELPER(name, result, types, ...) PTMC_ROW(name, function, result, types, __VA_ARGS__)
#define PTMC_LOOP(name, result, types, ...) PTMC_ROW(name, loop_body, result, types, __VA_ARGS__)
// Predicates and endomorphisms of one entry.
#define PTMC_IS(type, name) PTMC_HELPER(name, flag, (type), name(a[0]))
#define PTMC_IS_CPU(type, name) PTMC_HELPER(name, flag, (type), name(a[0], cpu))
#define PTMC_TO(type, name) PTMC_HELPER(name, type, (type), name(a[0]))

// Rows of all four layouts.
template <class A>
void add_pte(std::vector<Helper>& table) {
  PTMC_IS(pte, pte_none)
  PTMC_IS(pte, pte_present)
  PTMC_IS(pte, pte_protnone)
  PTMC_IS(pte, pte_young)
  PTMC_IS(pte, pte_dirty)
  PTMC_IS_CPU(pte, pte_write)
  PTMC_IS(pte, pte_special)
  PTMC_IS(pte, pte_devmap)
  PTMC_IS(pte, pte_uffd_wp)
  PTMC_IS(pte, pte_soft_dirty)
  PTMC_HELPER(pte_accessible, flag, (mm, pte), pte_accessible(a[1], truth(a[0])))
  PTMC_HELPER(pte_same, flag, (pte, pte), pte_same(a[0], a[1]))
  PTMC_HELPER(pte_needs_flush, flag, (pte, pte), pte_needs_flush(a[0], a[1]))
  PTMC_TO(pte, pte_wrprotect)
  PTMC_TO(pte, pte_mkdirty)
  PTMC_TO(pte, pte_mkclean)
  PTMC_TO(pte, pte_mkyoung)
  PTMC_TO(pte, pte_mkold)
  PTMC_TO(pte, pte_mkspecial)
  PTMC_TO(pte, pte_mkdevmap)
  PTMC_TO(pte, pte_mkhuge)
  PTMC_TO(pte, pte_mkuffd_wp)
  PTMC_TO(pte, pte_clear_uffd_wp)
  PTMC_TO(pte, pte_mksoft_dirty)
  PTMC_TO(pte, pte_clear_soft_dirty)
  PTMC_HELPER(pte_modify, pte, (pte, prot), pte_modify(a[0], a[1], cpu))
  PTMC_HELPER(pte_pfn, number, (pte), pte_pfn(a[0]))
  PTMC_HELPER(pfn_pte, pte, (number, prot), pfn_pte(a[0], a[1], cpu))
  PTMC_HELPER(pte_pgprot, prot, (pte), pte_pgprot(a[0]))
  PTMC_LOOP(ptep_set_wrprotect, pte, (pte), ptep_set_wrprotect(a[0]))
  PTMC_LOOP(ptep_set_access_flags, pte, (pte, pte, flag), ptep_set_access_flags(a[0], a[1], truth(a[2])))
  PTMC_LOOP(ptep_test_and_clear_young, pte, (pte), ptep_test_and_clear_young(a[0]))
  PTMC_LOOP(ptep_clear_flush_young, pte, (pte), ptep_clear_flush_young(a[0]))
}
template <class A>
void add_pmd(std::vector<Helper>& table) {
  PTMC_IS(pmd, pmd_none)
  PTMC_IS(pmd, pmd_present)
  PTMC_IS(pmd, pmd_protnone)
  PTMC_IS(pmd, pmd_leaf)
  PTMC_IS(pmd, pmd_bad)
  PTMC_IS(pmd, pmd_trans_huge)
  PTMC_IS(pmd, pmd_devmap)
  PTMC_IS(pmd, pmd_young)
  PTMC_IS(pmd, pmd_dirty)
  PTMC_IS_CPU(pmd, pmd_write)
  PTMC_IS(pmd, pmd_uffd_wp)
  PTMC_IS(pmd, pmd_soft_dirty)
  PTMC_HELPER(pmd_same, flag, (pmd, pmd), pmd_same(a[0], a[1]))
  PTMC_HELPER(huge_pmd_needs_flush, flag, (pmd, pmd), huge_pmd_needs_flush(a[0], a[1]))
  PTMC_TO(pmd, pmd_wrprotect)
  PTMC_TO(pmd, pmd_mkdirty)
  PTMC_TO(pmd, pmd_mkclean)
  PTMC_TO(pmd, pmd_mkyoung)
  PTMC_TO(pmd, pmd_mkold)
  PTMC_TO(pmd, pmd_mkhuge)
  PTMC_TO(pmd, pmd_mkdevmap)
  PTMC_TO(pmd, pmd_mkuffd_wp)
  PTMC_TO(pmd, pmd_clear_uffd_wp)
  PTMC_TO(pmd, pmd_mksoft_dirty)
  PTMC_TO(pmd, pmd_clear_soft_dirty)
  PTMC_HELPER(pmd_modify, pmd, (pmd, prot), pmd_modify(a[0], a[1], cpu))
  PTMC_HELPER(pmd_pfn, number, (pmd), pmd_pfn(a[0]))
  PTMC_HELPER(pfn_pmd, pmd, (number, prot), pfn_pmd(a[0], a[1], cpu))
  PTMC_HELPER(pmd_mkinvalid, pmd, (pmd), pmd_mkinvalid(a[0], cpu))
  PTMC_LOOP(pmdp_test_and_clear_young, pmd, (pmd), pmdp_test_and_clear_young(a[0]))
  PTMC_LOOP(pmdp_set_wrprotect, pmd, (pmd), pmdp_set_wrprotect(a[0]))
  PTMC_LOOP(pmdp_set_access_flags, pmd, (pmd, pmd, flag), pmdp_set_access_flags(a[0], a[1], truth(a[2])))
}
template <class A>
void add_pud(std::vector<Helper>& table) {
  PTMC_IS(pud, pud_none)
  PTMC_IS(pud, pud_present)
  PTMC_IS(pud, pud_leaf)
  PTMC_IS(pud, pud_bad)
  PTMC_IS(pud, pud_young)
  PTMC_IS(pud, pud_trans_huge)
  PTMC_IS(pud, pud_devmap)
  PTMC_HELPER(pud_same, flag, (pud, pud), pud_same(a[0], a[1]))
  PTMC_IS(pud, pud_write)
  PTMC_TO(pud, pud_mkyoung)
  PTMC_TO(pud, pud_mkhuge)
  PTMC_HELPER(pud_pfn, number, (pud), pud_pfn(a[0]))
  PTMC_HELPER(pfn_pud, pud, (number, prot), pfn_pud(a[0], a[1], cpu))
}
template <class A>
void add_common(std::vector<Helper>& table) {
  add_pte<A>(table);
  add_pmd<A>(table);
  add_pud<A>(table);
  PTMC_HELPER(vm_get_page_prot, prot, (vm_flags), vm_get_page_prot(a[0], cpu))
}

/// Swap entries: rows of all four layouts.
template <class A>
void add_swap(std::vector<Helper>& table) {
  PTMC_IS(pte, pte_swp_exclusive)
  PTMC_TO(pte, pte_swp_mkexclusive)
  PTMC_TO(pte, pte_swp_clear_exclusive)
  PTMC_IS(pte, pte_swp_soft_dirty)
  PTMC_TO(pte, pte_swp_mksoft_dirty)
  PTMC_TO(pte, pte_swp_clear_soft_dirty)
  PTMC_IS(pte, pte_swp_uffd_wp)
  PTMC_TO(pte, pte_swp_mkuffd_wp)
  PTMC_TO(pte, pte_swp_clear_uffd_wp)
  PTMC_IS(pmd, pmd_swp_soft_dirty)
  PTMC_TO(pmd, pmd_swp_mksoft_dirty)
  PTMC_TO(pmd, pmd_swp_clear_soft_dirty)
  PTMC_IS(pmd, pmd_swp_uffd_wp)
  PTMC_TO(pmd, pmd_swp_mkuffd_wp)
  PTMC_TO(pmd, pmd_swp_clear_uffd_wp)
  PTMC_TO(pte, pte_swp_clear_flags)
  PTMC_IS(pte, is_swap_pte)
  PTMC_HELPER(swp_entry, swp, (number, number), swp_entry(a[0], a[1]))
  PTMC_HELPER(swp_type, number, (swp), swp_type(a[0]))
  PTMC_HELPER(swp_offset, number, (swp), swp_offset(a[0]))
  PTMC_HELPER(swp_offset_pfn, number, (swp), swp_offset_pfn(a[0], cpu))
  PTMC_HELPER(pte_to_swp_entry, swp, (pte), pte_to_swp_entry(a[0]))
  PTMC_HELPER(swp_entry_to_pte, pte, (swp), swp_entry_to_pte(a[0]))
  PTMC_HELPER(pmd_to_swp_entry, swp, (pmd), pmd_to_swp_entry(a[0]))
  PTMC_HELPER(swp_entry_to_pmd, pmd, (swp), swp_entry_to_pmd(a[0]))
  PTMC_IS(pmd, is_pmd_migration_entry)
  PTMC_IS(swp, non_swap_entry)
  PTMC_IS(swp, is_migration_entry)
  PTMC_IS(swp, is_writable_migration_entry)
  PTMC_IS(swp, is_readable_migration_entry)
  PTMC_IS(swp, is_readable_exclusive_migration_entry)
  PTMC_IS(swp, is_device_private_entry)
  PTMC_IS(swp, is_device_exclusive_entry)
  PTMC_IS(swp, is_hwpoison_entry)
  PTMC_IS(swp, is_pfn_swap_entry)
  PTMC_IS(swp, is_writable_device_private_entry)
  PTMC_IS(swp, is_writable_device_exclusive_entry)
  PTMC_HELPER(make_readable_device_private_entry, swp, (number), make_readable_device_private_entry(a[0]))
  PTMC_HELPER(make_writable_device_private_entry, swp, (number), make_writable_device_private_entry(a[0]))
  PTMC_HELPER(make_readable_device_exclusive_entry, swp, (number), make_readable_device_exclusive_entry(a[0]))
  PTMC_HELPER(make_writable_device_exclusive_entry, swp, (number), make_writable_device_exclusive_entry(a[0]))
  PTMC_HELPER(make_writable_migration_entry, swp, (number), make_writable_migration_entry(a[0]))
  PTMC_HELPER(make_readable_migration_entry, swp, (number), make_readable_migration_entry(a[0]))
  PTMC_HELPER(make_readable_exclusive_migration_entry, swp, (number),
              make_readable_exclusive_migration_entry(a[0]))
  PTMC_HELPER(make_migration_entry_young, swp, (swp), make_migration_entry_young(a[0], cpu))
  PTMC_HELPER(make_migration_entry_dirty, swp, (swp), make_migration_entry_dirty(a[0], cpu))
  PTMC_IS_CPU(swp, is_migration_entry_young)
  PTMC_IS_CPU(swp, is_migration_entry_dirty)
}

/// Markers: all but arm64 6.1.
template <class A>
void add_markers(std::vector<Helper>& table) {
  PTMC_IS(swp, is_pte_marker_entry)
  PTMC_IS(pte, is_pte_marker)
  PTMC_IS(pte, pte_none_mostly)
  PTMC_HELPER(pte_marker_get, number, (swp), pte_marker_get(a[0]))
  PTMC_HELPER(make_pte_marker_entry, swp, (number), make_pte_marker_entry(a[0]))
  PTMC_HELPER(make_pte_marker, pte, (number), make_pte_marker(a[0]))
}

}  // namespace ptmc::words
