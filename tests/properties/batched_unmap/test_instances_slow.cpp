// Seed 004's machine: bounds, exact counts, packed against plain steps.
#include <doctest/doctest.h>

#include "checker/agreement.hpp"
#include "checker/explicit.hpp"
#include "model/arch/x86_64.hpp"
#include "properties/batched_unmap/explore.hpp"

using namespace ptmc;
using namespace ptmc::batched_unmap;

namespace {

const PackedTables& packed(bool x86) { return x86 ? packed_x86_64() : packed_arm64(); }
const PlainTables& plain_of(bool x86) { return x86 ? plain_x86_64() : plain_arm64(); }
Setup setup(const char* name, bool x86) { return setup_of(instance(name), x86, feature_sets(x86)[0], {}); }

Exploration explored(const Setup& s, bool x86) {
  ExploreOptions o;
  o.stop_at_first = Toggle::off;
  return explore(LoweredSystem(packed(x86), s), o);
}

}  // namespace

TEST_CASE("default bounds are never below the fact sheet's minima (mremap/D5)") {
  for (const auto& i : instances()) {
    CAPTURE(i.name);
    CHECK(i.user_cpus >= 2);
    CHECK(i.frames >= 2);
    CHECK(i.pages >= 1);
    CHECK(Explored<X86_64>::generation_cap == 3);
  }
  CHECK(instance("reclaim-numa-numa-2").pages == 2);
}

TEST_CASE("exact state and edge counts") {
  struct Row {
    const char* name;
    bool x86;
    u64 states, edges;
  };
  for (const Row& row :
       {Row{"reclaim-aging", true, 2835, 12106}, Row{"reclaim-aging", false, 18764, 113604},
        Row{"dontneed-dontneed", true, 40759, 188472}, Row{"dontneed-dontneed", false, 41073, 199848},
        Row{"reclaim-numa", true, 144041, 656417}, Row{"reclaim-numa", false, 181950, 929646}}) {
    CAPTURE(row.name);
    CAPTURE(row.x86);
    const Exploration found = explored(setup(row.name, row.x86), row.x86);
    CHECK(found.outcome == Outcome::exhausted);
    CHECK(found.states == row.states);
    CHECK(found.edges == row.edges);
    CHECK(found.deadlocks == 0);
  }
}

TEST_CASE("symmetry and fusion change counts, not verdicts") {
  for (const bool x86 : {true, false}) {
    Setup s = setup("reclaim-aging", x86);
    const Exploration reduced = explored(s, x86);
    s.fuse = false;
    s.config.symmetric = {};
    const Exploration whole = explored(s, x86);
    CHECK(whole.states > reduced.states);
    CHECK(whole.violations.empty());
    CHECK(reduced.violations.empty());
    CHECK(whole.covers.size() == reduced.covers.size());
    s.mutations = {"drop:reclaim/try_to_unmap_flush"};
    CHECK(explored(s, x86).violations.size() == 1);
  }
}

TEST_CASE("packed and plain steps agree in every reachable state") {
  for (const bool x86 : {true, false}) {
    const Setup s = setup("reclaim-aging", x86);
    const LoweredSystem system(packed(x86), s);
    const auto naive = plain_stepper(plain_of(x86), s);
    CHECK(agree_on_reachable(system, naive.get(), nullptr, {3000, 1}).disagreements.empty());
  }
}

TEST_CASE("a level hint is arm64's: n/a on x86-64, and a wrong one loses the flush on arm64") {
  Setup s = setup("reclaim-aging", true);
  s.mutations = {"operand:reclaim/try_to_unmap_flush=wrong-level"};
  const char* why =
      "operand:reclaim/try_to_unmap_flush=wrong-level: an invalidation of x86-64 names no level";
  CHECK_THROWS_WITH_AS(LoweredSystem(packed(true), s), why, NotApplicable);
  CHECK_THROWS_WITH_AS(plain_stepper(plain_of(true), s), why, NotApplicable);
  s = setup("reclaim-aging", false);
  s.mutations = {"operand:reclaim/tlbi_vale1is_nosync=wrong-level"};
  CHECK_FALSE(explored(s, false).violations.empty());
}
