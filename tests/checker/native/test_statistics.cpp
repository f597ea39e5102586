// Intervals hold what they promise, A against A is no difference, and drift fools nobody: on made-up clocks.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "checker/native/statistics.hpp"

using namespace ptmc;
using namespace ptmc::native;

namespace {

// The same numbers everywhere, unlike the distributions of the standard library.
class Noise {
 public:
  explicit Noise(u64 seed) : state_(seed) {}
  double uniform() {
    state_ += 0x9E3779B97F4A7C15;  // splitmix64
    u64 z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }
  /// As timings are: never below the truth, with a long tail (of infinite variance).
  double disturbance() { return 0.02 / std::sqrt(1 - uniform()); }

 private:
  u64 state_;
};

// Probability that the r-th least and r-th greatest of n enclose the median, by Pascal's triangle.
double coverage(u64 n, u64 r) {
  std::vector<double> row{1};
  for (u64 k = 0; k < n; ++k) {
    row.push_back(0);
    for (std::size_t j = row.size() - 1; j > 0; --j) row[j] = (row[j] + row[j - 1]) / 2;
    row[0] /= 2;
  }
  double outside = 0;
  for (u64 k = 0; k < r; ++k) outside += 2 * row[k];
  return 1 - outside;
}

constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("fewer than six runs say nothing at 95%") {
  for (u64 n = 1; n < runs_min; ++n) {
    const Estimate e = estimate(std::vector<double>(n, 3.0));
    CHECK(interval_rank(n) == 0);
    CHECK(e == Estimate{3, -infinite, infinite, n});
    CHECK_FALSE(e.bounded());
    CHECK(compare(e) == Comparison::no_difference);
  }
  CHECK(estimate(std::vector<double>(runs_min, 3.0)) == Estimate{3, 3, 3, runs_min});
}

TEST_CASE("an interval holds 95%, and the next narrower one does not") {
  for (u64 n = runs_min; n <= 400; ++n) {
    const u64 r = interval_rank(n);
    CAPTURE(n);
    REQUIRE(r >= 1);
    REQUIRE(2 * r <= n);
    CHECK(coverage(n, r) >= 0.95);
    CHECK(coverage(n, r + 1) < 0.95);
  }
  // As in printed tables.
  CHECK(interval_rank(10) == 2);
  CHECK(interval_rank(20) == 6);
  CHECK(interval_rank(50) == 18);
  CHECK(interval_rank(100) == 40);
  CHECK(interval_rank(10000) == 4902);
}

TEST_CASE("the median is the middle, or between the two in the middle") {
  CHECK(estimate({5, 1, 9}).median == 5);
  CHECK(estimate({4, 1, 2, 8}).median == 3);
  CHECK(estimate({6, 5, 4, 3, 2, 1}) == Estimate{3.5, 1, 6, 6});
  CHECK(estimate({1, 2, 3, 4, 5, 6, 7, 8, 9, 1e9}) == Estimate{5.5, 2, 9, 10});
}

TEST_CASE("what is no measurement is refused") {
  CHECK_THROWS_AS(estimate({}), std::invalid_argument);
  CHECK_THROWS_AS(estimate({1, std::nan("")}), std::invalid_argument);
  CHECK_THROWS_AS(estimate({1, infinite}), std::invalid_argument);
  CHECK_THROWS_AS(ratio_of({1, 2}, {1}), std::invalid_argument);
  CHECK_THROWS_AS(ratio_of({1}, {0}), std::invalid_argument);
  CHECK_THROWS_AS(ratio_of({}, {}), std::invalid_argument);
}

TEST_CASE("no verdict inside the noise") {
  const auto verdict = [](double low, double high) { return compare({1, low, high, 10}); };
  CHECK(verdict(0.5, 0.9) == Comparison::faster);
  CHECK(verdict(1.1, 1.2) == Comparison::slower);
  CHECK(verdict(0.9, 1.1) == Comparison::no_difference);
  CHECK(verdict(1, 1.2) == Comparison::no_difference);
  CHECK(verdict(0.8, 1) == Comparison::no_difference);
  CHECK(verdict(0.997, 0.999) == Comparison::no_difference);  // Within `resolution`.
  CHECK(verdict(1.002, 1.004) == Comparison::no_difference);
  CHECK(compare({0.5, 0.4, 0.6, 5}) == Comparison::no_difference);
  CHECK(to_string(Comparison::no_difference) == "no difference");
}

TEST_CASE("A against A is no difference; a tenth more is seen") {
  constexpr int experiments = 400;
  int false_alarms = 0, seen = 0;
  Noise noise(1);
  for (int k = 0; k < experiments; ++k) {
    const auto run = [&](double truth) { return [&noise, truth] { return truth + noise.disturbance(); }; };
    const auto v = in_turns({run(1), run(1), run(1.1)}, {.rounds = 30});
    const Estimate same = ratio_of(v[0], v[1]);
    false_alarms += same.high < 1 || 1 < same.low;
    seen += compare(ratio_of(v[2], v[0])) == Comparison::slower;
    if (k == 0) {
      CHECK(compare(ratio_of(v[0], v[1])) == Comparison::no_difference);
      CHECK(compare(ratio_of(v[0], v[2])) == Comparison::faster);
    }
  }
  CHECK(false_alarms <= experiments / 20);
  CHECK(false_alarms > 0);  // 95% is not 100%.
  CHECK(seen > experiments * 99 / 100);
}

TEST_CASE("drift hits all alike") {
  for (const double drift : {0.05, -0.002}) {
    double speed = 1;
    const auto run = [&] { return speed += drift; };
    const auto v = in_turns({run, run}, {.rounds = 40});
    CHECK(compare(ratio_of(v[0], v[1])) == Comparison::no_difference);
    // One after the other it would look like a difference.
    const std::vector<double> first(v[0].begin(), v[0].begin() + 20), then(v[0].begin() + 20, v[0].end());
    CHECK(compare(ratio_of(first, then)) != Comparison::no_difference);
  }
}

TEST_CASE("turns alternate, and only complete rounds count") {
  std::string order;
  const auto run = [&](char name) { return [&order, name] { return order += name, 1.0; }; };
  CHECK(in_turns({run('a'), run('b'), run('c')}, {.rounds = 3}) ==
        std::vector<std::vector<double>>(3, std::vector<double>(3, 1)));
  CHECK(order == "abccbaabc");

  std::atomic<bool> cancel{false};
  int calls = 0;
  const auto counted = [&] {
    cancel = ++calls == 5;
    return static_cast<double>(calls);
  };
  const auto v = in_turns({counted, counted}, {.rounds = 100, .cancel = &cancel});
  CHECK(calls == 5);
  CHECK(v == std::vector<std::vector<double>>{{1, 4}, {2, 3}});
}

TEST_CASE("a limit ends the rounds, but not before there is an interval") {
  double now = 0;
  const auto run = [&] { return now += 10; };
  const auto rounds = [&](double limit_ms) {
    return in_turns({run}, {.rounds = 50, .limit_ms = limit_ms, .clock_ms = [&] { return now; }})[0].size();
  };
  CHECK(rounds(200) == 20);
  CHECK(rounds(1) == runs_min);
  CHECK(rounds(0) == 50);
  std::vector<u64> told;
  in_turns({run}, {.rounds = 3, .before_each = [&](u64 done) { told.push_back(done); }});
  CHECK(told == std::vector<u64>{0, 1, 2});
}
