// `ptmc minimise` on the real catalogue: what was added comes off again, what fails stays the same, and a
// file that is no trace of ours is refused with its line and a cure.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "checker/cli/shrink.hpp"
#include "checker/trace_itf.hpp"
#include "tests/checker/cli/process.hpp"

using namespace ptmc;
using namespace ptmc::cli_test;

namespace {

Claim claim_named(const std::string& name, const std::string& arch) {
  for (Claim& c : catalog())
    if (c.name == name && c.arch == arch) return c;
  throw std::out_of_range(name);
}

Trace trace_of(const Claim& claim) {
  RunOptions one;
  one.explore.threads = 1;
  for (const Result& r : claim.run(one))
    if (r.trace) return *r.trace;
  throw std::logic_error(claim.name + " has no trace");
}

/// The same race on a machine with `cpus` user CPUs, with `count` steps of the others strewn in.
Trace padded(const Claim& claim, const Trace& race, u64 cpus, std::size_t count) {
  Trace t = race;
  t.subject.machine = {{"user_cpus", cpus, 1}};
  RunOptions o;
  o.machine = t.subject.machine;
  const auto stepper = claim.stepper(o);
  DecodedState state = stepper->initial().front();
  for (const DecodedState& s : stepper->initial())
    if (s[0].value == race.states[0][0].value) state = s;
  t.states = {state};
  t.steps.clear();
  std::mt19937 random(7);
  std::size_t added = 0;
  for (std::size_t k = 0; k < race.steps.size(); ++k) {
    const std::size_t until = std::min(count, count * (k + 1) / 4);  // While the entry is there.
    for (unsigned tries = 0; added < until && tries < 1000; ++tries) {
      const auto enabled = stepper->enabled(t.states.back());
      const Action& a = enabled[random() % enabled.size()];
      const bool idle = a.actor == "hw" && a.step == "fill" && a.instance.find("cpu=0") == std::string::npos;
      if (!idle) continue;
      t.steps.push_back({0, a});
      t.states.push_back(*stepper->apply(t.states.back(), a));
      ++added;
    }
    t.steps.push_back({0, race.steps[k].action});
    const auto next = stepper->apply(t.states.back(), race.steps[k].action);
    REQUIRE(next.has_value());
    t.states.push_back(*next);
  }
  return t;
}

}  // namespace

TEST_CASE("500 needless steps and two more CPUs come off again") {
  const Claim claim = claim_named("bug/B06", "x86_64");
  const cli::Shrunk best = cli::shrink(trace_of(claim), claim, {});
  CHECK(best.after.steps == 19);
  CHECK(best.after.cpus == 1);
  CHECK(best.found.steps == Optimum::optimal);
  CHECK(best.found.switching == Optimum::optimal);
  CHECK(best.found.machine == Optimum::minimal);

  const Trace long_one = padded(claim, best.found.trace, 3, 500);
  const std::string text = to_itf(long_one);
  const cli::Shrunk found = cli::shrink(from_itf(text, "padded"), claim, {});
  CHECK(found.before.steps >= 500);
  CHECK(found.before.cpus == 3);
  CHECK(to_itf(found.found.trace) == to_itf(best.found.trace));
  CHECK(found.words.size() == 1);
}

TEST_CASE("without a search, what is left is at least 1-minimal") {
  const Claim claim = claim_named("bug/B06", "x86_64");
  const Trace long_one = padded(claim, cli::shrink(trace_of(claim), claim, {}).found.trace, 3, 500);
  RunOptions o;
  o.explore.states_max = 10;
  const cli::Shrunk found = cli::shrink(long_one, claim, o);
  CHECK(found.found.steps == Optimum::minimal);
  CHECK(found.found.machine == Optimum::unknown);
  CHECK(found.after.steps == 19);
}

TEST_CASE("the property that fails stays the same, though the machine may break others sooner") {
  const Claim claim = claim_named("bug/B06", "arm64");
  Trace t = trace_of(claim);
  REQUIRE(t.predicate == "reach");
  const cli::Shrunk found = cli::shrink(t, claim, {});
  CHECK(found.found.trace.predicate == "reach");
}

TEST_CASE("bits that do not matter may have any value") {
  const Claim claim = claim_named("bug/B06", "arm64");
  const cli::Shrunk found = cli::shrink(trace_of(claim), claim, {});
  REQUIRE(found.words.size() == 1);
  const GeneralWord& w = found.words[0];
  CHECK(w.name == "pte[0].word");
  CHECK((w.matters & 3) == 3);             // VALID and the table bit: a leaf.
  CHECK((w.matters >> 10 & 1) == 1);       // AF: without hardware management nothing caches an old entry.
  CHECK((w.matters & bits(47, 12)) == 0);  // The frame is any.
  const std::string text = to_text(w);
  CHECK(text.find("pte[0]  bits 63..32 ") == 0);
  CHECK(text.find("--11\n") != std::string::npos);
}

TEST_CASE("files: edited by hand, cut off, foreign, stale") {
  const Folder folder;
  const std::string file = folder.path("t.json");
  REQUIRE(
      run(PTMC_BINARY, {"prove", "bug/B06", "--arch", "x86_64", "--traces", folder.path("traces")}).code ==
      0);
  const std::string good = read(folder.path("traces/bug-B06-x86_64.itf.json"));
  const auto minimised = [&](const std::string& text) {
    write(file, text);
    return run(PTMC_BINARY, {"minimize", file});
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
  };
  CHECK(minimised(good).code == 0);
  CHECK(minimised(with("\"digest\": \"", "\"digest\": \"0")).code == 0);

  Run r = minimised(with("\"step\":\"folio_isolate_lru\"", "\"step\":\"free_folio\""));
  CHECK(r.code == 2);
  CHECK(says(r, "t.json:"));
  CHECK(says(r, "remove the step"));
  r = minimised(good.substr(0, good.size() / 2));
  CHECK(r.code == 2);
  CHECK(says(r, "cut off"));
  r = minimised("{\"vars\": [], \"states\": []}\n");
  CHECK(r.code == 2);
  CHECK(says(r, "another tool"));
  r = minimised(with("bug/B06", "bug/B00"));
  CHECK(r.code == 2);
  CHECK(says(r, "did you mean"));
  r = minimised(with("knob:pte_accessible=no-pending", "knob:pte_accessible=no-such"));
  CHECK(r.code == 2);
  CHECK(r.out.empty());
  r = minimised(with("\"predicate\": \"reach\"", "\"predicate\": \"gone\""));
  CHECK(r.code == 2);
  CHECK(says(r, "write the trace anew"));
}

TEST_CASE("--save and --json") {
  const Folder folder;
  REQUIRE(run(PTMC_BINARY, {"prove", "bug/B09", "--arch", "arm64", "--traces", folder.path("traces")}).code ==
          0);
  const std::string given = folder.path("traces/bug-B09-arm64-HA-HD.itf.json"),
                    saved = folder.path("least.json");
  const Run r = run(PTMC_BINARY, {"minimise", given, "--json", "--save", saved});
  REQUIRE(r.code == 0);
  const auto j = nlohmann::json::parse(r.out);
  CHECK(j["property"] == "stale");
  CHECK(j["smallest"]["steps"] == 15);
  CHECK(j["optimum"]["steps"] == "optimal");
  CHECK(run(PTMC_BINARY, {"replay", saved}).code == 0);
  CHECK(run(PTMC_BINARY, {"minimise", given, "--json"}).out == r.out);
}

TEST_CASE("bench corpus: every counterexample once, none longer than it was found") {
  const Run r = run(PTMC_BINARY, {"bench", "corpus", "--json"});
  REQUIRE(r.code == 0);
  std::set<std::string> seen;
  for (const auto& row : nlohmann::json::parse(r.out)) {
    CHECK(seen.insert(row["claim"].get<std::string>() + " on " + row["arch"].get<std::string>()).second);
    CHECK(row["after"]["steps"] <= row["before"]["steps"]);
    CHECK(row["after"]["steps"] > 0);
  }
  std::size_t golden = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(PTMC_SOURCE_DIR) + "/counterexamples/golden"))
    golden += file.path().string().ends_with(".itf.json");
  CHECK(seen.size() == golden);
}
