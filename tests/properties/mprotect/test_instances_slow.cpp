// The machine of mprotect: bounds, exact counts, packed against plain steps.
#include <doctest/doctest.h>

#include "checker/agreement.hpp"
#include "model/arch/x86_64.hpp"
#include "properties/mprotect/explore.hpp"

using namespace ptmc;
using namespace ptmc::mprotect;

namespace {

Setup setup(const char* name, bool x86, const Batching& batching) {
  return mprotect::setup_of(question_of(instance(name), x86, feature_sets(x86)[0], batching), {});
}
Exploration explored(const Setup& s, bool x86) {
  ExploreOptions o;
  o.stop_at_first = Toggle::off;
  return explore(LoweredSystem(lowered(x86).packed, s), o);
}

}  // namespace

TEST_CASE("default bounds are never below the fact sheet's minima (mprotect/11)") {
  for (const auto& i : instances()) {
    CAPTURE(i.name);
    CHECK(i.user_cpus == 2);
    CHECK(i.pages == (i.kind == small ? 1 : 3));  // Those minima are for batches.
    CHECK(Explored<X86_64>::folio_pages == 4);
  }
}

TEST_CASE("exact state and edge counts, batched as landed and entry by entry") {
  struct Row {
    const char* name;
    bool x86;
    u64 states, edges, states_per_pte, edges_per_pte;
  };
  for (const Row& row : {Row{"anon", true, 87531, 636884, 47756, 362285},
                         Row{"anon", false, 75245, 705280, 75485, 742865},
                         Row{"anon-fork", true, 239660, 1876647, 106784, 855544},
                         Row{"anon-fork", false, 192489, 1853805, 158393, 1578852},
                         Row{"anon-reclaim", true, 12033, 47172, 12217, 49018},
                         Row{"anon-reclaim", false, 55248, 269192, 55432, 271430},
                         Row{"small-ksm-gup", true, 74143, 314135, 74143, 314135},
                         Row{"small-ksm-gup", false, 151618, 754695, 151618, 754695},
                         Row{"small-fork-gup", true, 108464, 554910, 108464, 554910},
                         Row{"small-fork-gup", false, 277349, 1600769, 277349, 1600769},
                         Row{"anon-two-folios", true, 6823, 50619, 5160, 38474},
                         Row{"anon-two-folios", false, 7093, 67648, 8929, 87313},
                         Row{"private-file", true, 536, 3547, 564, 3979},
                         Row{"private-file", false, 698, 5964, 726, 6396},
                         Row{"shared-file", true, 20520, 147001, 26190, 192931},
                         Row{"shared-file", false, 27442, 261064, 27708, 254400},
                         Row{"shared-file-writeback", true, 250942, 1956639, 295320, 2358357},
                         Row{"shared-file-writeback", false, 464117, 4777518, 522079, 5373445},
                         Row{"uffd-wp", true, 26218, 189487, 26190, 192931},
                         Row{"uffd-wp", false, 27736, 249468, 27708, 254400},
                         Row{"soft-dirty", true, 25092, 181162, 22014, 160448},
                         Row{"shadow-stack", true, 65561, 457848, 36096, 254656},
                         Row{"shadow-stack-fork", true, 142525, 1094819, 78368, 620776}}) {
    CAPTURE(row.name);
    CAPTURE(row.x86);
    for (const Batching& batching : batchings()) {
      CAPTURE(batching.name);
      const Exploration found = explored(setup(row.name, row.x86, batching), row.x86);
      const bool landed = *batching.knob == '\0';
      CHECK(found.outcome == Outcome::exhausted);
      CHECK(found.states == (landed ? row.states : row.states_per_pte));
      CHECK(found.edges == (landed ? row.edges : row.edges_per_pte));
      CHECK(found.deadlocks == 0);
    }
  }
}

TEST_CASE("symmetry changes counts, not verdicts") {
  for (const bool x86 : {true, false}) {
    Setup s = setup("uffd-wp", x86, batchings()[0]);
    const Exploration reduced = explored(s, x86);
    s.fuse = false;
    s.config.symmetric = {};
    const Exploration whole = explored(s, x86);
    CHECK(whole.states > reduced.states);
    CHECK(whole.violations.empty());
    CHECK(reduced.violations.empty());
    s.mutations = {"knob:writenotify=without-uffd-wp"};
    CHECK(explored(s, x86).violations.size() == 1);
  }
}

TEST_CASE("packed and plain steps agree in reachable states") {
  for (const bool x86 : {true, false})
    for (const auto& i : instances()) {
      if (!machine::exists(i.on, x86)) continue;
      CAPTURE(i.name);
      const Setup s = setup(i.name, x86, batchings()[0]);
      const LoweredSystem system(lowered(x86).packed, s);
      const auto naive = plain_stepper(lowered(x86).plain, s);
      CHECK(agree_on_reachable(system, naive.get(), nullptr, {1000, 1}).disagreements.empty());
    }
}
