// What mprotect pays for a block of 16, counted: the fact sheet's reading (mprotect/6) confirmed.
#include <doctest/doctest.h>

#include "properties/contpte/cost.hpp"

using namespace ptmc;
using namespace ptmc::contpte;

namespace {

// Reads, xchg, stores, TLBIs, DSBs. The gather's flush is one TLBI and two DSBs (ISHST before, ISH after),
// with range TLBI; each conversion on BBM level 0 as much again.
Bill cost(Variant variant, Contents contents, contpte::Range range, const FeatureSet& features) {
  return cost_of_mprotect(variant, contents, range, features, "");
}
const FeatureSet& level0 = feature_sets()[0];
const FeatureSet& level2 = feature_sets()[1];
const FeatureSet& no_range = feature_sets()[2];

}  // namespace

TEST_CASE("a folded block: 80 reads, 48 xchg, 48 stores and two conversions, or 17, 16, 16 and none") {
  CHECK(cost(per_pte, folded, whole, level0) == Bill{80, 48, 48, 1 + 2, 2 + 2 * 2});
  CHECK(cost(batched, folded, whole, level0) == Bill{17, 16, 16, 1, 2});
}

TEST_CASE("on BBM level 2 the conversions do not flush; their accesses stay") {
  CHECK(cost(per_pte, folded, whole, level2) == Bill{80, 48, 48, 1, 2});
  CHECK(cost(batched, folded, whole, level2) == Bill{17, 16, 16, 1, 2});
}

TEST_CASE("without range TLBI a flush of the block is 16 of them") {
  CHECK(cost(per_pte, folded, whole, no_range) == Bill{80, 48, 48, 16 * 3, 6});
  CHECK(cost(batched, folded, whole, no_range) == Bill{17, 16, 16, 16, 2});
}

TEST_CASE(
    "single entries: as many of everything, but the fold at the end and the reads of ptep_get_and_clear") {
  CHECK(cost(per_pte, unfolded, whole, level0) == Bill{64, 32, 32, 2, 4});
  CHECK(cost(batched, unfolded, whole, level0) == Bill{16, 16, 16, 1, 2});
}

TEST_CASE("14 of 16 pages: batches, too, unfold the block once, and read its edges") {
  CHECK(cost(per_pte, folded, middle, level0) == Bill{58, 30, 30, 2, 4});
  CHECK(cost(batched, folded, middle, level0) == Bill{19, 30, 30, 2, 4});
}

TEST_CASE("costs as a claim: bounded, and violated by a machine that flushes nothing") {
  Claim c;
  c.expected = Verdict::bounded;
  const auto found = count_costs(c, {});
  REQUIRE(found.size() == 1);
  CHECK(found[0].verdict == Verdict::bounded);
  CHECK(found[0].notes.at(0) ==
        "HA HD TLBIRANGE: batched 17 reads, 16 xchg, 16 stores, 1 TLBI, 2 DSBs; entry by entry 80 reads, "
        "48 xchg, 48 stores, 3 TLBIs, 6 DSBs");
  RunOptions without;
  without.mutations = {parse_mutation("drop:mprotect/tlb_flush_mmu")};
  CHECK(count_costs(c, without)[0].verdict == Verdict::violated);
}
