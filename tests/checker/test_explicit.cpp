#include <doctest/doctest.h>

#include <stdexcept>

#include "checker/explicit.hpp"
#include "tests/checker/naive.hpp"
#include "tests/checker/small.hpp"
#include "tests/checker/toys.hpp"

using namespace ptmc;
using namespace ptmc::toys;

namespace {

/// All that must not depend on threads.
std::string fingerprint(const Exploration& e) {
  std::string text = std::to_string(static_cast<int>(e.outcome)) + (e.complete ? " complete " : " cut ");
  const auto add = [&](u64 n) { text += std::to_string(n) + " "; };
  const auto add_trace = [&](const Trace& t) {
    for (const DecodedState& s : t.states)
      for (const Field& f : s) text += f.name + "=" + std::to_string(f.value) + ",";
    for (const TraceStep& s : t.steps) text += std::to_string(s.index) + ":" + label(s.action) + ";";
  };
  add(e.states), add(e.edges), add(e.depth), add(e.deadlocks);
  for (const Violation& v : e.violations) add(v.predicate), add(v.level), add(v.states), add_trace(v.trace);
  for (const Cover& c : e.covers) {
    add(c.predicate), add(c.reached), add(c.level);
    if (c.trace) add_trace(*c.trace);
  }
  for (const u64 n : e.fired) add(n);
  if (e.deadlock) add_trace(*e.deadlock);
  return text;
}

/// Every step of the trace is a step of the system and the end is what it claims to be.
void check_trace(const System& system, const Trace& trace) {
  const u32 words = system.shape().words;
  std::vector<u64> initial;
  system.initial(initial);
  std::vector<std::vector<u64>> now;
  for (std::size_t i = 0; i < initial.size(); i += words) now.push_back({&initial[i], &initial[i] + words});
  std::vector<u64> next(u64{system.shape().fan_out_max} * words);
  std::vector<u32> action(system.shape().fan_out_max), length(system.shape().fan_out_max);
  REQUIRE(trace.states.size() == trace.steps.size() + 1);
  for (std::size_t k = 0;; ++k) {
    std::erase_if(now, [&](const auto& s) { return !equal(system.describe(s.data()), trace.states[k]); });
    REQUIRE(now.size() == 1);
    if (k == trace.steps.size()) break;
    const u32 count = system.successors(now[0].data(), {next.data(), action.data(), length.data()});
    now.clear();
    for (u32 i = 0; i < count; ++i)
      if (action[i] == trace.steps[k].index)
        now.push_back({&next[u64{i} * words], &next[u64{i} * words] + words});
  }
  for (u32 p = 0; p < system.predicates().size(); ++p)
    if (system.predicates()[p].name == trace.predicate) CHECK((system.check(now[0].data()) >> p & 1) == 1);
}

void check_against_naive(const Toy& toy, bool symmetric = false) {
  const Naive naive = explore_naively(toy, symmetric);
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    CAPTURE(threads);
    ExploreOptions options = small(threads);
    options.symmetry = symmetric ? Toggle::on : Toggle::off;
    options.cover_traces = Toggle::on;
    const Exploration e = explore(toy, options);
    CHECK(e.complete);
    CHECK(e.states == naive.states.size());
    CHECK(e.edges == naive.edges);
    CHECK(e.depth == naive.depth);
    CHECK(e.deadlocks == naive.deadlocks);
    u64 fired = 0;
    for (const u64 n : e.fired) fired += n;
    CHECK(fired == naive.edges);
    for (const Violation& v : e.violations) {
      CHECK(naive.first_level.at(v.predicate) == v.level);
      CHECK(naive.news.at(v.predicate) == v.states);
      CHECK(v.trace.steps.size() == v.level);
      check_trace(toy, v.trace);
    }
    for (const Cover& c : e.covers) {
      CHECK(c.reached == naive.first_level.contains(c.predicate));
      if (c.reached) CHECK(c.trace->steps.size() == naive.first_level.at(c.predicate));
      if (c.reached) check_trace(toy, *c.trace);
    }
  }
}

void check_threads(const Toy& toy, ExploreOptions options) {
  options.threads = 1;
  const std::string one = fingerprint(explore(toy, options));
  for (const unsigned threads : {2u, 3u, 8u}) {
    options.threads = threads;
    CHECK(fingerprint(explore(toy, options)) == one);
  }
}

}  // namespace

TEST_CASE("a counter: counts, covers, deadlock, never-fired actions") {
  const Toy toy = counter(1000);
  ExploreOptions options = small();
  options.cover_traces = Toggle::on;
  const Exploration e = explore(toy, options);
  CHECK(e.outcome == Outcome::exhausted);
  CHECK(e.states == 1001);
  CHECK(e.edges == 1999);
  CHECK(e.depth == 500);
  CHECK(e.fired == std::vector<u64>{1000, 999});
  CHECK(e.never_fired.empty());
  CHECK(e.deadlocks == 1);
  REQUIRE(e.deadlock);
  CHECK(e.deadlock->ending == Trace::Ending::deadlock);
  CHECK(e.deadlock->states.back()[0].value == 1000);
  CHECK(e.deadlock->steps.size() == 500);
  CHECK(e.covers[0].reached);
  CHECK(e.covers[0].level == 250);
  CHECK(e.covers[0].trace->states.back()[0].value == 500);
  CHECK_FALSE(e.covers[1].reached);

  Toy idle = counter(10);
  idle.names.push_back({"counter", "three", ""});
  CHECK(explore(idle, small()).never_fired == std::vector<u32>{2});
  options.coverage = Toggle::off;
  CHECK(explore(idle, options).fired.empty());
}

TEST_CASE("a violation is the least state of its level, and the search stops there or counts on") {
  const Toy toy = counter(1000, 301);
  ExploreOptions options = small();
  Exploration e = explore(toy, options);
  CHECK(e.outcome == Outcome::violated);
  CHECK(e.complete);
  REQUIRE(e.violations.size() == 1);
  CHECK(e.violations[0].states == 700);
  CHECK(e.violations[0].level == 151);
  CHECK(e.violations[0].trace.states.back()[0].value == 301);
  CHECK(e.violations[0].trace.predicate == "big");
  CHECK(e.violations[0].trace.sentence == "the counter stays small");
  options.stop_at_first = Toggle::on;
  e = explore(toy, options);
  CHECK(e.outcome == Outcome::violated);
  CHECK_FALSE(e.complete);
  CHECK(e.depth == 151);
  CHECK(e.states == 303);  // Levels 0..151 are 0, {1, 2}, {3, 4} ...
  CHECK(e.violations[0].states == 2);
  check_trace(toy, e.violations[0].trace);
}

TEST_CASE("mutual exclusion: keys with holes") {
  const Exploration good = explore(mutex(), small());
  CHECK(good.outcome == Outcome::exhausted);
  CHECK(good.states == 20);
  CHECK(good.deadlocks == 0);
  CHECK(good.covers[0].reached);
  const Exploration bad = explore(mutex(true), small());
  CHECK(bad.outcome == Outcome::violated);
  CHECK(bad.violations[0].trace.steps.size() == 6);
  check_against_naive(mutex());
  check_against_naive(mutex(true));
}

TEST_CASE("states whose lengths vary") {
  const Exploration e = explore(queue(7), small());
  CHECK(e.states == 3280);
  CHECK(e.violations[0].level == 7);
  CHECK(e.violations[0].states == 1);
  check_against_naive(queue(6));
  check_threads(queue(8), small());
}

TEST_CASE("narrow, wide and very wide states, counted as one sees") {
  check_against_naive(odometer(4, 5, 3, 9));    // 12 bits.
  check_against_naive(odometer(8, 3, 8, 11));   // One full word.
  check_against_naive(odometer(9, 3, 9, 12));   // 81 bits.
  check_against_naive(odometer(8, 3, 24, 11));  // 192 bits in 4 words.
  check_against_naive(odometer(5, 6, 64, 17));  // Whole words.
  if (fewer != 0) return;
  CHECK(explore(odometer(6, 10, 4), small(2, Toggle::off)).states == 1'000'000);  // 24 bits.
  CHECK(explore(odometer(12, 3, 16), small(2, Toggle::off)).states ==
        531'441);  // 192 bits: grows and rebuilds.
  CHECK(explore(odometer(11, 3, 5), small(2, Toggle::off)).states == 177'147);
}

TEST_CASE("one, two, three and eight threads agree to the last byte") {
  ExploreOptions options = small();
  options.cover_traces = Toggle::on;
  check_threads(counter(5000, 4000), options);
  check_threads(odometer(6 - fewer, 7, 5, 20), options);
  check_threads(odometer(8 - fewer, 4, 24, 14), options);
  options.symmetry = Toggle::off;
  check_threads(odometer(7 - fewer, 6, 5, 20), options);
  options.stop_at_first = Toggle::on;
  check_threads(odometer(7 - fewer, 6, 5, 20), options);
  check_threads(odometer(8 - fewer, 4, 24, 14), options);
  options.stop_at_first = Toggle::off;
  options.states_max = 20'000;
  check_threads(odometer(7 - fewer, 6, 5, 20), options);
  check_threads(odometer(8 - fewer, 4, 24, 14), options);
}

TEST_CASE("symmetry: one state an orbit, the same verdicts, traces of the system itself") {
  const Toy toy = odometer(6, 5, 5, 17);
  ExploreOptions options = small();
  const Exploration with = explore(toy, options);
  options.symmetry = Toggle::off;
  const Exploration without = explore(toy, options);
  CHECK(without.states == 15625);
  CHECK(with.states == 210);  // Multisets of 6 digits of 5.
  CHECK(with.outcome == without.outcome);
  CHECK(with.depth == without.depth);
  CHECK(with.violations[0].level == without.violations[0].level);
  check_trace(toy, with.violations[0].trace);
  check_against_naive(toy, true);

  // The orbits of the representatives add up to the full count.
  u64 total = 0;
  for (const std::vector<u64>& state : explore_naively(toy, true).states) {
    std::vector<u64> digits;
    for (const Field& f : toy.describe(state.data())) digits.push_back(f.value);
    do ++total;
    while (std::next_permutation(digits.begin(), digits.end()));
  }
  CHECK(total == without.states);
}

TEST_CASE("a trace to a cover") {
  const Toy toy = counter(1000);
  const std::optional<Trace> trace = trace_to(toy, "half", small());
  REQUIRE(trace);
  CHECK(trace->ending == Trace::Ending::reached);
  CHECK(trace->steps.size() == 250);
  check_trace(toy, *trace);
  CHECK_FALSE(trace_to(toy, "never", small()));
  CHECK_THROWS_AS(trace_to(toy, "big", small()), std::invalid_argument);
}
