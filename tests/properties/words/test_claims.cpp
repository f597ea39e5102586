#include <doctest/doctest.h>

#include <algorithm>

#include "properties/words/claims.hpp"

using namespace ptmc;

namespace {

const Claim& find(const std::vector<Claim>& claims, const std::string& name, const std::string& arch) {
  const auto at = std::find_if(claims.begin(), claims.end(),
                               [&](const Claim& c) { return c.name == name && c.arch == arch; });
  REQUIRE(at != claims.end());
  return *at;
}

}  // namespace

TEST_CASE("a law's claim gives a verdict for each kernel version, with its assumptions") {
  const auto claims = words::claims();
  const Claim& claim = find(claims, "words/write_permits_store", "arm64");
  const auto results = claim.run({});
  REQUIRE(results.size() == 2);
  CHECK(results[0].instance == "helpers of 6.12");
  CHECK(results[1].instance == "helpers of 6.1");
  for (const Result& r : results) {
    CHECK(r.verdict == Verdict::proved);
    CHECK(r.claim == claim.name);
    CHECK(r.assumptions.size() == 2);
    CHECK(r.notes.size() == 2);
    CHECK(r.notes[0].starts_with("without assumption 1: broken by p = "));
  }
}

TEST_CASE("a twin's claim is expected to be violated and names the word that does it") {
  const auto claims = words::claims();
  const Claim& claim = find(claims, "words/protnone_is_accessible_while_pending/no_pending", "x86_64");
  CHECK(claim.expected == Verdict::violated);
  const auto results = claim.run({});
  REQUIRE(results.size() == 2);
  CHECK(results[0].verdict == Verdict::violated);
  CHECK(results[0].reason == "p = PROTNONE pfn=0xffffffffff, pending = 0x1");
}

TEST_CASE("words take no mutation") {
  RunOptions options;
  options.mutations.push_back({Mutation::Op::drop, "reclaim/lock", "", "", "drop:reclaim/lock"});
  CHECK_THROWS_AS(words::claims().front().run(options), std::invalid_argument);
}

TEST_CASE("results are the same from run to run") {
  const auto claims = words::claims();
  const Claim& claim = find(claims, "words/no_flush_loses_no_right/ignores_write", "arm64");
  CHECK(claim.run({})[0].reason == claim.run({})[0].reason);
}
