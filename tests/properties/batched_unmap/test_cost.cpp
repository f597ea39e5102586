// What seed 004 saves, counted: exact numbers, and that a machine without the skip is told apart.
#include <doctest/doctest.h>

#include "properties/batched_unmap/cost.hpp"

using namespace ptmc;
using namespace ptmc::batched_unmap;

namespace {

Question question(bool x86, u64 pages, const char* defer) {
  Question q{instance("reclaim-numa"), x86, feature_sets(x86)[0], {}, {}};
  q.instance.pages = pages;
  if (*defer != '\0') q.mutations = {defer};
  return q;
}
ReclaimCost cost(bool x86, u64 pages, const char* defer, Mapped mapped) {
  return cost_of_reclaim(question(x86, pages, defer), mapped, {});
}

constexpr const char *skip = "", *batched = "knob:defer=batched", *eager = "knob:defer=eager";

}  // namespace

TEST_CASE("an accessible page: one flush a page, or one a batch and one for who drains it") {
  for (const char* deferred : {skip, batched}) {
    CHECK(cost(true, 1, deferred, Mapped::accessible) == ReclaimCost{{1, 2, 0, 0, 0}, {1, 2, 0, 0, 0}});
    CHECK(cost(true, 2, deferred, Mapped::accessible) == ReclaimCost{{1, 2, 0, 0, 0}, {1, 2, 0, 0, 0}});
    CHECK(cost(false, 1, deferred, Mapped::accessible) == ReclaimCost{{0, 0, 1, 1, 1}, {0, 0, 1, 1, 1}});
    CHECK(cost(false, 2, deferred, Mapped::accessible) == ReclaimCost{{0, 0, 2, 2, 1}, {0, 0, 1, 1, 1}});
  }
  for (const u64 pages : {1, 2}) {
    CHECK(cost(true, pages, eager, Mapped::accessible) == ReclaimCost{{pages, 2 * pages, 0, 0, 0}, {}});
    CHECK(cost(false, pages, eager, Mapped::accessible) == ReclaimCost{{0, 0, pages, pages, pages}, {}});
  }
}

TEST_CASE("a PROT_NONE page: nothing, but for batching without the skip") {
  for (const bool x86 : {true, false})
    for (const u64 pages : {1, 2}) {
      CHECK(cost(x86, pages, skip, Mapped::protnone) == ReclaimCost{});
      CHECK(cost(x86, pages, eager, Mapped::protnone) == ReclaimCost{});
      CHECK(cost(x86, pages, batched, Mapped::protnone) == cost(x86, pages, batched, Mapped::accessible));
    }
}

TEST_CASE("costs as a claim: bounded, and violated by a machine that skips nothing") {
  for (const bool x86 : {true, false}) {
    Claim c;
    c.name = "seed004/cost";
    c.expected = Verdict::bounded;
    const auto found = count_costs(question(x86, 1, skip), c, {});
    REQUIRE(found.size() == 2);
    for (const Result& r : found) CHECK(r.verdict == Verdict::bounded);
    CHECK(found[1].notes.at(0) == "skip: nothing; for 2 pages nothing; the next scan nothing");
    CHECK(found[1].notes.at(1) ==
          (x86 ? "batched: 1 flush, 2 IPIs; for 2 pages 1 flush, 2 IPIs; the next scan 1 flush, 2 IPIs"
               : "batched: 1 TLBI, 1 DSB ISHST, 1 DSB ISH; for 2 pages 2 TLBIs, 2 DSB ISHST, 1 DSB ISH; "
                 "the next scan 1 TLBI, 1 DSB ISHST, 1 DSB ISH"));
    RunOptions without;
    without.mutations = {parse_mutation(batched)};
    CHECK(count_costs(question(x86, 1, skip), c, without)[1].verdict == Verdict::violated);
    without.mutations = {parse_mutation("guard-false:reclaim/free_folio")};
    CHECK(count_costs(question(x86, 1, skip), c, without)[1].reason == "reclaim is stuck");
    without.mutations = {parse_mutation("operand:reclaim/try_to_unmap_flush=wrong-level")};
    if (x86) CHECK(count_costs(question(x86, 1, skip), c, without)[1].verdict == Verdict::n_a);
  }
}
