#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>

#include "checker/explicit.hpp"
#include "tests/checker/small.hpp"
#include "tests/checker/toys.hpp"

using namespace ptmc;
using namespace ptmc::toys;

TEST_CASE("limits end in their outcome, at a complete level") {
  const Toy toy = odometer(7, 8, 5);
  ExploreOptions options = small();
  options.symmetry = Toggle::off;
  options.states_max = 10'000;
  Exploration e = explore(toy, options);
  CHECK(e.outcome == Outcome::limit_states);
  CHECK_FALSE(e.complete);
  CHECK(e.depth == 8);
  CHECK(e.states == 6428);     // C(15, 7) sums of at most 8, without the 7 that wrap.
  options.states_max = 7'776;  // All there are.
  CHECK(explore(odometer(5, 6, 5), options).outcome == Outcome::exhausted);
  options.states_max = no_limit;
  options.memory_max_bytes = u64{4} << 20;
  e = explore(toy, options);
  CHECK(e.outcome == Outcome::limit_memory);
  CHECK(e.states > 100'000);
  CHECK(e.peak_bytes <= options.memory_max_bytes + (u64{1} << 20));
  CHECK(explore(odometer(8, 8, 24), options).outcome == Outcome::limit_memory);
  CHECK(explore(queue(14), options).outcome == Outcome::limit_memory);
  options = small();
  options.symmetry = Toggle::off;
  options.time_max_ms = 30;
  CHECK(explore(odometer(8, 8, 5), options).outcome == Outcome::limit_time);
  std::atomic<bool> cancel{true};
  options.cancel = &cancel;
  CHECK(explore(toy, options).outcome == Outcome::cancelled);
}

TEST_CASE("a violation seen before a limit is a violation") {
  ExploreOptions options = small();
  options.states_max = 400;
  const Exploration e = explore(counter(1000, 301), options);
  CHECK(e.outcome == Outcome::violated);
  CHECK_FALSE(e.complete);
}

TEST_CASE("callers' errors") {
  ExploreOptions options = small();
  options.states_max = 0;
  CHECK_THROWS_AS(explore(counter(5), options), std::invalid_argument);
  options = small();
  options.memory_max_bytes = 0;
  CHECK_THROWS_AS(explore(counter(5), options), std::invalid_argument);
  options = small();
  options.time_max_ms = 0;
  CHECK_THROWS_AS(explore(counter(5), options), std::invalid_argument);
  Toy nothing = counter(5);
  nothing.starts.clear();
  CHECK_THROWS_AS(explore(nothing, small()), std::invalid_argument);
  Toy thrower = odometer(5, 5, 5);
  thrower.news = [](const Words& s) -> u64 {
    return s[0] > 100'000 ? throw std::range_error("too wide") : 0;
  };
  CHECK_THROWS_AS(explore(thrower, small(3)), std::range_error);
}

TEST_CASE("progress is reported, rarely") {
  struct Count final : Observer {
    void progress(const Progress& now) override {
      CHECK(now.states >= last);
      last = now.states;
      ++calls;
    }
    u64 last = 0;
    int calls = 0;
  } count;
  ExploreOptions options = small();
  options.symmetry = Toggle::off;
  const Exploration e = explore(odometer(fewer == 0 ? 7 : 6, 8, 5), options, &count);
  CHECK(count.calls >= 1);
  CHECK(count.calls <= e.wall_s * 5 + 1);
}
