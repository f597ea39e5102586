// The bad twins themselves: none is vacuous, and each needs the actors that it says it needs.
#include <doctest/doctest.h>

#include <algorithm>

#include "checker/explicit.hpp"
#include "checker/replay.hpp"
#include "properties/batched_unmap/claims.hpp"
#include "properties/batched_unmap/explore.hpp"
#include "properties/batched_unmap/twins.hpp"

using namespace ptmc;
using namespace ptmc::batched_unmap;

namespace {

bool exists(const Twin& twin, bool x86) { return twin.on == On::both || (twin.on == On::x86_64) == x86; }

/// The twin with these actors. A mutation of an actor that is not there is none.
Setup setup_with(const Twin& twin, bool x86, const std::vector<ActorCount>& actors) {
  batched_unmap::Instance i = instance(twin.instance);
  i.actors = actors;
  std::vector<std::string> properties;
  if (std::string(twin.property) == "coherent") properties = {twin.property};
  Setup s = setup_of(i, x86, feature_sets(x86)[0], properties);
  if (*twin.mutation == '\0') return s;
  const Mutation m = parse_mutation(twin.mutation);
  const auto named = [&](const ActorCount& a) { return m.path.starts_with(a.name + "/"); };
  if (m.op == Mutation::Op::knob || std::any_of(actors.begin(), actors.end(), named))
    s.mutations = {twin.mutation};
  return s;
}

Exploration explored(const Setup& s, bool x86, Toggle stop_at_first) {
  ExploreOptions o;
  o.threads = 1;
  o.stop_at_first = stop_at_first;
  o.coverage = Toggle::off;
  return explore(LoweredSystem(x86 ? packed_x86_64() : packed_arm64(), s), o);
}

/// The names of the properties that some state violates, the first that is violated first.
std::string broken(const Exploration& found) {
  std::vector<Violation> all = found.violations;
  std::stable_sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.level < b.level; });
  std::string names;
  for (const Violation& v : all) names += (names.empty() ? "" : " ") + v.trace.predicate;
  return names;
}
std::string listed(const Twin& twin) {
  return std::string(twin.property) + (*twin.also == '\0' ? "" : " ") + twin.also;
}

/// Each way to leave out one copy of one software actor, and the name of that actor.
struct Fewer {
  std::string without;
  std::vector<ActorCount> actors;
};
std::vector<Fewer> one_fewer(const std::vector<ActorCount>& actors) {
  std::vector<Fewer> all;
  for (std::size_t k = 0; k < actors.size(); ++k) {
    Fewer f{actors[k].name, actors};
    if (--f.actors[k].copies == 0) f.actors.erase(f.actors.begin() + static_cast<std::ptrdiff_t>(k));
    all.push_back(f);
  }
  return all;
}

}  // namespace

TEST_CASE(
    "a bad twin reaches every cover of its instance and breaks what it lists, or ends in its violation") {
  for (const Twin& twin : twins)
    for (const bool x86 : {true, false}) {
      if (!exists(twin, x86)) continue;
      CAPTURE(twin.id);
      CAPTURE(x86);
      const auto& i = instance(twin.instance);
      // The spaces of full bounds are too large to go on in behind the violation.
      const Exploration found =
          explored(setup_with(twin, x86, i.actors), x86, i.full_only ? Toggle::on : Toggle::off);
      CHECK(broken(found) == (i.full_only ? twin.property : listed(twin)));
      CHECK(found.covers.size() == i.covers.size());
      for (const Cover& c : found.covers) {
        CAPTURE(c.predicate);
        CHECK((c.reached || i.full_only));
      }
    }
}

TEST_CASE("each bad twin needs every software actor of its instance, or says which one suffices") {
  for (const Twin& twin : twins)
    for (const bool x86 : {true, false}) {
      if (!exists(twin, x86)) continue;
      CAPTURE(twin.id);
      CAPTURE(x86);
      CHECK((*twin.alone == '\0') == (*twin.why_alone == '\0'));
      for (const Fewer& fewer : one_fewer(instance(twin.instance).actors)) {
        if (fewer.actors.empty()) continue;
        CAPTURE(fewer.without);
        const Exploration found = explored(setup_with(twin, x86, fewer.actors), x86, Toggle::on);
        const bool suffices = *twin.alone != '\0' && fewer.without != twin.alone;
        CHECK(found.violations.size() == (suffices ? 1 : 0));
        CHECK(found.outcome == (suffices ? Outcome::violated : Outcome::exhausted));
        CHECK(found.states > 1);
      }
    }
}

TEST_CASE("the trace of a twin replays through its claim, which applies the twin's mutation itself") {
  for (const Claim& c : claims()) {
    if (c.full_only || c.expected != Verdict::violated) continue;
    CAPTURE(c.name);
    CAPTURE(c.arch);
    RunOptions options;
    options.explore.threads = 1;
    const std::vector<Result> results = c.run(options);
    REQUIRE(results.size() == 1);
    REQUIRE(results[0].trace != nullptr);
    for (const std::string& m : results[0].trace->subject.mutations)
      options.mutations.push_back(parse_mutation(m));
    CHECK(replay(*results[0].trace, *c.stepper(options)).agreement == Replay::Agreement::agrees);
  }
}

TEST_CASE("one page table: a drain keeps all batches out, and a wrap of their count does no harm") {
  for (const bool x86 : {true, false})
    for (const char* name : {"reclaim-mprotect", "reclaim-dontneed"}) {
      CAPTURE(name);
      CAPTURE(x86);
      Setup s = setup_of(instance(name), x86, feature_sets(x86)[0], {});
      s.mutations = {"knob:tlb_flush_batched=wrap-at-3"};
      const Exploration found = explored(s, x86, Toggle::on);
      CHECK(found.outcome == Outcome::exhausted);
      for (const Cover& c : found.covers) CHECK(c.reached);
    }
}

TEST_CASE("B07 is found with a page for each of two scanners, too") {
  for (const bool x86 : {true, false}) {
    Setup s = setup_of(instance("reclaim-numa-numa-2"), x86, feature_sets(x86)[0], {});
    s.mutations = {"knob:tlb_flush_pending=bool"};
    const Exploration found = explored(s, x86, Toggle::on);
    CHECK(broken(found) == "reach");
    CHECK(found.depth == (x86 ? 39 : 40));
  }
}

TEST_CASE("the wrap of the batch count (H2): 60 and 62 steps, exact counts") {
  struct Row {
    bool x86;
    u64 states, edges;
    std::size_t steps;
  };
  for (const Row& row : {Row{true, 869010, 4511880, 60}, Row{false, 1396201, 8255220, 62}}) {
    const auto twin = std::find_if(twins.begin(), twins.end(),
                                   [](const Twin& t) { return t.id[0] == 'H' && t.id[1] == '2'; });
    REQUIRE(twin != twins.end());
    const Exploration found =
        explored(setup_with(*twin, row.x86, instance(twin->instance).actors), row.x86, Toggle::on);
    REQUIRE(found.violations.size() == 1);
    CHECK(found.violations[0].trace.steps.size() == row.steps);
    CHECK(found.states == row.states);
    CHECK(found.edges == row.edges);
  }
}
