// The lemmas of the proof are true: of every state that the machine reaches. And they say something: each
// fails in a mutant, and each bad twin breaks one before an observer sees anything.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "checker/explicit.hpp"
#include "checker/lower/lowered.hpp"
#include "properties/batched_unmap/proof.hpp"
#include "properties/batched_unmap/twins.hpp"
#include "tests/properties/batched_unmap/readings/readings.hpp"

using namespace ptmc;
using namespace ptmc::batched_unmap;
using Names = std::vector<std::string>;

namespace {

struct Found {
  Exploration run;
  std::vector<Predicate> predicates;

  Names violated() const {
    Names names;
    for (const Violation& v : run.violations) names.push_back(predicates[v.predicate].name);
    return names;
  }
  bool breaks(const std::string& name) const {
    const Names names = violated();
    return std::count(names.begin(), names.end(), name) == 1;
  }
  bool all_covers() const {
    return std::all_of(run.covers.begin(), run.covers.end(), [](const Cover& c) { return c.reached; });
  }
  /// Of the first state that breaks one of that kind; none: beyond the deepest.
  u32 level(Predicate::Kind kind) const {
    u32 first = run.depth + 1;
    for (const Violation& v : run.violations)
      if (predicates[v.predicate].kind == kind) first = std::min(first, v.level);
    return first;
  }
};

Found explored(bool x86, Batches batches, const Setup& setup, u64 states_max = no_limit) {
  const LoweredSystem system(readings(x86, batches).packed, setup);
  ExploreOptions o;
  o.stop_at_first = Toggle::off;
  o.states_max = states_max;
  return {explore(system, o), system.predicates()};
}

}  // namespace

TEST_CASE("no lemma fails in a reachable state of a catalogued instance") {
  struct Row {
    std::string name;
    Batches batches;
    u64 x86_64, arm64;  // States; 0: the instance does not exist there.
  };
  for (const Row& row : {Row{"reclaim-mprotect", Batches::one, 275929, 281996},
                         Row{"reclaim-numa", Batches::three, 185778, 242128},
                         Row{"reclaim-aging", Batches::three, 3589, 21960},
                         Row{"migrate-mprotect", Batches::one, 400977, 441991},
                         Row{"migrate-numa", Batches::one, 195303, 214327},
                         Row{"dontneed-dontneed", Batches::three, 32356, 32709},
                         Row{"reclaim-dontneed", Batches::three, 117702, 149608},
                         Row{"migrate-dontneed", Batches::one, 65673, 79690},
                         Row{"reclaim-numa-lazy", Batches::three, 793905, 0}})
    for (const bool x86 : {true, false}) {
      const u64 states = x86 ? row.x86_64 : row.arm64;
      if (states == 0) continue;
      CAPTURE(row.name);
      CAPTURE(x86);
      const Found found = explored(x86, row.batches, unfused(instance(row.name), x86, feature_sets(x86)[0]));
      CHECK(found.run.outcome == Outcome::exhausted);
      CHECK(found.violated() == Names{});
      CHECK(found.all_covers());
      CHECK(found.run.deadlocks == 0);
      CHECK(found.run.states == states);
    }
}

TEST_CASE("nor on arm64 without hardware management of A or D") {
  for (const std::string name : {"reclaim-numa", "reclaim-aging", "dontneed-dontneed"})
    for (const FeatureSet& features : feature_sets(false)) {
      CAPTURE(name);
      CAPTURE(std::string(features.name));
      const Found found = explored(false, Batches::three, unfused(instance(name), false, features));
      CHECK(found.run.outcome == Outcome::exhausted);
      CHECK(found.violated() == Names{});
    }
}

TEST_CASE("nor with all actors at once, as far as it goes") {
  for (const bool x86 : {true, false}) {
    const Setup s = proof_setup({x86, feature_sets(x86)[0], variants()[0]}, {});
    const Found found = explored(x86, Batches::all, s, 100'000);
    CHECK(found.run.outcome == Outcome::limit_states);
    CHECK(found.violated() == Names{});
    CHECK(found.run.states > 50'000);
  }
}

// What each bad twin breaks, said before it was run.
struct Broken {
  std::string twin;
  Names lemmas;
};
const std::vector<Broken> broken_by_twins{{"B01", {"drain", "revoked"}},
                                          {"B03", {"drain"}},
                                          {"B04", {"owed"}},
                                          {"B05", {"owed"}},
                                          {"B06", {"owed"}},
                                          {"B07", {"pending_counts_gathers"}},
                                          {"B08", {"protnone_is_pending", "skip", "owed"}},
                                          {"B09", {"discard"}},
                                          {"D7-free-before-flush", {"reclaim_registers", "owed"}},
                                          {"D7-io-before-flush", {"saved_before_free"}},
                                          {"D7-nested-init", {"owed"}},
                                          {"D7-load-store", {"window", "dirty_entry"}},
                                          {"D7-pending-before-ptl", {"owed"}},
                                          {"D7-migrate-no-flush", {"owed", "copied_before_put"}}};

TEST_CASE("each bad twin breaks a lemma, and before its property") {
  for (const Twin& twin : twins) {
    const auto& where = instance(twin.instance);
    if (where.pages > 1 || twin.mutation[0] == '\0') continue;
    const auto row = std::find_if(broken_by_twins.begin(), broken_by_twins.end(),
                                  [&](const Broken& b) { return b.twin == twin.id; });
    REQUIRE(row != broken_by_twins.end());
    for (const bool x86 : {true, false}) {
      if (twin.on != On::both && (twin.on == On::x86_64) != x86) continue;
      CAPTURE(twin.claim());
      CAPTURE(x86);
      Setup s = unfused(where, x86, feature_sets(x86)[0]);
      s.mutations = {twin.mutation};
      const Found found = explored(x86, Batches::one, s, 250'000);
      for (const std::string& lemma : row->lemmas) {
        CAPTURE(lemma);
        CHECK(found.breaks(lemma));
      }
      CHECK(found.level(Predicate::Kind::lemma) < found.level(Predicate::Kind::always));
    }
  }
}

TEST_CASE("each lemma can fail") {
  struct Row {
    Names lemmas;
    bool x86;
    std::vector<ActorCount> actors;
    std::string mutation;
    Batches batches = Batches::one;
  };
  const std::vector<ActorCount> mprotect{{"reclaim"}, {"mprotect"}}, zap{{"reclaim"}, {"madvise_dontneed"}};
  const std::vector<ActorCount> aging{{"reclaim"}, {"aging"}}, migrate{{"migrate"}, {"madvise_dontneed"}};
  const std::vector<ActorCount> numa{{"reclaim"}, {"change_prot_numa"}}, zaps{{"madvise_dontneed", 2}};
  const std::vector<Row> rows{
      {{"ptl_owner"}, true, zap, "drop:madvise_dontneed/pte_unmap_unlock"},
      {{"pending_counts_gathers"}, false, {{"change_prot_numa", 2}}, "knob:tlb_flush_pending=bool"},
      {{"mmap_lock"}, false, mprotect, "drop:mprotect/mmap_write_unlock"},
      {{"generation_order"}, true, numa, "knob:tlb_flush_batched=wrap-at-3", Batches::all},
      {{"rights"}, false, mprotect, "drop:mprotect/vma_set_page_prot"},
      {{"change_registers"}, true, mprotect, "drop:mprotect/ptep_modify_prot_commit"},
      {{"zap_registers"}, false, zap, "drop:madvise_dontneed/free_pages_and_swap_cache"},
      {{"reclaim_registers", "owed"}, true, aging, "drop:reclaim/try_to_unmap_flush"},
      {{"migrate_registers", "copied_before_put"}, true, migrate, "drop:migrate/try_to_unmap_flush"},
      {{"entry_shape"}, true, migrate, "drop:migrate/undo/remove_migration_pte"},
      {{"window", "references", "unsaved_is_dirty", "dirty_entry", "late_owner"},
       false,
       aging,
       "split:reclaim/ptep_get_and_clear"},
      {{"discarded_is_none"}, false, zaps, "drop:madvise_dontneed/ptep_get_and_clear_full"},
      {{"unmapped_stays"}, true, mprotect, "drop:reclaim/try_to_unmap_one/set_pte_at_swap"},
      {{"no_more_than_vma"}, false, mprotect, "drop:mprotect/ptep_modify_prot_start"},
      {{"saved_before_free"}, true, aging, "drop:reclaim/try_to_unmap_flush_dirty"},
      {{"protnone_is_pending", "skip"},
       false,
       numa,
       "move:change_prot_numa/dec_tlb_flush_pending=mm_tlb_flush_nested"},
      {{"drain", "revoked"}, true, mprotect, "drop:mprotect/change_pte_range/flush_tlb_batched_pending"},
      {{"protnone_is_drained"},
       true,
       mprotect,
       "guard-true:mprotect/tlb_finish_mmu/tlb_flush_mmu/wait_for_acks"},
      {{"gathered_is_flushed"}, true, zap, "drop:madvise_dontneed/tlb_finish_mmu/tlb_flush_mmu/send_ipis"},
      {{"discard"}, false, zaps, "drop:madvise_dontneed/tlb_finish_mmu/mm_tlb_flush_nested"}};
  // True by construction; induction needs them said.
  std::set<std::string> failed{"old_shape", "alone_is_old", "lazy_cpu"}, lemmas;
  for (const Row& row : rows) {
    Setup s = unfused(small(row.actors, 1), row.x86, feature_sets(row.x86)[0]);
    s.mutations = {row.mutation};
    const Found found = explored(row.x86, row.batches, s, 200'000);
    for (const std::string& lemma : row.lemmas) {
      CAPTURE(lemma);
      CHECK(found.breaks(lemma));
      failed.insert(lemma);
    }
    for (const Predicate& p : found.predicates)
      if (p.kind == Predicate::Kind::lemma) lemmas.insert(p.name);
  }
  CHECK(failed == lemmas);
}
