// The proof's terms are the explored machine, where it is too large to visit it all: many reachable states,
// and random ones, from which induction starts as well.
#include <doctest/doctest.h>

#include "tests/properties/batched_unmap/readings/readings.hpp"

using namespace ptmc;
using namespace ptmc::batched_unmap;
using Names = std::vector<std::string>;

namespace {

constexpr u64 sample = 10'000;

Setup setup(const char* name, bool x86) { return unfused(larger(name, x86), x86, feature_sets(x86)[0]); }

}  // namespace

TEST_CASE("10,000 reachable states and 10,000 random ones") {
  for (const char* name : {"reclaim-numa", "migrate-mprotect"})
    for (const bool x86 : {true, false}) {
      CAPTURE(name);
      CAPTURE(x86);
      const Readings& r = readings(x86, Batches::all);
      Agreement a = reachable(r, setup(name, x86), sample);
      CHECK(a.disagreements == Names{});
      CHECK(a.states == sample);
      CHECK(a.refused == 0);
      a = random(r, setup(name, x86), sample);
      CHECK(a.disagreements == Names{});
      CHECK(a.states == sample);
      CHECK(a.refused > 0);
      CHECK(a.refused < sample / 10);
    }
}
