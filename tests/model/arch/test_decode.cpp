#include <doctest/doctest.h>

#include "model/arch/arm64.hpp"
#include "model/arch/decode.hpp"
#include "model/arch/x86_64.hpp"

using namespace ptmc;

TEST_CASE("present leaves") {
  CHECK(decode("x86_64", 0x8000000000003067) == "P RW US A D pfn=0x3 NX");
  CHECK(decode("x86_64", X86_64::pte_modify(u64{0x8000000000003067}, X86_64::page_none)) ==
        "A PROTNONE pfn=0x3 SAVED_DIRTY");
  CHECK(decode("arm64", 0x0068000000003f43) == "VALID PAGE USER sh=3 AF nG pfn=0x3 WRITE PXN UXN");
  CHECK(decode("arm64", Arm64::pte_modify(u64{0x0068000000003f43}, Arm64::page_none)) ==
        "PAGE RDONLY sh=3 AF PRESENT_INVALID pfn=0x3 PXN UXN DIRTY");
  CHECK(decode("arm64_6_1", Arm64_6_1::page_none | 0x3000) ==
        "PAGE RDONLY sh=3 AF nG pfn=0x3 PXN UXN PROT_NONE");
  CHECK(decode("x86_64", bit(0) | bit(52) | bit(53) | (u64{5} << 59)) == "P pfn=0x0 pkey=5 bits=52,53");
}

TEST_CASE("bits that moved between versions") {
  CHECK(decode("x86_64", 1 | bit(58)) == "P pfn=0x0 SAVED_DIRTY");
  CHECK(decode("x86_64_6_1", 1 | bit(58)) == "P pfn=0x0 DEVMAP");
}

TEST_CASE("entries that are not present") {
  CHECK(decode("x86_64", 0) == "none");
  CHECK(decode("x86_64", bit(5)) == "none A");
  using A = X86_64;
  using B = Arm64;
  CHECK(decode("x86_64", A::pte_swp_mkexclusive(A::swp_entry_to_pte(A::swp_entry(u64{1}, u64{0x2a})))) ==
        "swap type=1 offset=0x2a EXCLUSIVE");
  CHECK(decode("arm64", B::swp_entry_to_pte(B::make_migration_entry_young(
                            B::make_writable_migration_entry(u64{3})))) == "migration write pfn=0x3 A");
  CHECK(decode("arm64", B::make_pte_marker(B::pte_marker_uffd_wp)) == "marker 0x1");
}

TEST_CASE("huge leaves and tables") {
  CHECK(decode("x86_64", 0x8000000000200067 | bit(7), Level::pmd) == "P RW US A D PSE pfn=0x200 NX");
  CHECK(decode("x86_64", 0x5067, Level::pmd) == "P RW US A D pfn=0x5");
  CHECK(decode("arm64", 0x5003, Level::pmd) == "VALID TABLE pfn=0x5");
  CHECK(decode("arm64", 0x0068000000200f41, Level::pmd) == "VALID USER sh=3 AF nG pfn=0x200 WRITE PXN UXN");
}

TEST_CASE("protections and masks") {
  CHECK(decode_prot("x86_64", X86_64::page_none) == "A PROTNONE");
  CHECK(decode_prot("x86_64", 0) == "0");
  CHECK(decode_prot("arm64", Arm64::page_readonly) == "VALID PAGE USER RDONLY sh=3 AF nG PXN UXN");
  CHECK(bit_names("x86_64", bit(1) | bit(6) | bit(58) | bit(20)) == "RW D pfn SAVED_DIRTY");
  CHECK(bit_names("arm64", bit(55) | bit(7) | bit(63)) == "RDONLY DIRTY bits=63");
}

TEST_CASE("an architecture without names prints hex") { CHECK(decode("any", 0x2a) == "0x2a"); }
