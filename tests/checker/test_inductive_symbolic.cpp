// Proofs by induction on toys: what is proved, what is not, and that each query can fail.
#include <doctest/doctest.h>

#include <algorithm>

#include "checker/inductive.hpp"
#include "checker/lower/lower_symbolic.hpp"
#include "checker/symbolic/model.hpp"
#include "tests/checker/lower/slots.hpp"
#include "tests/checker/lower/toy.hpp"

using namespace ptmc;
using Names = std::vector<std::string>;
using SlotsState = slots::State<Symbolic>;

namespace {

// Z3 is not: where only its time is spent, an instrumented run finds nothing new.
#ifdef __SANITIZE_ADDRESS__
constexpr bool instrumented = true;
#else
constexpr bool instrumented = false;
#endif

const SymbolicTables& slots_tables() {
  static const SymbolicTables tables = symbolic_tables<slots::Model>();
  return tables;
}

Setup with_workers(u64 workers, Names mutations = {}) {
  Setup s;
  s.actors = {{"worker", workers}};
  s.config.bound[static_cast<unsigned>(By::cpu)] = 2;
  s.mutations = std::move(mutations);
  return s;
}

Induction prove(const Setup& s, const InductiveOptions& options = {},
                const SymbolicTables& tables = slots_tables()) {
  return prove(*symbolic_source(tables, s), options);
}

Names failing(const Induction& result) {
  Names names;
  for (const ProofQuery& q : result.queries)
    if (q.answer == ProofQuery::Answer::fails) names.push_back(q.name);
  return names;
}

std::string all_of(const Induction& result) {
  std::string text = std::to_string(result.rounds);
  for (const ProofQuery& q : result.queries) {
    text += q.name + std::to_string(static_cast<int>(q.answer)) + std::to_string(q.claims) + " " +
            std::to_string(q.work) + "\n";
    for (const std::string& b : q.broken) text += " " + b;
    if (q.cti) text += to_text(*q.cti);
  }
  for (const Names& names : {result.claims, result.lemmas, result.generated, result.vacuous_steps})
    for (const std::string& n : names) text += n + "\n";
  return text;
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the lock protocol is proved, for one worker and for two") {
  for (const u64 workers : {u64{1}, u64{2}}) {
    const Induction r = prove(with_workers(workers));
    CHECK(r.outcome == Induction::Outcome::proved);
    CHECK(r.queries.size() == 1 + workers * 10 + 2 + 3);
    CHECK(r.claims == Names{"mutex", "bounded", "marked"});
    CHECK(r.lemmas == Names{"owner", "inside", "slot_exists", "seen_is_fresh"});
    CHECK(r.generated_tried == 3 * workers);
    CHECK(r.generated.size() ==
          workers);  // The counter is below the limit before it is increased, not after.
    CHECK(r.vacuous_steps.empty());
    CHECK(r.vacuous_covers.empty());
    std::string reason;
    CHECK(verdict(r, reason) == Verdict::proved);
    CHECK(reason.empty());
  }
}

TEST_CASE("a state of an instance has only the fields it uses") {
  z3::context context;
  const SymbolicModel model = symbolic_source(slots_tables(), with_workers(1))->in(context);
  Names names;
  for (const Variable& v : model.variables) names.push_back(v.name);
  CHECK(names == Names{"lock", "count[0]", "count[1]", "count[2]", "mark", "worker[0].seen", "worker[0].slot",
                       "worker[0].inside", "lit[0]", "lit[1]", "worker.pc"});
  CHECK(model.variables.back().values ==
        Names{"lock", "pick", "add/read", "add/increase", "add/write", "add/mark", "leave", "unlock"});
  CHECK(model.rules.size() == 8 + 2 + 2);
  CHECK(label(model.rules[2].action) == "worker/pick(choice=1)");
}

TEST_CASE("a mutation of one caller breaks exactly one query") {
  const Induction r = prove(with_workers(2, {"guard-true:worker/lock@worker[0]"}));
  CHECK(r.outcome == Induction::Outcome::not_inductive);
  CHECK(failing(r) == Names{"worker[0]/lock"});
}

TEST_CASE("the counterexample to induction shows what matters and nothing else") {
  InductiveOptions options;
  options.reachable = [](const DecodedState& before) {
    CHECK(before.size() == 15);
    return true;
  };
  Induction r = prove(with_workers(2, {"guard-true:worker/lock@worker[0]"}), options);
  const auto failed = std::find_if(r.queries.begin(), r.queries.end(),
                                   [](const ProofQuery& q) { return q.answer == ProofQuery::Answer::fails; });
  REQUIRE(failed != r.queries.end());
  REQUIRE(failed->cti);
  CHECK(failed->broken == Names{"mutex", "owner"});
  CHECK(to_text(*failed->cti) ==
        "step    worker[0]/lock\n"
        "breaks  mutex, owner\n"
        "where   worker[0] at lock, worker[1] at pick\n"
        "        lock = 0x2 -> 0x1\n"
        "        worker[0].inside = 0x0 -> 0x1\n"
        "        worker[1].inside = 0x1\n"
        "the state before is reachable: the design is wrong or a lemma is false\n");
  std::string reason;
  CHECK(verdict(r, reason) == Verdict::violated);
  CHECK(reason == "worker[0]/lock breaks mutex");

  failed->cti->reachable = false;
  reason.clear();
  CHECK(verdict(r, reason) == Verdict::unknown);
  CHECK(reason == "not inductive: worker[0]/lock breaks mutex");
  CHECK(contains(to_text(*failed->cti), "a lemma is missing"));
}

TEST_CASE("width and bounds are proof obligations") {
  InductiveOptions options;
  options.cti_max = 0;
  options.left_out = {"seen_is_fresh"};
  const Induction wide = prove(with_workers(1, {"knob:limit=none"}), options);
  CHECK(failing(wide) == Names{"worker/add/increase", "worker/add/write"});
  CHECK(contains(wide.queries[6].broken.front(), "a value does not fit 3 bits"));

  options.left_out = {"slot_exists"};
  const Induction out_of_range = prove(with_workers(1), options);
  CHECK(failing(out_of_range) == Names{"worker/add/read", "worker/add/write", "worker/add/mark"});
  CHECK(contains(out_of_range.queries[5].broken.front(), "an index is not below 3"));
}

TEST_CASE("a claim set apart must follow from the rest") {
  InductiveOptions options;
  options.apart = {"mutex"};
  CHECK(prove(with_workers(2), options).outcome == Induction::Outcome::proved);
  options.apart = {"bounded"};
  const Induction r = prove(with_workers(1), options);
  CHECK(failing(r) == Names{"worker/add/read", "bounded"});
  CHECK(r.queries.back().name == "marked");
}

TEST_CASE("each lemma is needed" * doctest::skip(instrumented)) {
  for (const char* lemma : {"owner", "inside", "slot_exists", "seen_is_fresh"}) {
    CAPTURE(lemma);
    InductiveOptions options;
    options.left_out = {lemma};
    options.cti_max = 0;
    options.covers = false;
    CHECK(prove(with_workers(2), options).outcome == Induction::Outcome::not_inductive);
  }
}

TEST_CASE("a limit that is too small is unknown, and says where") {
  InductiveOptions options;
  options.rlimit = 100;
  options.covers = false;
  const Induction r = prove(with_workers(1), options);
  CHECK(r.outcome == Induction::Outcome::unknown);
  std::string reason;
  CHECK(verdict(r, reason) == Verdict::unknown);
  CHECK(contains(reason, ": max. resource limit exceeded"));
}

TEST_CASE("a vacuous proof is none") {
  SymbolicTables tables = slots_tables();
  tables.initial = [](const void*, const Config&, z3::context& c) { return c.bool_val(false); };
  const Induction nowhere = prove(with_workers(1), {}, tables);
  CHECK(nowhere.no_initial_state);
  CHECK(nowhere.outcome == Induction::Outcome::unknown);

  tables = slots_tables();
  tables.claims.back() = [](const void*, const SymbolicWhere&, z3::context& c) { return c.bool_val(false); };
  const Induction contradictory = prove(with_workers(1), {}, tables);
  CHECK(contradictory.contradictory);
  CHECK(failing(contradictory) == Names{"initial"});

  // Without `pick`, the slot stays 0 and the proof is as good; with a lock that never opens, nothing runs.
  CHECK(prove(with_workers(1, {"drop:worker/pick"})).outcome == Induction::Outcome::proved);
  const Induction closed = prove(with_workers(1, {"guard-false:worker/lock"}));
  CHECK(closed.outcome == Induction::Outcome::proved);
  CHECK(closed.vacuous_steps == Names{"worker/lock"});
}

TEST_CASE("a field that the instance does not use stays zero, whatever is written to it") {
  SymbolicTables tables = slots_tables();
  tables.rules[0].effect = [](void* s, u64, u64, const Ctx&) {
    static_cast<SlotsState*>(s)->lit[2] = true;
    static_cast<SlotsState*>(s)->worker[1].inside = true;
  };
  CHECK(prove(with_workers(1), {}, tables).outcome == Induction::Outcome::proved);
  CHECK(failing(prove(with_workers(2), {}, tables)) == Names{"hw/toggle(cpu=0)", "hw/toggle(cpu=1)"});
}

TEST_CASE("claims that an instance does without") {
  Setup s = with_workers(1);
  s.predicates_off = {"mutex", "full"};
  CHECK(prove(s).claims == Names{"bounded", "marked"});
}

TEST_CASE("actors and claims may be lowered apart") {
  SymbolicTables tables;
  symbolic_actors<slots::Model>(tables);
  symbolic_claims<slots::Model>(tables);
  CHECK(prove(with_workers(1), {}, tables).outcome == Induction::Outcome::proved);
}

TEST_CASE("names that do not exist are errors") {
  InductiveOptions options;
  options.left_out = {"ownr"};
  CHECK_THROWS_AS(prove(with_workers(1), options), std::invalid_argument);
  options = {};
  options.apart = {"owner"};
  CHECK_THROWS_AS(prove(with_workers(1), options), std::invalid_argument);
  SymbolicTables tables = slots_tables();
  tables.claims.back() = [](const void*, const SymbolicWhere& w, z3::context&) {
    return w.in("worker", "lock", "unlok").e;
  };
  CHECK_THROWS_AS(symbolic_source(tables, with_workers(1)), std::invalid_argument);
  CHECK_THROWS_AS(symbolic_source(slots_tables(), with_workers(1, {"guard-true:worker/write"})),
                  NotApplicable);
}

TEST_CASE("the same bytes at one thread and at two" * doctest::skip(instrumented)) {
  for (const Names& mutations : {Names{}, Names{"guard-true:worker/lock"}, Names{"drop:worker/unlock"}}) {
    InductiveOptions one, two;
    one.threads = 1;
    two.threads = 2;
    CHECK(all_of(prove(with_workers(2, mutations), one)) == all_of(prove(with_workers(2, mutations), two)));
  }
}

TEST_CASE("a claim without its lemmas is not inductive") {
  const SymbolicTables tables = symbolic_tables<toy::Model>();
  const Induction r = prove(with_workers(2), {}, tables);
  CHECK(r.outcome == Induction::Outcome::not_inductive);
  CHECK(failing(r).front() == "worker[0]/add/read");
}
