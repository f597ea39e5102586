// Which places a trace passes, how candidates name them, and what counts as the same code.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "checker/lower/lower_packed.hpp"
#include "checker/lower/lowered.hpp"
#include "counterexamples/candidates.hpp"
#include "counterexamples/runner.hpp"
#include "tests/checker/lower/slots.hpp"

using namespace ptmc;

namespace {

const PackedTables& tables() {
  static const PackedTables t = packed_tables<slots::Model>();
  return t;
}
Setup setup(const More& more) {
  Setup s;
  s.actors = {{"worker", 2}};
  s.config.bound[static_cast<unsigned>(By::actor)] = 2;
  for (const Mutation& m : more) s.mutations.push_back(m.text);
  return s;
}
Program program(const More& more) { return instantiate(tables().text, setup(more)).program; }

/// worker[0] fills slot 0 in five rounds and finds it full in the sixth.
Trace six_rounds() {
  const LoweredSystem system(tables(), setup({}));
  Trace t;
  std::vector<u64> first;
  system.initial(first);
  t.states.push_back(system.describe(first.data()));
  t.ending = Trace::Ending::deadlock;
  const Runner runner(t, system);
  std::vector<Runner::State> states{runner.first()};
  std::vector<u32> actions;
  const auto run = [&](const std::string& wanted) {
    for (Runner::Next& next : runner.successors(states.back()))
      if (label(system.actions()[next.action]) == "worker[0]/" + wanted) {
        actions.push_back(next.action);
        states.push_back(std::move(next.state));
        return;
      }
    FAIL("no step " << wanted);
  };
  for (unsigned round = 0; round < 6; ++round) {
    for (const char* step : {"lock", "pick(choice=0)", "add/read"}) run(step);
    if (round < 5) run("add/write"), run("add/mark");
    run("unlock");
  }
  return runner.trace(actions, states);
}

std::set<std::string> texts(const std::vector<Candidate>& all, const std::string& prefix) {
  std::set<std::string> found;
  for (const Candidate& c : all)
    if (c.mutation.text.starts_with(prefix)) found.insert(c.mutation.text);
  return found;
}

}  // namespace

TEST_CASE("places between the steps of a trace; the end of an if_ is passed where it is skipped") {
  Trace t = six_rounds();
  CHECK(texts(candidates(t, program), "insert:worker/write").size() > 0);

  // The last round alone: lock, pick, read, and with nothing written to the unlock.
  t.steps.erase(t.steps.begin(), t.steps.end() - 4);
  t.states.erase(t.states.begin(), t.states.end() - 5);
  const auto all = candidates(t, program);
  CHECK(texts(all, "insert:worker/increase").empty());
  CHECK(texts(all, "insert:worker/write").empty());
  CHECK(texts(all, "insert:worker/unlock").empty());  // The last step: nothing of the trace comes after it.
  // Each of the 8 steps after each; twice the next step is found one place earlier.
  const std::map<std::string, std::size_t> places{
      {"lock", 8}, {"pick", 7}, {"read", 7}, {"mark", 8}, {"leave", 7}};
  for (const auto& [place, count] : places) {
    CAPTURE(place);
    CHECK(texts(all, "insert:worker/" + place).size() == count);
  }
  for (const Candidate& c : all) CHECK(c.skipped == (c.after == "worker/add/mark"));
}

TEST_CASE("moves touch what the trace executes or passes, stay in their block, and leave other code") {
  Trace t = six_rounds();
  t.steps.resize(2);  // lock, pick
  t.states.resize(3);
  const std::set<std::string> moves = texts(candidates(t, program), "move:");
  CHECK(moves.contains("move:worker/lock=unlock"));
  CHECK(moves.contains("move:worker/unlock=lock"));
  CHECK(moves.contains("move:worker/lock=pick"));
  CHECK(!moves.contains("move:worker/pick=lock"));  // It is there.
  CHECK(moves.contains("move:worker/read=lock"));
  CHECK(!moves.contains("move:worker/pick=read"));    // The same code.
  CHECK(!moves.contains("move:worker/lock=write"));   // Another block.
  CHECK(!moves.contains("move:worker/unlock=read"));  // Behind the trace, to behind the trace.
}

TEST_CASE("copies of an actor are changed together, and only actors of the trace") {
  const Trace t = six_rounds();
  for (const Candidate& c : candidates(t, program)) {
    CHECK(c.actor == "worker");
    CHECK(c.mutation.caller.empty());
  }
  Trace empty = t;
  empty.steps.clear();
  empty.states.resize(1);
  CHECK(candidates(empty, program).empty());
}

TEST_CASE("the same code: undone, done twice, differently named") {
  const auto code = [](std::vector<std::string> mutations) {
    More more;
    for (const std::string& m : mutations) more.push_back(parse_mutation(m));
    return code_of(program(more));
  };
  const auto whole = code({});
  CHECK(code({"drop:worker/lock"}) != whole);
  CHECK(code({"drop:worker/pick", "insert:worker/lock=pick"}) == whole);
  CHECK(code({"drop:worker/write", "insert:worker/increase=write"}) == whole);
  CHECK(code({"drop:worker/leave", "insert:worker/mark=leave"}) == whole);  // Behind the if_, not in it.
  CHECK(code({"drop:worker/mark", "insert:worker/write=mark"}) == whole);
  CHECK(code({"insert:worker/write=mark"}) != code({"insert:worker/mark=mark"}));  // In the if_, behind it.
  CHECK(code({"move:worker/unlock=lock", "move:worker/unlock=leave"}) == whole);
  CHECK(code({"knob:limit=none"}) != whole);
  CHECK(code({"guard-true:worker/lock"}) != whole);
  CHECK(code({"stale:worker/read"}) != whole);
  CHECK(code({"drop:worker/lock@worker[1]"}) != whole);
}
