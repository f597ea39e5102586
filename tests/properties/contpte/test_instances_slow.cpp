// The machine of contpte: bounds, exact counts, packed against plain steps.
#include <doctest/doctest.h>

#include "checker/agreement.hpp"
#include "properties/contpte/explore.hpp"

using namespace ptmc;
using namespace ptmc::contpte;

namespace {

Setup setup(const contpte::Instance& i, const FeatureSet& features) {
  return contpte::setup_of({i, features, i.finding ? "bbm" : all_properties, {}}, {});
}
Exploration explored(const Setup& s) {
  ExploreOptions o;
  o.stop_at_first = Toggle::off;
  return explore(LoweredSystem(lowered().packed, s), o);
}

}  // namespace

TEST_CASE("a block of 4, and of 16 where costs are counted: never below the fact sheet's minima") {
  CHECK(Explored::pages == 4);
  CHECK(Counted::pages == 16);
  CHECK(feature_sets()[0].name == std::string("HA HD TLBIRANGE"));
  CHECK(!has_bbm2(feature_sets()[0]));
  CHECK(has_bbm2(feature_sets()[1]));
}

TEST_CASE("exact state and edge counts, on BBM level 0 and 2") {
  struct Row {
    const char* name;
    u64 states, edges, states_bbm2, edges_bbm2;
  };
  for (const Row& row :
       {Row{"mprotect", 52472, 755760, 52472, 755760}, Row{"mprotect-part", 82238, 794319, 127560, 1305027},
        Row{"mprotect-per-pte", 124426, 975853, 253770, 2851203},
        Row{"mprotect-per-pte-part", 118974, 945227, 179312, 1629307},
        Row{"fork", 23624, 326336, 23624, 326336}, Row{"fork-part-fault", 123180, 1491317, 136828, 1657955},
        Row{"zap", 25092, 325352, 27748, 360744}, Row{"zap-part", 23760, 254065, 37322, 409089},
        Row{"zap-tail", 39008, 482299, 59004, 725118}, Row{"copy", 267, 1497, 306, 2178}}) {
    CAPTURE(row.name);
    const Exploration level0 = explored(setup(instance(row.name), feature_sets()[0]));
    const Exploration level2 = explored(setup(instance(row.name), feature_sets()[1]));
    CHECK(level0.states == row.states);
    CHECK(level0.edges == row.edges);
    CHECK(level2.states == row.states_bbm2);
    CHECK(level2.edges == row.edges_bbm2);
    for (const Exploration* found : {&level0, &level2}) {
      CHECK(found->outcome == Outcome::exhausted);
      CHECK(found->violations.empty());
      CHECK(found->deadlocks == 0);
    }
  }
}

TEST_CASE("the findings on BBM level 2: exact counts") {
  CHECK(explored(setup(instance("H4-fold"), feature_sets()[1])).states == 70172);
  CHECK(explored(setup(instance("H4-split"), feature_sets()[1])).states == 50351);
  CHECK(explored(setup(instance("zap-refault"), feature_sets()[1])).states == 339756);
}

TEST_CASE("unfused, the machine has more states and the same verdicts") {
  Setup s = setup(instance("zap-part"), feature_sets()[1]);
  const u64 fused = explored(s).states;
  s.fuse = false;
  const Exploration whole = explored(s);
  CHECK(whole.states > fused);
  CHECK(whole.violations.empty());
  s.mutations = {"drop:zap/tlb_flush_mmu"};
  s.predicates_off = {"bbm", "stale", "excess", "lost", "uniform", "done"};
  CHECK(explored(s).violations.size() == 1);
}

TEST_CASE(
    "which page is watched changes no verdict of a call on the whole block, but matters on part of it") {
  // A flush that is missing shows in the range alone: pages 1 and 2.
  Setup s = setup(instance("mprotect-part"), feature_sets()[1]);
  s.mutations = {"drop:mprotect/tlb_flush_mmu"};
  const Exploration found = explored(s);
  REQUIRE(!found.violations.empty());
  for (const Field& f : found.violations[0].trace.states[0])
    if (f.name == "ghost.watched") CHECK((f.value == 1 || f.value == 2));
}

TEST_CASE("packed and plain steps agree in reachable states") {
  for (const auto& i : instances())
    for (const FeatureSet& features : feature_sets()) {
      CAPTURE(i.name);
      CAPTURE(features.name);
      const Setup s = setup(i, features);
      const LoweredSystem system(lowered().packed, s);
      const auto naive = plain_stepper(lowered().plain, s);
      CHECK(agree_on_reachable(system, naive.get(), nullptr, {300, 1}).disagreements.empty());
    }
}
