// The bad twins of mprotect: none is vacuous, and each breaks what it lists.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "properties/mprotect/explore.hpp"
#include "properties/mprotect/twins.hpp"

using namespace ptmc;
using namespace ptmc::mprotect;

namespace {

/// `without`: an actor that the instance has and that does not run now; empty: all run.
Exploration explored(const mprotect::Twin& twin, bool x86, const std::string& without = "") {
  Question q = question_of(instance(twin.instance), x86, feature_sets(x86)[0], batchings()[0]);
  if (without == "fork") q.instance.fork = false;
  if (without == "ksm") q.instance.ksm = false;
  if (without == "gup") q.instance.gup = no_gup;
  q.properties = twin.property;
  if (*twin.mutation != '\0') q.mutations = {twin.mutation};
  ExploreOptions o;
  o.stop_at_first = Toggle::off;
  o.coverage = Toggle::off;
  return explore(LoweredSystem(lowered(x86).packed, mprotect::setup_of(q, {})), o);
}
/// These have no batches, or none that PageAnonExclusive splits.
bool splits_none(const mprotect::Twin& twin) {
  const std::string mutation = twin.mutation;
  return mutation.ends_with("=per-pte") || mutation.ends_with("=v1");
}

}  // namespace

TEST_CASE("a bad twin breaks its property and reaches every cover of its instance") {
  for (const mprotect::Twin& twin : twins)
    for (const bool x86 : {true, false}) {
      if (!machine::exists(twin.on, x86)) continue;
      CAPTURE(twin.id);
      CAPTURE(x86);
      const Exploration found = explored(twin, x86);
      CHECK(found.violations.size() == 1);
      for (const Cover& c : found.covers) {
        CAPTURE(c.predicate);
        CHECK((c.reached || splits_none(twin)));
      }
    }
}

TEST_CASE("twins are clean without a second actor, but for those that need none") {
  const std::set<std::string> alone{"H1-stale", "H2", "ksm-no-flush", "ksm-replaces-unflushed"};
  for (const mprotect::Twin& twin : twins)
    for (const bool x86 : {true, false})
      for (const std::string actor : {"fork", "ksm", "gup"}) {
        const auto& i = instance(twin.instance);
        const bool runs = actor == "fork" ? i.fork : actor == "ksm" ? i.ksm : i.gup != no_gup;
        const bool its_own = std::string(twin.mutation).find(":" + actor + "/") != std::string::npos;
        if (!machine::exists(twin.on, x86) || !runs || its_own) continue;
        CAPTURE(twin.id);
        CAPTURE(x86);
        CAPTURE(actor);
        const Exploration found = explored(twin, x86, actor);
        CHECK(found.violations.empty() == !alone.contains(twin.id));
      }
}

TEST_CASE("the shortest witnesses, in raw steps; version 1 and page cache: no second thread and no store") {
  struct Row {
    const char* id;
    std::size_t x86, arm64;  // 0: none.
  };
  for (const Row& row : {Row{"B11", 38, 43},
                         Row{"B16", 29, 0},
                         Row{"B17", 29, 32},
                         Row{"v1-file", 12, 12},
                         Row{"v1-fork", 40, 46},
                         Row{"M1", 17, 0},
                         Row{"M9", 26, 26},
                         Row{"M10", 26, 32},
                         Row{"M10b", 0, 36},
                         Row{"io-before-flush", 21, 27},
                         Row{"no-unmap-flush", 20, 26},
                         Row{"batch-runs-over", 34, 35},
                         Row{"B30", 17, 18},
                         Row{"fork-shares-pinned", 17, 18},
                         Row{"ksm-no-flush", 11, 11},
                         Row{"ksm-no-reference-count", 18, 19},
                         Row{"ksm-replaces-unflushed", 20, 21},
                         Row{"gup-no-recheck", 0, 19},
                         Row{"gup-no-unshare", 20, 21},
                         Row{"H1-excess", 12, 0},
                         Row{"H1-stale", 17, 0},
                         Row{"H2", 16, 0},
                         Row{"H3", 10, 0}})
    for (const bool x86 : {true, false}) {
      const std::size_t steps = x86 ? row.x86 : row.arm64;
      if (steps == 0) continue;
      CAPTURE(row.id);
      CAPTURE(x86);
      const auto twin = std::find_if(twins.begin(), twins.end(),
                                     [&](const mprotect::Twin& t) { return t.id == std::string(row.id); });
      REQUIRE(twin != twins.end());
      const Exploration found = explored(*twin, x86);
      REQUIRE(found.violations.size() == 1);
      const Trace& trace = found.violations[0].trace;
      CHECK(trace.steps.size() == steps);
      if (twin->id != std::string("v1-file")) continue;
      for (const TraceStep& step : trace.steps) CHECK(step.action.actor == "mprotect");
    }
}
