// The machine of mprotect at full bounds: exact counts.
#include <doctest/doctest.h>

#include "properties/mprotect/explore.hpp"

using namespace ptmc;
using namespace ptmc::mprotect;

TEST_CASE("exact state and edge counts at full bounds, batched as landed") {
  struct Row {
    const char* name;
    bool x86;
    u64 states, edges;
  };
  for (const Row& row :
       {Row{"anon-reclaim-stores", true, 167379, 945698}, Row{"anon-reclaim-stores", false, 687489, 4639428},
        Row{"anon-reclaim-swap-in", true, 1785570, 12050007},
        Row{"anon-reclaim-swap-in", false, 4921583, 42509703}, Row{"anon-fork-gup", true, 3523978, 26624111},
        Row{"anon-fork-gup", false, 4834424, 44542401}, Row{"anon-fork-reclaim", true, 2721774, 16290380},
        Row{"anon-fork-reclaim", false, 8179472, 55328805}}) {
    CAPTURE(row.name);
    CAPTURE(row.x86);
    const Question q = question_of(instance(row.name), row.x86, feature_sets(row.x86)[0], batchings()[0]);
    ExploreOptions o;
    o.stop_at_first = Toggle::off;
    const Exploration found = explore(LoweredSystem(lowered(row.x86).packed, mprotect::setup_of(q, {})), o);
    CHECK(found.outcome == Outcome::exhausted);
    CHECK(found.states == row.states);
    CHECK(found.edges == row.edges);
    CHECK(found.deadlocks == 0);
  }
}
