// Words of facts that are known by heart: constants of the kernel, the life of one entry, each branch once.
#include <doctest/doctest.h>

#include "model/arch/x86_64.hpp"

using namespace ptmc;

namespace {

using A = X86_64;
using Old = X86_64_6_1;

struct ShadowStacks : NoFeatures {
  static constexpr bool shstk = true;
};
struct NoNx : NoFeatures {
  static constexpr u64 supported_pte_mask = ~X86_64::nx;
};
constexpr ShadowStacks shadow_stacks;

// Protections: pgtable_types.h.
static_assert(A::page_none == 0x120);
static_assert(A::page_shared == 0x8000000000000027 && A::page_shared_exec == 0x27);
static_assert(A::page_readonly == 0x8000000000000025 && A::page_copy == A::page_readonly);

// The life of a private, exclusive, written page: mapped, scanned, faulted, upgraded.
constexpr u64 mapped = 0x8000000000000067 | 0x3000;
constexpr u64 scanned = A::pte_modify(mapped, A::page_none);
static_assert(scanned == (0x0400000000000120 | (bits(51, 12) ^ 0x3000)));
static_assert(A::pte_protnone(scanned) && A::pte_present(scanned) && !A::hw_valid(scanned));
static_assert(A::pte_dirty(scanned) && !A::pte_write(scanned) && A::pte_pfn(scanned) == 3);
constexpr u64 faulted = A::pte_modify(scanned, A::page_readonly);
static_assert(faulted == (0x8400000000000025 | 0x3000));
static_assert(A::pte_mkwrite(faulted) == mapped);
// 6.1: D stays where it was, and the frame is inverted all the same.
static_assert(Old::pte_modify(mapped, Old::page_none) == (0x160 | (bits(51, 12) ^ 0x3000)));
static_assert(Old::pte_wrprotect(mapped) == (mapped & ~Old::rw));

static_assert(A::pte_accessible(mapped, false) && A::pte_accessible(mapped, true));
static_assert(!A::pte_accessible(scanned, false) && A::pte_accessible(scanned, true));
static_assert(!A::pte_accessible(u64{0}, true));

// Shadow stacks exist where the CPU has them, from 6.6 on.
constexpr u64 shadow = A::present | A::user | A::dirty;
static_assert(A::pte_write(shadow, shadow_stacks) && !A::pte_write(shadow) &&
              !Old::pte_write(shadow, shadow_stacks));
static_assert(A::hw_can_shadow_stack_store(shadow, shadow_stacks) && !A::hw_can_store(shadow));
static_assert(A::pte_mkwrite(A::page_readonly, vm::shadow_stack) == (A::page_readonly | A::dirty));
static_assert(Old::pte_mkwrite(Old::page_readonly, vm::shadow_stack) == (Old::page_readonly | Old::rw));

// A present protection loses what the CPU lacks, PROT_NONE keeps it.
static_assert(A::pte_modify(mapped, A::page_readonly, NoNx{}) == ((faulted | 0) & ~A::nx));
static_assert(A::pfn_pte(u64{3}, A::page_none | A::nx, NoNx{}) ==
              (A::page_none | A::nx | (bits(51, 12) ^ 0x3000)));

// Flush decisions.
static_assert(A::pte_needs_flush(mapped, A::pte_wrprotect(mapped)) && !A::pte_needs_flush(scanned, mapped));
static_assert(!A::pte_needs_flush(mapped, A::pte_mkold(mapped)) &&
              A::pte_needs_flush(mapped, A::pte_mkclean(mapped)));
static_assert(A::pte_needs_flush(mapped, mapped + 0x1000) &&
              A::pte_needs_flush(A::pte_wrprotect(mapped), mapped));
static_assert(!A::pte_needs_flush(mapped, A::pte_mkspecial(mapped)));
static_assert(A::huge_pmd_needs_flush(mapped | A::pse, (mapped | A::pse) & ~A::accessed));

// Live changes.
static_assert(A::ptep_set_access_flags(faulted, mapped, true) == mapped);
static_assert(A::ptep_set_access_flags(faulted, mapped, false) == faulted);
static_assert(A::ptep_set_wrprotect(mapped) == faulted + 0);

// Huge leaves: an invalid one is present and of the same frame.
constexpr u64 huge = mapped | A::pse | bit(21);
constexpr u64 invalid = A::pmd_mkinvalid(A::pmd_modify(huge, A::page_readonly));
static_assert(A::pmd_present(invalid) && !A::hw_valid(invalid) && A::pmd_trans_huge(invalid));
static_assert(A::pmd_pfn(invalid) == 512 && A::pmd_dirty(invalid));
static_assert(A::pud_leaf(A::pse) && !Old::pud_leaf(Old::pse));
static_assert(A::pmd_bad(huge) && !A::pmd_bad(A::page_table | 0x5000));
static_assert(A::hw_pfn(huge, Level::pmd) == 512 && A::hw_table(A::page_table, Level::pmd));

// Swap: type on top, offset inverted, flags below.
constexpr u64 swapped = A::pte_swp_mkexclusive(A::swp_entry_to_pte(A::swp_entry(u64{2}, u64{5})));
static_assert(swapped == ((u64{2} << 59) | (bits(58, 9) ^ (u64{5} << 9)) | A::pwt));
static_assert(A::swp_type(A::pte_to_swp_entry(swapped)) == 2 &&
              A::swp_offset(A::pte_to_swp_entry(swapped)) == 5);
static_assert(!A::pte_present(swapped) && A::is_swap_pte(swapped) && !A::has_pfn(swapped));
static_assert(A::swp_pte_marker == 31 && Old::swp_pte_marker == 30);

// Keys and GUP-fast.
constexpr u64 keyed = mapped | (u64{3} << 59);
static_assert(A::hw_pkey(keyed) == 3 && A::pte_access_permitted(keyed, true, u64{0}));
static_assert(!A::pte_access_permitted(keyed, true, u64{2} << 6) &&
              A::pte_access_permitted(keyed, false, u64{2} << 6));
static_assert(!A::pte_access_permitted(keyed, false, u64{1} << 6));

}  // namespace

TEST_CASE("vm_get_page_prot over all 16 protections") {
  for (u64 flags = 0; flags < 16; ++flags) {
    CAPTURE(flags);
    const u64 prot = A::vm_get_page_prot(flags);
    const bool none = (flags & 7) == 0, exec = (flags & vm::exec) != 0, write = (flags & 10) == 10;
    CHECK(prot == (none    ? A::page_none
                   : write ? (exec ? A::page_shared_exec : A::page_shared)
                           : (exec ? A::page_readonly_exec : A::page_readonly)));
    CHECK(A::vm_get_page_prot(flags | vm::pkey_bit0 | vm::pkey_bit3) == (prot | (u64{9} << 59)));
  }
}

TEST_CASE("frames are renamed inside present, PROT_NONE and migration entries") {
  const u64 migrating =
      A::swp_entry_to_pte(A::make_migration_entry_dirty(A::make_writable_migration_entry(u64{3})));
  for (const u64 entry : {mapped, scanned, migrating}) {
    CHECK(A::has_pfn(entry));
    CHECK(A::pfn(entry) == 3);
    const u64 other = A::with_pfn(entry, u64{7});
    CHECK(A::pfn(other) == 7);
    CHECK(A::with_pfn(other, u64{3}) == entry);
  }
  CHECK(A::with_pfn(swapped, u64{7}) == swapped);
  CHECK(A::with_pfn(u64{0}, u64{7}) == 0);
}

TEST_CASE("advancing an inverted frame goes down") {
  CHECK(A::pte_pfn(A::pte_advance_pfn(scanned, u64{4})) == 7);
  CHECK(A::pte_pfn(A::pte_advance_pfn(mapped, u64{4})) == 7);
}
