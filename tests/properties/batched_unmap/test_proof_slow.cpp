// The proof of seed 004 stands, and falls with what it rests on.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "checker/inductive.hpp"
#include "properties/batched_unmap/machine.hpp"
#include "properties/batched_unmap/proof.hpp"

using namespace ptmc;
using namespace ptmc::batched_unmap;
using Names = std::vector<std::string>;
using Set = std::set<std::string>;

namespace {

Induction proof(bool x86, const Setup& setup) {
  InductiveOptions o;
  o.cti_max = 0;
  o.covers = false;
  return prove(*symbolic_source(x86 ? symbolic_x86_64() : symbolic_arm64(), setup), o);
}
Setup kernel(bool x86) { return proof_setup({x86, feature_sets(x86)[0], variants()[0]}, {}); }

struct Row {
  bool x86;
  std::vector<ActorCount> actors;
  std::string mutation;
  std::string step;  // Breaks the invariant,
  Set lemmas;        // and one of these there.
};

void check(const Row& row) {
  CAPTURE(row.x86);
  CAPTURE(row.mutation);
  Setup s = kernel(row.x86);
  s.actors = row.actors;
  s.mutations = {row.mutation};
  const Induction found = proof(row.x86, s);
  CHECK(found.outcome == Induction::Outcome::not_inductive);
  const auto step = std::find_if(found.queries.begin(), found.queries.end(),
                                 [&](const ProofQuery& q) { return q.name == row.step; });
  REQUIRE(step != found.queries.end());
  REQUIRE(step->answer == ProofQuery::Answer::fails);
  CHECK(std::any_of(step->broken.begin(), step->broken.end(),
                    [&](const std::string& lemma) { return row.lemmas.contains(lemma); }));
}

}  // namespace

TEST_CASE("the kernel's machine is proved") {
  for (const bool x86 : {true, false}) {
    CAPTURE(x86);
    const Induction found = proof(x86, kernel(x86));
    CHECK(found.outcome == Induction::Outcome::proved);
    CHECK(found.claims == Names{"stale", "excess", "reach", "lost", "done"});
    CHECK(std::count(found.lemmas.begin(), found.lemmas.end(), "skip") == 1);
    CHECK(std::count(found.lemmas.begin(), found.lemmas.end(), "protnone_is_pending") == 1);
  }
}

TEST_CASE("not without the look at tlb_flush_pending (bug/B06): the skipped flush is owed") {
  for (const bool x86 : {true, false}) {
    CAPTURE(x86);
    Setup s = kernel(x86);
    s.mutations = {"knob:pte_accessible=no-pending"};
    const Induction found = proof(x86, s);
    CHECK(found.outcome == Induction::Outcome::not_inductive);
    Set steps;
    for (const ProofQuery& q : found.queries) {
      if (q.answer == ProofQuery::Answer::holds) continue;
      steps.insert(q.name);
      CHECK(std::count(q.broken.begin(), q.broken.end(), "owed") == 1);
    }
    CHECK(steps ==
          Set{"reclaim/try_to_unmap_one/pte_accessible", "migrate/try_to_migrate_one/pte_accessible"});
  }
}

TEST_CASE("nor without flushes, drains and counts in their places") {
  const std::vector<ActorCount> mprotect{{"reclaim"}, {"mprotect"}}, numa{{"reclaim"}, {"change_prot_numa"}};
  const std::string change_pte = "mprotect/change_pte_range/";
  const std::string drain = change_pte + "flush_tlb_batched_pending";
  const std::string flush = drain + "/arch_flush_tlb_batched_pending/";
  const std::string dec = "change_prot_numa/tlb_finish_mmu/dec_tlb_flush_pending";
  for (const Row& row : {
           Row{true,
               mprotect,
               "drop:" + drain,
               change_pte + "pte_offset_map_lock",  // bug/B01
               {"drain", "protnone_is_drained"}},
           Row{false, mprotect, "drop:" + flush + "tlbi_aside1is", flush + "dsb_ishst", {"drain"}},  // B03
           Row{true,
               numa,
               "knob:flush_tlb_func=gen-zero-is-old",
               "hw/invalidate_reclaim(cpu=1, actor=0)",
               {"owed"}},  // bug/B04
           Row{false,
               numa,
               "move:" + dec + "=mm_tlb_flush_nested",
               dec,  // bug/B08
               {"protnone_is_pending", "skip"}},
           Row{true,
               {{"reclaim"}},
               "drop:reclaim/try_to_unmap_flush",  // mremap/D7-free-before-flush
               "reclaim/nested_reclaim/enter(choice=0)",
               {"reclaim_registers", "owed"}},
       })
    check(row);
}
