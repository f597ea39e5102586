// The proof's terms are the explored machine: equal reachable sets, state by state, mutated or not.
#include <doctest/doctest.h>

#include "tests/properties/batched_unmap/readings/readings.hpp"

using namespace ptmc;
using namespace ptmc::batched_unmap;
using Names = std::vector<std::string>;

namespace {

struct Row {
  bool x86;
  std::vector<ActorCount> actors;
  u64 user_cpus;
  Names rules_off;
  std::string mutation;  // Empty: none.
  u64 states, edges;
  bool lazy_cpu = false;
  Batches batches = Batches::one;
};
// Without a page that comes back there are fewer states.
const Names no_swap_in{"do_swap_page"}, no_fault{"do_swap_page", "do_anonymous_page"};

void check(const Row& row) {
  CAPTURE(row.x86);
  CAPTURE(row.actors.front().name);
  CAPTURE(row.actors.back().name);
  CAPTURE(row.mutation);
  auto instance = small(row.actors, row.user_cpus);
  instance.lazy_cpu = row.lazy_cpu;
  Setup s = unfused(instance, row.x86, feature_sets(row.x86)[0]);
  s.rules_off.insert(s.rules_off.end(), row.rules_off.begin(), row.rules_off.end());
  if (!row.mutation.empty()) s.mutations = {row.mutation};
  const Agreement a = reachable(readings(row.x86, row.batches), s, 20'000);
  CHECK(a.disagreements == Names{});
  CHECK(a.complete);
  CHECK(a.refused == 0);
  CHECK(a.states == row.states);
  CHECK(a.edges == row.edges);
}

}  // namespace

TEST_CASE("the machine as it is") {
  const std::vector<ActorCount> reclaim_aging{{"reclaim"}, {"aging"}};
  const std::vector<ActorCount> reclaim_numa{{"reclaim"}, {"change_prot_numa"}};
  const std::vector<ActorCount> reclaim_zap{{"reclaim"}, {"madvise_dontneed"}};
  const std::vector<ActorCount> mprotect_numa{{"mprotect"}, {"change_prot_numa"}};
  const std::vector<ActorCount> migrate_aging{{"migrate"}, {"aging"}};
  for (const Row& row : std::vector<Row>{
           {true, reclaim_aging, 2, {}, "", 2403, 11868},
           {false, reclaim_aging, 1, {}, "", 2924, 12108},
           {true, reclaim_numa, 1, no_swap_in, "", 3038, 6989},
           {false, reclaim_numa, 1, no_swap_in, "", 3895, 10080},
           {true, reclaim_zap, 1, no_fault, "", 985, 2116},
           {false, reclaim_zap, 1, no_fault, "", 1124, 2682},
           {true, {{"madvise_dontneed"}}, 2, {}, "", 888, 3658},
           {false, {{"madvise_dontneed"}}, 2, {}, "", 908, 3862},
           {true, mprotect_numa, 2, {}, "", 2986, 11294},
           {false, mprotect_numa, 2, {}, "", 3860, 16774},
           {true, migrate_aging, 1, {}, "", 1350, 4366},
           {false, migrate_aging, 1, {}, "", 5773, 22854},
       })
    check(row);
}

TEST_CASE("with the lazy CPU") {
  check({true, {{"reclaim"}, {"aging"}}, 1, no_swap_in, "", 2284, 9496, true});
  check({true, {{"madvise_dontneed"}}, 1, {}, "", 3370, 17232, true});
}

TEST_CASE("mutants and the variants before seed 004") {
  const std::vector<ActorCount> numa{{"reclaim"}, {"change_prot_numa"}}, aging{{"reclaim"}, {"aging"}};
  const char* count_first = "move:change_prot_numa/dec_tlb_flush_pending=mm_tlb_flush_nested";
  for (const Row& row : std::vector<Row>{
           {true, numa, 1, no_swap_in, "knob:pte_accessible=no-pending", 2376, 5582},
           {false, numa, 1, no_swap_in, "knob:pte_accessible=no-pending", 3088, 8013},
           {true, numa, 1, no_swap_in, "knob:defer=eager", 1615, 3690},
           {false, numa, 1, no_swap_in, "knob:defer=batched", 3734, 9788},
           {true, numa, 1, no_swap_in, count_first, 3287, 7542},
           {true, numa, 1, no_swap_in, "knob:flush_tlb_func=gen-zero-is-old", 3757, 8640},
           {false, aging, 1, no_swap_in, "knob:pte_accessible_af=required", 733, 2377},
           {true, aging, 1, {}, "drop:reclaim/try_to_unmap_flush", 557, 1754},
           {false, aging, 1, {}, "split:reclaim/ptep_get_and_clear", 4945, 20794},
           {true, aging, 1, {}, "knob:tlb_ubc=init-when-nested", 816, 2706},
           {true, aging, 1, {}, "knob:tlb_flush_batched=wrap-at-3", 1964, 5942, false, Batches::all},
       })
    check(row);
}

TEST_CASE("a difference in one reading is found and named") {
  const Setup s = unfused(small({{"reclaim"}, {"aging"}}, 1), true, feature_sets(true)[0]);
  Readings other = readings(true, Batches::one);
  std::swap(other.symbolic.rules[0].effect, other.symbolic.rules[2].effect);  // fill and user_store.
  const Names found = reachable(other, s, 100).disagreements;
  REQUIRE(!found.empty());
  CHECK(found.front().starts_with("terms lead elsewhere by hw/fill(cpu=0, page=0) in "));

  other = readings(true, Batches::one);
  other.symbolic.initial = readings(true, Batches::three).symbolic.initial;
  CHECK(reachable(other, s, 1).disagreements.front().starts_with("not initial by its term"));
}
