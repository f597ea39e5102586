// What a batch costs, counted: exact numbers, and that a machine that pays more is told apart.
#include <doctest/doctest.h>

#include "properties/mprotect/cost.hpp"

using namespace ptmc;
using namespace ptmc::mprotect;

TEST_CASE("one read, xchg and store an entry and one flush, for any way of batching") {
  for (const u64 n : {1, 4, 16})
    for (const char* how : {"", "knob:change_pte_range=per-pte", "knob:change_pte_range=v1"}) {
      CHECK(cost_of_mprotect(true, n, how) == Bill{n, n, n, 1, 2, 0, 0});
      CHECK(cost_of_mprotect(false, n, how) == Bill{n, n, n, 0, 0, 1, 2});
    }
}

TEST_CASE("costs as a claim: bounded, and violated by a machine that flushes nothing") {
  for (const bool x86 : {true, false}) {
    Claim c;
    c.expected = Verdict::bounded;
    const auto found = count_costs(x86, c, {});
    REQUIRE(found.size() == 1);
    CHECK(found[0].verdict == Verdict::bounded);
    CHECK(found[0].notes.at(0) ==
          (x86 ? "1: batched 1 read, 1 xchg, 1 store, 1 flush, 2 IPIs; one by one 1 read, 1 xchg, 1 store, "
                 "1 flush, 2 IPIs; version 1 of the series 1 read, 1 xchg, 1 store, 1 flush, 2 IPIs"
               : "1: batched 1 read, 1 xchg, 1 store, 1 TLBI, 2 DSBs; one by one 1 read, 1 xchg, 1 store, "
                 "1 TLBI, 2 DSBs; version 1 of the series 1 read, 1 xchg, 1 store, 1 TLBI, 2 DSBs"));
    RunOptions without;
    without.mutations = {parse_mutation("drop:mprotect/tlb_flush_mmu")};
    CHECK(count_costs(x86, c, without)[0].verdict == Verdict::violated);
  }
}
