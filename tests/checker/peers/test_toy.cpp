// The benchmark's protocol through lowering and engine: the counts of SPIN, Rumur and the hand-packed search.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "checker/explicit.hpp"
#include "tests/peers/peers.hpp"

using namespace ptmc;

namespace {

ExploreOptions options(unsigned threads) {
  return {.threads = threads, .memory_max_bytes = u64{512} << 20, .stop_at_first = Toggle::off};
}

void expect(u64 cpus, u64 pages, u64 states, u64 edges, u32 depth) {
  const auto toy = peers::toy(cpus, pages);
  for (const unsigned threads : {1u, 2u}) {
    const Exploration e = explore(*toy, options(threads));
    CHECK(e.outcome == Outcome::exhausted);
    CHECK(e.states == states);
    CHECK(e.edges == edges);
    CHECK(e.depth == depth);
    CHECK(e.deadlocks == 0);
    CHECK(e.never_fired.empty());
  }
}

/// The protocol with a rule's bounds or guard away from the model's: no longer the fastest way through the
/// lowering.
Exploration bug(unsigned which, unsigned threads) {
  ExploreOptions o = options(threads);
  o.stop_at_first = Toggle::on;
  return explore(*peers::toy(2, 2, which), o);
}

}  // namespace

TEST_CASE("states, transitions and depth are those of SPIN and of the hand-packed search") {
  expect(2, 2, 148'297, 864'873, 73);
#ifndef __SANITIZE_ADDRESS__
#ifndef __SANITIZE_THREAD__
  expect(3, 2, 1'158'247, 9'951'541, 78);
  expect(2, 3, 4'876'771, 39'680'664, 95);
#endif
#endif
}

TEST_CASE("both seeded bugs are found by a shortest trace, the same at any thread count") {
  for (const auto& [which, name, steps] : {std::tuple{1u, "freed", 17u}, std::tuple{2u, "rights", 15u}}) {
    const Exploration one = bug(which, 1);
    REQUIRE(one.violations.size() == 1);
    const Trace& trace = one.violations[0].trace;
    CHECK(trace.predicate == name);
    CHECK(trace.steps.size() == steps);
    for (const unsigned threads : {2u, 3u, 8u}) {
      const Exploration more = bug(which, threads);
      CHECK(more.states == one.states);
      CHECK(more.edges == one.edges);
      CHECK(std::equal(trace.states.begin(), trace.states.end(), more.violations.at(0).trace.states.begin(),
                       equal));
    }
  }
}

TEST_CASE("a state costs at most 20 bytes") {
#ifndef __SANITIZE_ADDRESS__
#ifndef __SANITIZE_THREAD__
  const Exploration e = explore(*peers::toy(2, 3), options(1));
  CHECK(static_cast<double>(e.peak_bytes) / static_cast<double>(e.states) <= 20);
#endif
#endif
}

TEST_CASE("no engine and no lowering knows the benchmark") {
  namespace fs = std::filesystem;
  constexpr std::array traces_of_it{"tests/peers", "peers::", " toy", "Toy", "flush_tlb_batched_pending",
                                    "ack_reclaim"};
  const fs::path checker = fs::path(PTMC_SOURCE_DIR) / "checker";
  unsigned files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(checker)) {
    const fs::path path = entry.path();
    const std::string below = path.lexically_relative(checker).begin()->string();
    if (below == "cli" || (path.extension() != ".cpp" && path.extension() != ".hpp")) continue;
    ++files;
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    for (const char* it : traces_of_it)
      CHECK_MESSAGE(text.str().find(it) == std::string::npos, path.string());
  }
  CHECK(files > 20);
}
