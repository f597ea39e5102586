// The machine of contpte: bounds, exact counts, packed against plain steps.
#include <doctest/doctest.h>

#include "checker/agreement.hpp"
#include "properties/contpte/explore.hpp"

using namespace ptmc;
using namespace ptmc::contpte;

namespace {

Setup setup(const contpte::Instance& i, const FeatureSet& features) {
  return contpte::setup_of({i, features, all_properties, {}}, {});
}
Exploration explored(const Setup& s) {
  ExploreOptions o;
  o.stop_at_first = Toggle::off;
  return explore(LoweredSystem(lowered().packed, s), o);
}

struct Row {
  const char* name;
  u64 states, edges;
};
void check_counts(const std::vector<Row>& rows, const FeatureSet& features) {
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const Exploration found = explored(setup(instance(row.name), features));
    CHECK(found.states == row.states);
    CHECK(found.edges == row.edges);
    CHECK(found.outcome == Outcome::exhausted);
    CHECK(found.violations.empty());
    CHECK(found.deadlocks == 0);
  }
}

void check_agreement(const Setup& s, const char* name) {
  CAPTURE(name);
  const LoweredSystem system(lowered().packed, s);
  const auto naive = plain_stepper(lowered().plain, s);
  CHECK(agree_on_reachable(system, naive.get(), nullptr, {300, 1}).disagreements.empty());
}

}  // namespace

TEST_CASE("a block of 4, and of 16 where costs are counted: never below the fact sheet's minima") {
  CHECK(Explored::pages == 4);
  CHECK(Counted::pages == 16);
  CHECK(feature_sets()[0].name == std::string("HA HD TLBIRANGE"));
  CHECK(!has_bbm2(feature_sets()[0]));
  CHECK(has_bbm2(feature_sets()[1]));
}

TEST_CASE("exact state and edge counts, on BBM level 0") {
  check_counts({Row{"mprotect", 149996, 2583856}, Row{"mprotect-part", 200288, 1535778},
                Row{"mprotect-per-pte", 124426, 975853}, Row{"mprotect-per-pte-tail", 106189, 946641},
                Row{"fork", 95976, 1405208}, Row{"fork-fault", 325240, 4373238},
                Row{"fork-part-fault", 241984, 3156864}, Row{"zap", 25092, 325352},
                Row{"zap-part", 56170, 441002}, Row{"zap-tail", 39008, 482299}, Row{"copy", 599, 2714},
                Row{"reclaim", 118416, 1464606}, Row{"reclaim-mprotect", 543726, 4367456},
                Row{"lockless-part", 350463, 4184799}, Row{"smmu", 139100, 1673076}},
               feature_sets()[0]);
}
TEST_CASE("and on level 2: the larger ones in test_instances_full") {
  check_counts({Row{"mprotect", 149996, 2583856}, Row{"mprotect-per-pte-tail", 197429, 2105894},
                Row{"fork", 95976, 1405208}, Row{"zap", 27748, 360744}, Row{"zap-part", 120868, 1193098},
                Row{"zap-tail", 59004, 725118}, Row{"copy", 972, 7178}, Row{"reclaim", 182417, 2210476},
                Row{"smmu", 149748, 1769146}},
               feature_sets()[1]);
}

TEST_CASE("exact counts of mprotect on the other kinds of hardware") {
  check_counts({Row{"mprotect", 161180, 2739752}, Row{"mprotect-per-pte", 143366, 1122867}},
               feature_sets()[2]);
  check_counts({Row{"mprotect", 161180, 2739752}, Row{"mprotect-per-pte", 271798, 3051471}},
               feature_sets()[3]);
  check_counts({Row{"mprotect", 22044, 285632}, Row{"mprotect-per-pte", 12718, 65170}}, feature_sets()[4]);
  check_counts({Row{"mprotect", 22044, 285632}, Row{"mprotect-per-pte", 22018, 212858}}, feature_sets()[5]);
  check_counts({Row{"mprotect", 24444, 303000}, Row{"mprotect-per-pte", 18102, 86054}}, feature_sets()[6]);
  check_counts({Row{"mprotect", 24444, 303000}, Row{"mprotect-per-pte", 25026, 235246}}, feature_sets()[7]);
}

TEST_CASE("the findings: on BBM level 0 they break bbm alone, on level 2 nothing; exact counts") {
  struct Row {
    const char* name;
    u64 states, states_bbm2;
  };
  for (const Row& row : {Row{"H4-fold", 205848, 205848}, Row{"H4-split", 96219, 96219},
                         Row{"zap-refault", 140932, 157876}, Row{"swap-refault", 37622, 55575}}) {
    CAPTURE(row.name);
    const Setup level0 = setup(instance(row.name), feature_sets()[0]);
    const Exploration broken = explored(level0);
    REQUIRE(broken.violations.size() == 1);
    CHECK(LoweredSystem(lowered().packed, level0).predicates()[broken.violations[0].predicate].name == "bbm");
    CHECK(broken.states == row.states);
    const Exploration level2 = explored(setup(instance(row.name), feature_sets()[1]));
    CHECK(level2.violations.empty());
    CHECK(level2.states == row.states_bbm2);
  }
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
    for (const FeatureSet& features : {feature_sets()[0], feature_sets()[1]})  // The others in _full.
      check_agreement(setup(i, features), i.name);
}
