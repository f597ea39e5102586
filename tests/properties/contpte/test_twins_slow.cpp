// The bad twins of contpte: none is vacuous, and each breaks what it lists.
#include <doctest/doctest.h>

#include <algorithm>

#include "properties/contpte/claims.hpp"
#include "properties/contpte/explore.hpp"
#include "properties/contpte/twins.hpp"

using namespace ptmc;
using namespace ptmc::contpte;

namespace {

Exploration explored(const Twin& twin, const FeatureSet& features, const char* property, bool other) {
  Question q{instance(twin.instance), features, property, {twin.mutation}};
  if (!other) q.instance.other = nullptr;
  ExploreOptions o;
  o.stop_at_first = Toggle::off;
  o.coverage = Toggle::off;
  return explore(LoweredSystem(lowered().packed, contpte::setup_of(q, {})), o);
}

}  // namespace

TEST_CASE("a bad twin breaks its property and reaches the covers of its instance") {
  for (const Twin& twin : twins) {
    if (instance(twin.instance).big) continue;
    for (const FeatureSet& features : {feature_sets()[0], feature_sets()[1]}) {
      const char* breaks = has_bbm2(features) ? twin.level2 : twin.level0;
      if (*breaks == '\0') continue;
      CAPTURE(twin.id);
      CAPTURE(features.name);
      const Exploration found = explored(twin, features, breaks, true);
      CHECK(found.violations.size() == 1);
      for (const Cover& c : found.covers) {
        CAPTURE(c.predicate);
        // Without unfolding there are no single entries and no window; B47 has no window either.
        const std::string id = twin.id;
        CHECK((c.reached || id.starts_with("no-unfold") || id == "B47" || id == "no-commit"));
      }
    }
  }
}

TEST_CASE("B48 needs the fault: it is the one who returns without having done a thing") {
  const auto twin =
      std::find_if(twins.begin(), twins.end(), [](const Twin& t) { return t.id == std::string("B48"); });
  REQUIRE(twin != twins.end());
  CHECK(explored(*twin, feature_sets()[0], "done", true).violations.size() == 1);
  CHECK(explored(*twin, feature_sets()[0], "done", false).violations.empty());
}

TEST_CASE("the shortest witnesses, in raw steps") {
  struct Row {
    const char* name;
    std::size_t steps;
  };
  for (const Row& row : {Row{"contpte/H4-fold", 12},
                         Row{"contpte/H4-split", 13},
                         Row{"contpte/zap-refault", 17},
                         Row{"bug/B47", 21},
                         Row{"bug/B47-bbm2", 17},
                         Row{"bug/B48", 12},
                         Row{"bug/B49", 14},
                         Row{"bug/B50", 22},
                         Row{"contpte/wrong-level", 21},
                         Row{"contpte/no-break-fold", 48},
                         Row{"contpte/no-break-unfold", 14},
                         Row{"contpte/no-commit", 15},
                         Row{"contpte/no-final-flush-mprotect", 28},
                         Row{"contpte/no-final-flush-mprotect-bbm2", 24},
                         Row{"contpte/no-final-flush-fork", 26},
                         Row{"contpte/no-final-flush-fork-bbm2", 22},
                         Row{"contpte/no-final-flush-zap", 27},
                         Row{"contpte/no-final-flush-zap-bbm2", 23},
                         Row{"contpte/first-address-mprotect-bbm2", 28},
                         Row{"contpte/first-address-zap-bbm2", 27},
                         Row{"contpte/no-unfold-fork", 15},
                         Row{"contpte/no-unfold-zap", 17},
                         Row{"contpte/wrprotect-races", 17},
                         Row{"contpte/aging-races", 14},
                         Row{"contpte/swap-refault", 48},
                         Row{"contpte/free-before-flush", 46},
                         Row{"contpte/free-before-flush-bbm2", 42},
                         Row{"contpte/no-drain", 54},
                         Row{"contpte/no-unfold-reclaim", 37},
                         Row{"contpte/no-tlbi-reclaim", 43},
                         Row{"contpte/no-tlbi-reclaim-bbm2", 39},
                         Row{"contpte/no-pending-reclaim", 40},
                         Row{"contpte/no-pending-reclaim-bbm2", 40},
                         Row{"contpte/io-before-flush", 52},
                         Row{"contpte/dsb-own-stores", 55},
                         Row{"contpte/dsb-own-stores-bbm2", 55},
                         Row{"contpte/no-final-flush-madvise", 21},
                         Row{"contpte/unsplit-folio", 19},
                         Row{"contpte/cold-races", 19},
                         Row{"contpte/lockless-any", 16},
                         Row{"contpte/smmu-no-flush", 41},
                         Row{"contpte/smmu-without-dirty", 16}}) {
    CAPTURE(row.name);
    const std::vector<Claim> all = contpte::claims();
    const auto claim = std::find_if(all.begin(), all.end(), [&](const Claim& c) {
      return c.name == row.name && c.expected == Verdict::violated;
    });
    REQUIRE(claim != all.end());
    const std::vector<Result> results = claim->run({});
    REQUIRE(results.size() == 1);
    REQUIRE(results[0].trace != nullptr);
    CHECK(results[0].trace->steps.size() == row.steps);
  }
}
