// The golden corpus: each violation that the catalogue expects of a machine, found, straightened, replayed
// and printed, and compared whole with counterexamples/golden. UPDATE_GOLDEN=1 writes the files anew.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "checker/replay.hpp"
#include "checker/trace_itf.hpp"
#include "counterexamples/straighten.hpp"
#include "counterexamples/text.hpp"
#include "tests/counterexamples/golden/corpus.hpp"

using namespace ptmc;
using golden::Entry;
namespace fs = std::filesystem;

namespace {

const bool update = std::getenv("UPDATE_GOLDEN") != nullptr;

void compare(const std::string& name, const std::string& text) {
  if (update) return golden::write(name, text);
  CHECK_MESSAGE(golden::read(name) == text, name << " differs; UPDATE_GOLDEN=1 writes it anew");
}

Text printed(const Trace& trace, const Claim& claim) {
  return print(trace, columns_of(trace, *claim.voice), *claim.voice, {claim.commit, claim.sentence});
}

// What is longer than a good print, and why.
bool may_be_long(const Entry& e) {
  return e.name.starts_with("H2-") ||  // A wrap of the batch count takes a round of reclaim for each batch.
         e.name.starts_with("B11-") || e.name.starts_with("seed000-v1-fork-") ||  // Three calls in a row.
         e.name.starts_with("seed000-mkclean-drops-ptl-");                        // Two, around a writeback.
}

void check(const Entry& e) {
  CAPTURE(e.name);
  const std::vector<Result> results = e.claim.run({});
  REQUIRE(results.size() == 1);
  REQUIRE(results[0].verdict == Verdict::violated);
  REQUIRE(results[0].trace);
  const Trace& trace = *results[0].trace;
  CHECK(trace.predicate == e.claim.property);
  const auto system = e.claim.system({});
  StraightenOptions how;
  how.voice = *e.claim.voice;
  const Straightened straight = straighten(trace, *system, how);
  CHECK(straight.optimum == Straightened::Optimum::proved);
  CHECK(straight.trace.steps.size() == trace.steps.size());
  CHECK(straight.switches <= context_switches(columns_of(trace, how.voice)));
  CHECK(without_needless_steps(straight.trace, *system, how.voice).steps.size() == trace.steps.size());
  const Replay again = replay(straight.trace, *e.claim.stepper({}));
  CHECK_MESSAGE(again.agreement == Replay::Agreement::agrees, again.what);
  const Text text = printed(straight.trace, e.claim);
  CHECK((text.lines <= 14 || may_be_long(e)));
  CHECK((text.switches <= 6 || may_be_long(e)));
  CHECK(text.switches == straight.switches);
  compare(e.name + ".txt", text.whole());
  compare(e.name + ".itf.json", to_itf(straight.trace));
}

// The same machine, unbroken.
const Claim* sound(const Claim& broken, const std::vector<Claim>& catalog) {
  for (const Claim& c : catalog)
    if (c.stepper && c.instance == broken.instance && c.arch == broken.arch &&
        c.features == broken.features && c.mutations.empty() && c.expected == Verdict::bounded)
      return &c;
  return nullptr;
}

}  // namespace

TEST_CASE("each bug is found, straightened, replayed and printed as ever") {
  for (const Entry& e : golden::corpus()) check(e);
}

TEST_CASE("a golden trace prints as its golden text") {
  for (const Entry& e : golden::corpus()) {
    CAPTURE(e.name);
    const Trace trace = from_itf(golden::read(e.name + ".itf.json"), e.name);
    const std::string text = printed(trace, e.claim).whole();
    CHECK(text == golden::read(e.name + ".txt"));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) CHECK(line.size() <= text_columns);
  }
}

TEST_CASE("without its mutation no golden trace is a run") {
  const std::vector<Claim> all = catalog();
  for (const Entry& e : golden::corpus()) {
    if (e.claim.mutations.empty()) continue;
    CAPTURE(e.name);
    const Claim* home = sound(e.claim, all);
    REQUIRE(home != nullptr);
    const Trace trace = from_itf(golden::read(e.name + ".itf.json"), e.name);
    CHECK(replay(trace, *home->stepper({})).agreement == Replay::Agreement::differs);
  }
}

TEST_CASE("the corpus holds these files and no others") {
  std::set<std::string> found, expected;
  for (const auto& entry : fs::directory_iterator(golden::folder))
    found.insert(entry.path().filename().string());
  for (const Entry& e : golden::corpus())
    for (const char* kind : {".txt", ".itf.json"}) expected.insert(e.name + kind);
  CHECK(found == expected);
}
