// The machine of contpte at full bounds.
#include <doctest/doctest.h>

#include "properties/contpte/claims.hpp"
#include "properties/contpte/explore.hpp"

using namespace ptmc;
using namespace ptmc::contpte;

TEST_CASE("aging: exact counts") {
  ExploreOptions o;
  o.stop_at_first = Toggle::off;
  const Setup s = contpte::setup_of({instance("aging"), feature_sets()[0], all_properties, {}}, {});
  const Exploration aging = explore(LoweredSystem(lowered().packed, s), o);
  CHECK(aging.states == 2009008);
  CHECK(aging.edges == 38859048);
  CHECK(aging.violations.empty());
}

// What `prove` does not run by itself.
TEST_CASE("every claim of full bounds comes out as catalogued") {
  for (const Claim& c : contpte::claims()) {
    if (!c.full_only) continue;
    CAPTURE(c.name);
    CAPTURE(c.features);
    for (const Result& r : c.run({})) {
      CAPTURE(r.property);
      CAPTURE(r.reason);
      CHECK(r.verdict == c.expected);
    }
  }
}
