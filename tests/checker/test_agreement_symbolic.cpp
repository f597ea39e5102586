// Packed, plain and symbolic readings of the toys agree, mutated or not; and a difference is found.
#include <doctest/doctest.h>

#include "checker/agreement.hpp"
#include "checker/inductive.hpp"
#include "checker/inductive/reaches.hpp"
#include "checker/lower/lower_packed.hpp"
#include "checker/lower/lower_plain.hpp"
#include "checker/lower/lower_symbolic.hpp"
#include "checker/lower/lowered.hpp"
#include "tests/checker/lower/slots.hpp"
#include "tests/checker/lower/toy.hpp"

using namespace ptmc;
using Names = std::vector<std::string>;

namespace {

template <class Model>
struct Tables {
  PackedTables packed = packed_tables<Model>();
  PlainTables plain = plain_tables<Model>();
  SymbolicTables symbolic = symbolic_tables<Model>();
};
template <class Model>
Tables<Model>& tables() {
  static Tables<Model> all;
  return all;
}

Setup setup(u64 workers, Names mutations = {}) {
  Setup s;
  s.actors = {{"worker", workers}};
  s.config.bound[static_cast<unsigned>(By::cpu)] = 1;
  s.config.bound[static_cast<unsigned>(By::page)] = 1;
  s.mutations = std::move(mutations);
  s.fuse = false;
  s.lemmas = true;
  return s;
}

template <class Model>
Agreement reachable(const Tables<Model>& t, const Setup& s, u64 states_max = 100'000) {
  const LoweredSystem system(t.packed, s);
  const auto naive = plain_stepper(t.plain, s);
  const auto symbolic = symbolic_source(t.symbolic, s);
  return agree_on_reachable(system, naive.get(), symbolic.get(), {states_max, 1});
}
template <class Model>
Agreement random(const Tables<Model>& t, const Setup& s) {
  const LoweredSystem system(t.packed, s);
  return agree_on_random(system, *plain_stepper(t.plain, s), *symbolic_source(t.symbolic, s), {300, 7});
}

}  // namespace

TEST_CASE("all reachable states of the toy, step by step") {
  for (const u64 workers : {u64{1}, u64{2}}) {
    const Agreement a = reachable(tables<toy::Model>(), setup(workers));
    CHECK(a.disagreements == Names{});
    CHECK(a.complete);
    CHECK(a.states == (workers == 1 ? 26 : 282));
  }
}

TEST_CASE("mutants of the toy") {
  for (const char* m : {"drop:worker/lock", "guard-true:worker/lock", "knob:increment=two@worker[1]",
                        "move:worker/read=increase", "insert:worker/write=read", "drop:hw/switch_on",
                        "guard-false:worker/rest", "guard-true:hw/switch_on"}) {
    CAPTURE(m);
    const Agreement a = reachable(tables<toy::Model>(), setup(2, {m}));
    CHECK(a.disagreements == Names{});
    CHECK(a.complete);
  }
}

TEST_CASE("slots: reachable and unreachable states, mutated or not") {
  for (const Names& m : {Names{}, Names{"guard-true:worker/lock"}, Names{"drop:worker/leave"}}) {
    CHECK(reachable(tables<slots::Model>(), setup(2, m), 300).disagreements == Names{});
    const Agreement a = random(tables<slots::Model>(), setup(2, m));
    CHECK(a.disagreements == Names{});
    CHECK(a.states == 300);
    CHECK(a.refused > 0);  // Slot 3 of 0..2.
  }
}

TEST_CASE("the naive stepper agrees with fused steps, too") {
  Setup s = setup(2);
  s.fuse = true;
  const LoweredSystem system(tables<toy::Model>().packed, s);
  const auto naive = plain_stepper(tables<toy::Model>().plain, s);
  const Agreement a = agree_on_reachable(system, naive.get(), nullptr, {100'000, 1});
  CHECK(a.disagreements == Names{});
  CHECK(a.complete);
}

TEST_CASE("a difference in one reading is found and named") {
  Tables<toy::Model> t = tables<toy::Model>();
  std::swap(t.symbolic.steps[2].effect, t.symbolic.steps[5].effect);  // read and unlock.
  Agreement a = reachable(t, setup(1));
  REQUIRE(!a.disagreements.empty());
  CHECK(a.disagreements.front().starts_with("terms lead elsewhere by worker/add/read() in "));

  t = tables<toy::Model>();
  t.plain.steps[1].guard = [](const void*, const Ctx&) { return true; };  // lock.
  a = reachable(t, setup(2));
  REQUIRE(!a.disagreements.empty());
  CHECK(a.disagreements.front().starts_with("naive steps alone allow worker["));

  t = tables<toy::Model>();
  t.plain.claims[0] = [](const void*, const PlainWhere&) { return false; };
  a = reachable(t, setup(1));
  REQUIRE(!a.disagreements.empty());
  CHECK(a.disagreements.front().starts_with("naive value of sum in"));

  t = tables<toy::Model>();
  t.symbolic.initial = [](const void*, const Config&, z3::context& c) { return c.bool_val(false); };
  CHECK(reachable(t, setup(1)).disagreements.front().starts_with("not initial by its term"));
}

TEST_CASE("what is no proof obligation must not fail") {
  Tables<slots::Model> t = tables<slots::Model>();
  t.symbolic.steps[2].effect = [](void*, const Ctx&) {};  // read: no index, no obligation.
  CHECK(random(t, setup(1)).disagreements.size() == 10);
}

TEST_CASE("a counterexample to induction is real, or not, or nobody can tell") {
  const Tables<slots::Model>& t = tables<slots::Model>();
  auto ask = [&](const Setup& s, const char* without, u64 states_max, std::string& reason) {
    const LoweredSystem system(t.packed, s);
    InductiveOptions options;
    options.cti_max = 1;
    options.covers = false;
    if (without != nullptr) options.left_out = {without};
    options.reachable = [&](const DecodedState& before) { return reaches(system, before, states_max).found; };
    const Induction r = prove(*symbolic_source(t.symbolic, s), options);
    for (const ProofQuery& q : r.queries)
      if (q.cti) return std::pair(verdict(r, reason), q.cti->reachable);
    throw std::logic_error("nothing failed");
  };
  std::string reason;
  const Setup race = setup(2, {"guard-true:worker/lock"});
  CHECK(ask(race, nullptr, 200'000, reason) == std::pair(Verdict::violated, std::optional(true)));
  CHECK(reason == "worker[0]/lock breaks mutex");
  reason.clear();
  CHECK(ask(race, nullptr, 2, reason) == std::pair(Verdict::unknown, std::optional<bool>()));
  CHECK(reason == "not inductive: worker[0]/lock breaks mutex");
  reason.clear();
  CHECK(ask(setup(1), "slot_exists", 200'000, reason) == std::pair(Verdict::unknown, std::optional(false)));
  CHECK(reason == "not inductive: worker/add/read breaks an index is not below 3");

  Setup wide = setup(1, {"knob:limit=none"});  // A run that leaves a field's width tells nothing more.
  CHECK(ask(wide, "seen_is_fresh", 200'000, reason).second == std::nullopt);
}
