// Words of facts that are known by heart: constants of the kernel, the life of one entry, each branch once.
#include <doctest/doctest.h>

#include "model/arch/arm64.hpp"

using namespace ptmc;

namespace {

using A = Arm64;
using Old = Arm64_6_1;

struct Overlays : NoFeatures {
  static constexpr bool poe = true;
};
struct ExecuteOnly : NoFeatures {
  static constexpr bool epan = true;
};

// Protections: pgtable-prot.h.
static_assert(A::page_none == 0x0060000000000f82);
static_assert(Old::page_none == 0x0460000000000f82);
static_assert(A::page_shared == 0x0068000000000fc3 && A::page_readonly == 0x0060000000000fc3);

// The life of a private, exclusive, written page: mapped, scanned, faulted, upgraded.
constexpr u64 mapped = 0x0068000000000f43 | 0x3000;
constexpr u64 scanned = A::pte_modify(mapped, A::page_none);
static_assert(scanned == (0x00e0000000000f82 | 0x3000));
static_assert(A::pte_protnone(scanned) && A::pte_present(scanned) && !A::hw_valid(scanned));
static_assert(A::pte_dirty(scanned) && !A::pte_write(scanned) && A::pte_pfn(scanned) == 3);
constexpr u64 faulted = A::pte_modify(scanned, A::page_readonly);
static_assert(faulted == (0x00e0000000000fc3 | 0x3000));
static_assert(A::pte_mkwrite(faulted) == (0x00e8000000000f43 | 0x3000));
static_assert(Old::pte_modify(mapped, Old::page_none) == (0x04e0000000000f82 | 0x3000));

static_assert(A::pte_accessible(A::pte_mkold(mapped), false));
static_assert(!A::pte_accessible(scanned, false) && A::pte_accessible(scanned, true));
static_assert(!A::pte_accessible(u64{0}, true));
// 6.12: bit 11 of a valid entry is nG; a user entry that is invalid is not PROT_NONE.
static_assert(!A::pte_protnone(A::pte_mkinvalid(mapped)) && A::pte_present_invalid(A::pte_mkinvalid(mapped)));

// Dirty and writable: the table in pgtable.h.
constexpr u64 clean = A::page_shared;
static_assert(!A::pte_dirty(clean) && A::pte_write(clean) && A::hw_can_store(clean, true) &&
              !A::hw_can_store(clean, false));
static_assert(A::pte_dirty(A::hw_mark_dirty(clean)) && A::pte_hw_dirty(A::hw_mark_dirty(clean)));
static_assert(A::pte_sw_dirty(A::pte_wrprotect(A::hw_mark_dirty(clean))));
static_assert(A::pte_mkdirty(A::page_readonly) == (A::page_readonly | A::dirty));
static_assert(A::pte_mkdirty(clean) == ((clean | A::dirty) & ~A::rdonly));
static_assert(A::pte_mkclean(A::pte_mkdirty(clean)) == clean);

// Walkers: AF=0 is cached by those that manage it; 0b01 is no page at level 3 and a block above.
static_assert(A::hw_cacheable(A::pte_mkold(mapped), true) && !A::hw_cacheable(A::pte_mkold(mapped), false));
static_assert(!A::hw_valid(mapped & ~A::table_bit) && A::hw_leaf(mapped & ~A::table_bit, Level::pmd));
static_assert(A::hw_table(mapped, Level::pmd) && !A::hw_table(mapped, Level::pte));

// Live changes.
static_assert(A::ptep_set_access_flags(faulted, A::pte_mkwrite(faulted), true) == A::pte_mkwrite(faulted));
static_assert(A::ptep_set_access_flags(mapped, A::pte_mkold(faulted), false) == (mapped | A::dirty));
static_assert(A::ptep_set_access_flags_flushes(faulted, mapped, true) &&
              !A::ptep_set_access_flags_flushes(mapped, mapped, true));
static_assert(A::pgattr_change_is_safe(mapped, A::pte_wrprotect(mapped)) &&
              !A::pgattr_change_is_safe(mapped, mapped + 0x1000));
static_assert(!A::pgattr_change_is_safe(mapped, A::pte_mkcont(mapped)) &&
              A::pgattr_change_is_safe(mapped, scanned));
static_assert(!A::pgattr_change_is_safe(mapped, mapped & ~A::ng) &&
              A::pgattr_change_is_safe(mapped, mapped | A::mt_normal_tagged));
static_assert(!Old::pgattr_change_is_safe(mapped, mapped | Old::special));

// Huge leaves: an invalid one is present and of the same frame; 6.1 has a bit of its own for it.
constexpr u64 huge = (mapped & ~A::table_bit) | bit(21);
static_assert(A::pmd_leaf(huge) && A::pmd_trans_huge(A::pmd_mkinvalid(huge)) &&
              A::pmd_pfn(A::pmd_mkinvalid(huge)) == 512);
static_assert(Old::pmd_mkinvalid(huge) == ((huge | bit(59)) & ~Old::valid) &&
              Old::pmd_present(Old::pmd_mkinvalid(huge)));
static_assert(A::pmd_table(mapped) && A::pmd_bad(huge) && A::pud_sect(huge));

// Swap.
constexpr u64 swapped = A::pte_swp_mkuffd_wp(A::swp_entry_to_pte(A::swp_entry(u64{2}, u64{5})));
static_assert(swapped == ((u64{2} << 6) | (u64{5} << 12) | bit(3)) && A::is_swap_pte(swapped));
static_assert(Old::swp_entry_to_pte(Old::swp_entry(u64{2}, u64{5})) == ((u64{2} << 3) | (u64{5} << 8)));
static_assert(A::swp_offset(A::pte_to_swp_entry(swapped)) == 5 &&
              A::swp_type(A::pte_to_swp_entry(swapped)) == 2);

// Keys and GUP-fast.
constexpr u64 keyed = mapped | (u64{3} << 60);
static_assert(A::hw_pkey(keyed) == 3 && A::pte_access_permitted(keyed, true));
static_assert(!A::pte_access_permitted(keyed, true, u64{1} << 12, Overlays{}));
static_assert(A::pte_access_permitted(keyed, false, u64{1} << 12, Overlays{}));
static_assert(!A::pte_access_permitted(A::page_execonly, false));

}  // namespace

TEST_CASE("vm_get_page_prot over all 16 protections") {
  for (u64 flags = 0; flags < 16; ++flags) {
    CAPTURE(flags);
    const u64 prot = A::vm_get_page_prot(flags);
    const bool none = (flags & 7) == 0, exec = (flags & vm::exec) != 0, write = (flags & 10) == 10;
    CHECK(prot == (none    ? A::page_none
                   : write ? (exec ? A::page_shared_exec : A::page_shared)
                           : (exec ? A::page_readonly_exec : A::page_readonly)));
    CHECK(A::vm_get_page_prot(flags | vm::arm64_bti) == (prot | A::gp));
    CHECK(A::vm_get_page_prot(flags | vm::pkey_bit1) == prot);
    CHECK(A::vm_get_page_prot(flags | vm::pkey_bit1, Overlays{}) == (prot | bit(61)));
    CHECK(A::vm_get_page_prot(flags, ExecuteOnly{}) == ((flags & 7) == vm::exec ? A::page_execonly : prot));
    CHECK(A::vm_get_page_prot(flags | vm::mte) == (prot | A::mt_normal_tagged));
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
