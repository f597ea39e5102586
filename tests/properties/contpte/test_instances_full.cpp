// The machine of contpte at full bounds.
#include <doctest/doctest.h>

#include "checker/agreement.hpp"
#include "properties/contpte/claims.hpp"
#include "properties/contpte/explore.hpp"

using namespace ptmc;
using namespace ptmc::contpte;

TEST_CASE("exact counts of what is too big for the default run") {
  struct Row {
    const char* name;
    u64 states, edges;
  };
  ExploreOptions o;
  o.stop_at_first = Toggle::off;
  for (const Row& row : {Row{"aging", 2009008, 38859048}, Row{"reclaim-mprotect-part", 723377, 4349315},
                         Row{"reclaim-mprotect-per-pte", 882573, 4986595}, Row{"madvise", 6536464, 133859780},
                         Row{"lockless", 1445836, 21968581}}) {
    CAPTURE(row.name);
    const Setup s = contpte::setup_of({instance(row.name), feature_sets()[0], all_properties, {}}, {});
    const Exploration found = explore(LoweredSystem(lowered().packed, s), o);
    CHECK(found.states == row.states);
    CHECK(found.edges == row.edges);
    CHECK(found.violations.empty());
  }
  // On BBM level 2.
  for (const Row& row : {Row{"mprotect-part", 444304, 4486238}, Row{"mprotect-per-pte", 253770, 2851203},
                         Row{"fork-fault", 367284, 4786501}, Row{"fork-part-fault", 331362, 4257914},
                         Row{"reclaim-mprotect", 762343, 6192746}, Row{"lockless-part", 618574, 7638433}}) {
    CAPTURE(row.name);
    const Setup s = contpte::setup_of({instance(row.name), feature_sets()[1], all_properties, {}}, {});
    const Exploration found = explore(LoweredSystem(lowered().packed, s), o);
    CHECK(found.states == row.states);
    CHECK(found.edges == row.edges);
    CHECK(found.violations.empty());
  }
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

TEST_CASE("packed and plain steps agree in reachable states, on all hardware") {
  for (const auto& i : instances())
    for (const FeatureSet& features : feature_sets()) {
      CAPTURE(i.name);
      CAPTURE(features.name);
      const Setup s = contpte::setup_of({i, features, all_properties, {}}, {});
      const LoweredSystem system(lowered().packed, s);
      const auto naive = plain_stepper(lowered().plain, s);
      CHECK(agree_on_reachable(system, naive.get(), nullptr, {300, 1}).disagreements.empty());
    }
}
