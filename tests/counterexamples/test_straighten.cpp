// Fewest switches, on scripts whose optimum is plain to see, and on mutual exclusion.
#include <doctest/doctest.h>

#include "counterexamples/straighten.hpp"
#include "tests/counterexamples/script.hpp"

using namespace ptmc;

namespace {

using Optimum = Straightened::Optimum;

// Replays by hand: every step enabled, with the recorded effect, the ending in the last state only.
void check_run(const Trace& t, const System& system) {
  std::vector<u64> state(system.shape().words), words(system.shape().fan_out_max * system.shape().words);
  std::vector<u32> actions(system.shape().fan_out_max);
  system.initial(state);
  state.erase(state.begin(), state.begin() + static_cast<std::ptrdiff_t>(system.shape().words));
  REQUIRE(t.states.size() == t.steps.size() + 1);
  REQUIRE(equal(system.describe(state.data()), t.states[0]));
  for (std::size_t k = 0; k < t.steps.size(); ++k) {
    CHECK((system.check(state.data()) & 1) == 0);
    const u32 n = system.successors(state.data(), {words.data(), actions.data(), nullptr});
    const auto found = std::find(actions.begin(), actions.begin() + n, t.steps[k].index) - actions.begin();
    REQUIRE(found < n);
    const auto next = words.begin() + found * static_cast<std::ptrdiff_t>(system.shape().words);
    state.assign(next, next + static_cast<std::ptrdiff_t>(system.shape().words));
    CHECK(equal(system.describe(state.data()), t.states[k + 1]));
  }
  CHECK((system.check(state.data()) & 1) == 1);
}

const std::vector<script::Step> independent{{"p", "p1", "", {}},  {"q", "q1", "", {}},  {"p", "p2", "", {0}},
                                            {"q", "q2", "", {1}}, {"p", "p3", "", {2}}, {"q", "q3", "", {3}}};

}  // namespace

TEST_CASE("independent columns come apart") {
  const auto t = script::system(independent, bits(5, 0));
  const Straightened s = straighten(script::trace(t, {0, 1, 2, 3, 4, 5}), t);
  CHECK(script::steps(s.trace) == "p1 p2 p3 q1 q2 q3");
  CHECK(s.switches == 1);
  CHECK(s.switches == context_switches(s.columns));
  CHECK(s.optimum == Optimum::proved);
  check_run(s.trace, t);
}

TEST_CASE("what one column needs of another costs its switches") {
  // p2 needs q1, q2 needs p2, p3 needs q2: five columns' turns, if q begins.
  const auto t = script::system({{"p", "p1", "", {}},
                                 {"q", "q1", "", {}},
                                 {"p", "p2", "", {0, 1}},
                                 {"r", "r1", "", {}},
                                 {"q", "q2", "", {1, 2}},
                                 {"p", "p3", "", {2, 4}}},
                                bits(5, 0));
  const Straightened s = straighten(script::trace(t, {0, 3, 1, 2, 4, 5}), t);
  CHECK(s.switches == 4);
  CHECK(s.optimum == Optimum::proved);
  check_run(s.trace, t);
}

TEST_CASE("a shortest trace of the explorer, and the same bytes each time") {
  const auto t = toys::mutex(true);
  const Exploration e = explore(t, {});
  REQUIRE(e.violations.size() == 1);
  const Trace& given = e.violations[0].trace;
  const Straightened s = straighten(given, t), again = straighten(given, t);
  CHECK(s.trace.steps.size() == given.steps.size());
  CHECK(s.switches == 1);
  check_run(s.trace, t);
  CHECK(script::steps(again.trace) == script::steps(s.trace));
  CHECK(again.nodes == s.nodes);
}

TEST_CASE("plainer words are taken where they fit") {
  // The late walk must come after the store, the plain one need not; only one of them happens.
  const auto t = script::system({{"p", "store", "", {}},
                                 {"p", "unlock", "", {0}},
                                 {"hw", "fill_late", "cpu=0", {0}},
                                 {"hw", "fill", "cpu=0", {}}},
                                0);
  auto either = t;
  either.news = [](const toys::Words& s) { return u64{(s[0] & 3) == 3 && (s[0] & 12) != 0}; };
  const Trace late = script::trace(t, {0, 2, 1});
  CHECK(script::steps(straighten(late, either).trace) == "store unlock fill_late");
  StraightenOptions options;
  options.voice.plainer = [](const Action& a) { return std::string(a.step == "fill_late" ? "fill" : ""); };
  const Straightened s = straighten(late, either, options);
  CHECK(script::steps(s.trace).find("late") == std::string::npos);
  CHECK(s.switches == 1);
  check_run(s.trace, either);
}

TEST_CASE("a budget that ends keeps the given order and says so") {
  const auto t = script::system(independent, bits(5, 0));
  StraightenOptions options;
  options.nodes_max = 3;
  const Straightened s = straighten(script::trace(t, {0, 1, 2, 3, 4, 5}), t, options);
  CHECK(script::steps(s.trace) == "p1 q1 p2 q2 p3 q3");
  CHECK(s.switches == 5);
  CHECK(s.optimum == Optimum::unknown);
}

TEST_CASE("what is no run, or ends otherwise, is refused") {
  const auto t = script::system(independent, bits(5, 0));
  CHECK_THROWS_AS(straighten(script::trace(t, {0, 2, 1}), t), std::invalid_argument);  // Ends too early.
  CHECK_THROWS_AS(straighten(script::trace(t, {2, 0, 1, 3, 4, 5}), t),
                  std::invalid_argument);  // p2 before p1.
  Trace other = script::trace(t, {0, 1, 2, 3, 4, 5});
  other.predicate = "no such";
  CHECK_THROWS_AS(straighten(other, t), std::invalid_argument);
  other = script::trace(t, {0, 1, 2, 3, 4, 5});
  other.states.erase(other.states.begin());
  CHECK_THROWS_AS(straighten(other, t), std::invalid_argument);
}

TEST_CASE("covers and deadlocks end a trace, too") {
  const auto t = script::system(independent, bits(5, 0));
  Trace cover = script::trace(t, {1, 3, 0});
  cover.ending = Trace::Ending::reached;
  cover.predicate = "half";
  CHECK(script::steps(straighten(cover, t).trace) == "q1 q2 p1");
  CHECK(script::steps(without_needless_steps(cover, t)) == "p1");
  Trace deadlock = script::trace(t, {0, 1, 2, 3, 4, 5});
  deadlock.ending = Trace::Ending::deadlock;
  CHECK(straighten(deadlock, t).switches == 1);
  CHECK(without_needless_steps(deadlock, t).steps.size() == 6);
}

TEST_CASE("padding goes, what is needed stays") {
  const auto t = script::system({{"p", "p1", "", {}},
                                 {"idle", "enter", "", {}},
                                 {"idle", "leave", "", {1}},
                                 {"q", "q1", "", {0}},
                                 {"q", "q2", "", {3}},
                                 {"p", "p2", "", {0}}},
                                bit(0) | bit(5));
  const Trace padded = script::trace(t, {1, 0, 3, 2, 4, 5});
  const Trace s = without_needless_steps(padded, t);
  CHECK(script::steps(s) == "p1 p2");
  check_run(s, t);
  CHECK(script::steps(without_needless_steps(s, t)) == "p1 p2");
  // Steps after the ending go first.
  const Trace late = script::trace(t, {0, 5, 3, 4});
  CHECK(script::steps(without_needless_steps(late, t)) == "p1 p2");
}
