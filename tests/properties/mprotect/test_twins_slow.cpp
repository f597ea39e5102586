// The bad twins of mprotect: none is vacuous, each breaks what it lists, and each trace replays.
#include <doctest/doctest.h>

#include <algorithm>

#include "checker/replay.hpp"
#include "properties/mprotect/explore.hpp"
#include "properties/mprotect/machine_claims.hpp"
#include "properties/mprotect/twins.hpp"

using namespace ptmc;
using namespace ptmc::mprotect;

namespace {

Exploration explored(const Twin& twin, bool x86, const char* properties, bool fork) {
  Question q = question_of(instance(twin.instance), x86, feature_sets(x86)[0], batchings()[0]);
  q.instance.fork = fork;
  q.properties = properties;
  if (*twin.mutation != '\0') q.mutations = {twin.mutation};
  ExploreOptions o;
  o.stop_at_first = Toggle::off;
  o.coverage = Toggle::off;
  return explore(LoweredSystem(lowered(x86).packed, mprotect::setup_of(q, {})), o);
}
/// These have no batches, or none that PageAnonExclusive splits.
bool splits_none(const Twin& twin) {
  const std::string mutation = twin.mutation;
  return mutation.ends_with("=per-pte") || mutation.ends_with("=v1");
}

}  // namespace

TEST_CASE("a bad twin breaks its property and reaches every cover of its instance") {
  for (const Twin& twin : twins)
    for (const bool x86 : {true, false}) {
      if (!machine::exists(twin.on, x86)) continue;
      CAPTURE(twin.id);
      CAPTURE(x86);
      const auto& i = instance(twin.instance);
      const Exploration found = explored(twin, x86, twin.property, i.fork);
      CHECK(found.violations.size() == 1);
      for (const Cover& c : found.covers) {
        CAPTURE(c.predicate);
        CHECK((c.reached || splits_none(twin)));
      }
    }
}

TEST_CASE("the twins of fork need it, but for the one that needs no second actor") {
  for (const Twin& twin : twins)
    for (const bool x86 : {true, false}) {
      if (!machine::exists(twin.on, x86) || !instance(twin.instance).fork) continue;
      CAPTURE(twin.id);
      CAPTURE(x86);
      const Exploration found = explored(twin, x86, twin.property, false);
      CHECK(found.violations.empty() == (*twin.id != 'H'));
    }
}

TEST_CASE("every claim comes out as catalogued, and its trace replays through it") {
  for (const Claim& c : machine_claims()) {
    if (c.full_only) continue;
    CAPTURE(c.name);
    CAPTURE(c.arch);
    RunOptions options;
    for (const Result& r : c.run(options)) {
      CAPTURE(r.property);
      CAPTURE(r.reason);
      CHECK(r.verdict == c.expected);
      if (c.expected != Verdict::violated) continue;
      REQUIRE(r.trace != nullptr);
      for (const std::string& m : r.trace->subject.mutations) options.mutations.push_back(parse_mutation(m));
      CHECK(replay(*r.trace, *c.stepper(options)).agreement == Replay::Agreement::agrees);
    }
  }
}

TEST_CASE("the shortest witnesses, in raw steps; version 1 and page cache: no second thread and no store") {
  struct Row {
    const char* id;
    std::size_t x86, arm64;  // 0: none.
  };
  for (const Row& row : {Row{"B11", 38, 43}, Row{"B16", 29, 0}, Row{"B17", 29, 32}, Row{"v1-file", 12, 12},
                         Row{"v1-fork", 40, 46}, Row{"M1", 17, 0}, Row{"M9", 26, 26}, Row{"M10", 26, 32},
                         Row{"M10b", 0, 36}, Row{"io-before-flush", 21, 27}, Row{"no-unmap-flush", 20, 26},
                         Row{"H1-excess", 12, 0}, Row{"H1-stale", 17, 0}, Row{"H2", 16, 0}, Row{"H3", 10, 0}})
    for (const bool x86 : {true, false}) {
      const std::size_t steps = x86 ? row.x86 : row.arm64;
      if (steps == 0) continue;
      CAPTURE(row.id);
      CAPTURE(x86);
      const auto twin = std::find_if(twins.begin(), twins.end(),
                                     [&](const Twin& t) { return t.id == std::string(row.id); });
      REQUIRE(twin != twins.end());
      const Exploration found = explored(*twin, x86, twin->property, instance(twin->instance).fork);
      REQUIRE(found.violations.size() == 1);
      const Trace& trace = found.violations[0].trace;
      CHECK(trace.steps.size() == steps);
      if (twin->id != std::string("v1-file")) continue;
      for (const TraceStep& step : trace.steps) CHECK(step.action.actor == "mprotect");
    }
}
