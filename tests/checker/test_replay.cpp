#include <doctest/doctest.h>

#include "checker/explicit.hpp"
#include "checker/replay.hpp"
#include "tests/checker/toys.hpp"

using namespace ptmc;

namespace {

/// toys::counter once more, on decoded states; `bug` makes it disagree.
struct CounterStepper final : Stepper {
  enum class Bug { none, step_three, other_start, stuck, never_big };
  u64 last, bad;
  Bug bug = Bug::none;
  CounterStepper(u64 end, u64 big, Bug b = Bug::none) : last(end), bad(big), bug(b) {}

  std::vector<DecodedState> initial() const override { return {{{"n", u64{bug == Bug::other_start}, 16}}}; }
  std::vector<Action> enabled(const DecodedState& s) const override {
    std::vector<Action> all;
    if (bug == Bug::stuck && s.at(0).value == 2) return all;
    if (s.at(0).value + 1 <= last) all.push_back({"counter", "one", ""});
    if (s.at(0).value + 2 <= last) all.push_back({"counter", "two", ""});
    return all;
  }
  std::optional<DecodedState> apply(const DecodedState& s, const Action& a) const override {
    for (const Action& e : enabled(s))
      if (e.step == a.step) {
        const u64 by = a.step == "one" ? 1 : bug == Bug::step_three ? 3 : 2;
        return DecodedState{{"n", s[0].value + by, 16}};
      }
    return {};
  }
  std::optional<bool> holds(const DecodedState& s, const std::string& predicate) const override {
    if (predicate == "big") return s.at(0).value < bad || bug == Bug::never_big;
    if (predicate == "half") return s.at(0).value == last / 2;
    return {};
  }
};

ExploreOptions one_thread() { return {.threads = 1, .memory_max_bytes = u64{64} << 20}; }
Trace violation() { return explore(toys::counter(20, 6), one_thread()).violations.at(0).trace; }

}  // namespace

TEST_CASE("traces of the engine replay") {
  CHECK(replay(violation(), CounterStepper(20, 6)).agreement == Replay::Agreement::agrees);
  const Trace cover = trace_to(toys::counter(20), "half", one_thread()).value();
  CHECK(replay(cover, CounterStepper(20, 99)).agreement == Replay::Agreement::agrees);
  const Trace deadlock = explore(toys::counter(20), one_thread()).deadlock.value();
  CHECK(replay(deadlock, CounterStepper(20, 99)).agreement == Replay::Agreement::agrees);
}

TEST_CASE("the first disagreement is named") {
  using Bug = CounterStepper::Bug;
  const auto differs = [](const Trace& t, const CounterStepper& s, std::size_t state,
                          const std::string& what) {
    const Replay r = replay(t, s);
    CHECK(r.agreement == Replay::Agreement::differs);
    CHECK(r.state == state);
    CHECK(r.what == what);
  };
  const Trace t = violation();  // 0, 2, 4, 6.
  differs(t, {20, 6, Bug::other_start}, 0, "not initial: n is 0, not 1");
  differs(t, {20, 6, Bug::step_three}, 1, "after counter/two: n is 2, not 3");
  differs(t, {20, 6, Bug::stuck}, 1, "counter/two is not enabled; enabled: none");
  differs(t, {20, 6, Bug::never_big}, 3, "predicate \"big\" holds in the last state");
  differs(t, {20, 4}, 2, "the trace could have ended here, before step counter/two");
  Trace other = t;
  other.predicate = "small";
  differs(other, {20, 6}, 3, "no predicate is named \"small\"");
  other = t;
  other.ending = Trace::Ending::deadlock;
  differs(other, {20, 6}, 3, "it is no deadlock, enabled: counter/one, counter/two");
  other = t;
  other.states.pop_back();
  differs(other, {20, 6}, 0, "3 states do not fit 3 steps");
  other = t;
  other.states[1].clear();
  CHECK(replay(other, CounterStepper(20, 6)).agreement == Replay::Agreement::differs);
}
