// Hints of a toy whose mendings are known, and what must be no hint: a machine that waits for ever.
#include <doctest/doctest.h>

#include "counterexamples/goes_on.hpp"
#include "counterexamples/hints.hpp"
#include "counterexamples/same_trace.hpp"
#include "tests/checker/small.hpp"
#include "tests/counterexamples/revoker.hpp"

using namespace ptmc;

namespace {

/// A revoker with mutations.
struct Machine {
  bool user;
  std::vector<std::string> mutations;

  Setup with(const More& more) const {
    std::vector<std::string> all = mutations;
    for (const Mutation& m : more) all.push_back(m.text);
    return revoker::setup(user, all);
  }
  std::shared_ptr<const System> system(const More& more = {}) const {
    return std::make_shared<LoweredSystem>(revoker::packed(), with(more));
  }
  Program program(const More& more = {}) const {
    return instantiate(revoker::packed().text, with(more)).program;
  }
  Trace trace() const {
    const Exploration found = explore(*system(), toys::small());
    REQUIRE(found.violations.size() == 1);
    return found.violations[0].trace;
  }
  HintMachines machines() const {
    HintMachines m;
    m.program = m.whole_program = [this](const More& more) { return program(more); };
    m.small = [this](const More& more) { return system(more); };
    m.whole = {m.small};
    m.stepper = [this](const More& more) { return plain_stepper(revoker::plain(), with(more)); };
    m.unbroken = code_of(Machine{user, {}}.program());
    m.tariff = &revoker::tariff();
    return m;
  }
  Hints hints(const HintOptions& options = {.threads = 1}) const {
    return ptmc::hints(trace(), machines(), options);
  }
};

std::vector<std::string> told(const Hints& h) {
  std::vector<std::string> all;
  for (const Hint& hint : h.found)
    all.push_back(hint.change.mutation.text + ": " + to_text(hint.price, revoker::tariff()) +
                  (hint.undoes ? ", undone" : ""));
  return all;
}

std::size_t sum(const Tally& t) {
  return t.by_trace + t.by_small + t.by_whole + t.by_cover + t.by_waiting + t.by_blindness + t.by_error +
         t.open;
}

const Machine early_unlock{true, {"move:revoke/unlock=lock"}};
const Machine late_clear{false, {"move:revoke/clear=flush"}};

}  // namespace

TEST_CASE("unbroken, the toy holds, and everybody goes on") {
  for (const bool user : {true, false}) {
    const Machine m{user, {}};
    const Exploration found = explore(*m.system(), toys::small());
    CHECK(found.outcome == Outcome::exhausted);
    for (const Cover& c : found.covers) CHECK(c.reached);
    const GoesOn on = goes_on(*m.system(), 1000, [] { return false; });
    CHECK(on.known);
    CHECK(on.again.contains("revoke"));
    CHECK(on.again.contains("user") == user);
    CHECK(on.last.empty());
  }
}

// Expected before the run. The lock must cover the clear, or the user reads before and caches after it. What
// takes the lock once more mends it, too, in the first round; then nobody moves any more.
TEST_CASE("an early unlock: hints in order, and no lock that is never released") {
  const Hints h = early_unlock.hints();
  CHECK(told(h) == std::vector<std::string>{"move:revoke/unlock=flush: costs nothing, undone",
                                            "insert:revoke/lock=clear: costs nothing",
                                            "move:revoke/clear=lock: costs nothing",
                                            "move:revoke/unlock=return: costs nothing",
                                            "move:revoke/unlock=grant: costs nothing"});
  CHECK(h.tally.open == 0);
  CHECK(!h.time_ended);
  CHECK(sum(h.tally) + h.found.size() == h.tally.tried);
  // lock after lock, unlock and clear of revoke; after lock and walk of user.
  CHECK(h.tally.by_waiting == 5);
  CHECK(h.tally.by_blindness == 4);  // forget at each place of revoke.
  for (const Hint& hint : h.found) {
    CHECK(hint.all_go_on);
    CHECK(hint.price.behind.empty());
  }
}

// Expected before the run. The walker needs no lock: the flush must come after the clear.
TEST_CASE("a clear after the flush: what flushes once more costs a flush") {
  const Hints h = late_clear.hints();
  CHECK(told(h) == std::vector<std::string>{"move:revoke/clear=lock: costs nothing, undone",
                                            "insert:revoke/lock=clear: costs nothing",
                                            "move:revoke/flush=unlock: costs nothing",
                                            "insert:revoke/clear=flush: costs 1 flush",
                                            "insert:revoke/unlock=flush: costs 1 flush"});
  CHECK(sum(h.tally) + h.found.size() == h.tally.tried);
}

TEST_CASE("each hint, applied, makes the machine whole; without it, it is broken") {
  for (const Machine& broken : {early_unlock, late_clear}) {
    for (const Hint& hint : broken.hints().found) {
      CAPTURE(hint.change.mutation.text);
      const Exploration found = explore(*broken.system({hint.change.mutation}), toys::small());
      CHECK(found.outcome == Outcome::exhausted);
      CHECK(found.states == hint.states);
    }
    CHECK(!explore(*broken.system(), toys::small()).violations.empty());
  }
}

TEST_CASE("lock and unlock both gone: no single step helps") {
  const Hints h = Machine{true, {"drop:revoke/lock", "drop:revoke/unlock"}}.hints();
  CHECK(h.found.empty());
  CHECK(h.tally.tried > 20);
  CHECK(h.tally.open == 0);
}

TEST_CASE("what the limits leave open is counted") {
  const Hints h = early_unlock.hints({.time_max_ms = 0, .threads = 1});
  CHECK(h.time_ended);
  CHECK(h.found.empty());
  CHECK(h.tally.open == h.tally.tried);
  const Hints few = early_unlock.hints({.states_max = 3, .threads = 1});
  CHECK(few.found.empty());
  CHECK(few.tally.open > 0);
  CHECK(!few.time_ended);
}

TEST_CASE("a trace is followed through the candidate's step, and says nothing where it ends elsewhere") {
  const Trace t = early_unlock.trace();
  const auto all = candidates(t, [](const More& more) { return early_unlock.program(more); });
  unsigned violating = 0;
  for (const Candidate& c : all) {
    CAPTURE(c.mutation.text);
    const auto system = early_unlock.system({c.mutation});
    if (!same_trace_violates(t, *system, c)) continue;
    ++violating;
    CHECK(!explore(*system, toys::small()).violations.empty());
  }
  CHECK(violating > all.size() / 2);
}

TEST_CASE("candidates change what the trace passes, and no two leave the same code") {
  const Trace t = early_unlock.trace();
  const auto all = candidates(t, [](const More& more) { return early_unlock.program(more); });
  std::set<std::vector<u64>> codes{code_of(early_unlock.program())};
  for (const Candidate& c : all) {
    CAPTURE(c.mutation.text);
    CHECK(codes.insert(code_of(early_unlock.program({c.mutation}))).second);
    const bool insert = c.mutation.op == Mutation::Op::insert;
    CHECK((insert || c.mutation.op == Mutation::Op::move));
    CHECK(!(insert && c.after == "revoke/grant"));  // The trace ends before.
  }
}

TEST_CASE("who waits for ever: an actor that stops within its round, and one that never starts again") {
  const auto goes = [](const Machine& m) { return goes_on(*m.system(), 1000, [] { return false; }); };
  const GoesOn before = goes(early_unlock);
  CHECK(stuck(before, goes(Machine{true, {}}), {}).empty());
  const Machine holds_on{true, {"move:revoke/unlock=lock", "insert:revoke/unlock=lock"}};
  CHECK(stuck(before, goes(holds_on), {}) == std::set<std::string>{"revoke", "user"});
  CHECK(!goes_on(*holds_on.system(), 5, [] { return false; }).known);
  CHECK(!goes_on(*holds_on.system(), 1000, [] { return true; }).known);
  CHECK(stuck(before, {}, {}).empty());

  GoesOn ends, elsewhere;  // An actor that may always have stopped, but elsewhere.
  ends.known = elsewhere.known = true;
  ends.last["a"] = {"free"};
  elsewhere.last["a"] = {"lock"};
  CHECK(stuck(ends, ends, {}).empty());
  CHECK(stuck(ends, elsewhere, {}) == std::set<std::string>{"a"});
  CHECK(stuck(ends, elsewhere, {"lock"}).empty());
}
