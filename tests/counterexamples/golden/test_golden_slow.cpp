// The golden corpus: each bug of seed 004 found, straightened, replayed and printed, and compared whole with
// counterexamples/golden. UPDATE_GOLDEN=1 writes the files anew.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "checker/explicit.hpp"
#include "checker/lower/lowered.hpp"
#include "checker/replay.hpp"
#include "checker/trace_itf.hpp"
#include "counterexamples/straighten.hpp"
#include "counterexamples/text.hpp"
#include "properties/batched_unmap/machine.hpp"
#include "properties/batched_unmap/phrases.hpp"
#include "properties/batched_unmap/twins.hpp"

using namespace ptmc;
using batched_unmap::On;
using batched_unmap::Twin;
namespace fs = std::filesystem;

namespace {

const fs::path folder = fs::path(PTMC_SOURCE_DIR) / "counterexamples" / "golden";
const bool update = std::getenv("UPDATE_GOLDEN") != nullptr;

struct Arch {
  const char* name;
  On on;
  const PackedTables& packed;
  const PlainTables& plain;
  std::vector<std::string> features;
};

std::vector<Arch> archs() {
  return {{"x86_64", On::x86_64, batched_unmap::packed_x86_64(), batched_unmap::plain_x86_64(), {}},
          {"arm64", On::arm64, batched_unmap::packed_arm64(), batched_unmap::plain_arm64(), {"HA", "HD"}}};
}

Setup setup_of(const Twin& twin, const Arch& arch) {
  std::vector<std::string> properties;  // All but `coherent`, which fails without a mutation.
  if (std::string(twin.property) == "coherent") properties = {twin.property};
  const bool x86 = arch.on == On::x86_64;
  Setup s = batched_unmap::setup_of(batched_unmap::instance(twin.instance), x86,
                                    batched_unmap::feature_sets(x86)[0], properties);
  if (*twin.mutation != 0) s.mutations = {twin.mutation};
  return s;
}

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void compare(const std::string& name, const std::string& text) {
  if (update) {
    std::ofstream(folder / name, std::ios::binary) << text;
    return;
  }
  CHECK_MESSAGE(read(folder / name) == text, name << " differs; UPDATE_GOLDEN=1 writes it anew");
}

Text printed(const Trace& trace, const Twin& twin) {
  const Voice& voice = batched_unmap::voice();
  return print(trace, columns_of(trace, voice), voice, {twin.commit, twin.what});
}

void check_twin(const Twin& twin, const Arch& arch) {
  const std::string name = std::string(twin.id) + "-" + arch.name;
  CAPTURE(name);
  const Setup setup = setup_of(twin, arch);
  const LoweredSystem system(arch.packed, setup);
  ExploreOptions options;
  options.coverage = Toggle::off;
  const Exploration found = explore(system, options);
  REQUIRE(found.violations.size() == 1);
  Trace trace = found.violations[0].trace;
  CHECK(trace.predicate == twin.property);
  trace.subject = {twin.claim(), twin.instance, arch.name, arch.features, setup.mutations};
  StraightenOptions how;
  how.voice = batched_unmap::voice();
  const Straightened straight = straighten(trace, system, how);
  CHECK(straight.optimum == Straightened::Optimum::proved);
  CHECK(straight.trace.steps.size() == trace.steps.size());
  CHECK(straight.switches <= context_switches(columns_of(trace, how.voice)));
  CHECK(without_needless_steps(straight.trace, system, how.voice).steps.size() == trace.steps.size());
  const Replay again = replay(straight.trace, *plain_stepper(arch.plain, setup));
  CHECK_MESSAGE(again.agreement == Replay::Agreement::agrees, again.what);
  const Text text = printed(straight.trace, twin);
  // A wrap of the batch count takes a round of reclaim for each batch: H2 is as short as it gets.
  CHECK((text.lines <= 14 || std::string(twin.id) == "H2"));
  CHECK((text.switches <= 6 || std::string(twin.id) == "H2"));
  CHECK(text.switches == straight.switches);
  compare(name + ".txt", text.whole());
  compare(name + ".itf.json", to_itf(straight.trace));
}

std::set<std::string> expected_files() {
  std::set<std::string> names;
  for (const Twin& twin : batched_unmap::twins)
    for (const Arch& arch : archs())
      if (twin.on == On::both || twin.on == arch.on)
        for (const char* kind : {".txt", ".itf.json"})
          names.insert(std::string(twin.id) + "-" + arch.name + kind);
  return names;
}

}  // namespace

TEST_CASE("each bug is found, straightened, replayed and printed as ever") {
  for (const Twin& twin : batched_unmap::twins)
    for (const Arch& arch : archs())
      if (twin.on == On::both || twin.on == arch.on) check_twin(twin, arch);
}

TEST_CASE("a golden trace prints as its golden text") {
  for (const Twin& twin : batched_unmap::twins)
    for (const Arch& arch : archs()) {
      if (twin.on != On::both && twin.on != arch.on) continue;
      const std::string name = std::string(twin.id) + "-" + arch.name;
      CAPTURE(name);
      const Trace trace = from_itf(read(folder / (name + ".itf.json")), name);
      const std::string text = printed(trace, twin).whole();
      CHECK(text == read(folder / (name + ".txt")));
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) CHECK(line.size() <= text_columns);
    }
}

TEST_CASE("without its mutation no golden trace is a run") {
  for (const Twin& twin : batched_unmap::twins)
    for (const Arch& arch : archs()) {
      if ((twin.on != On::both && twin.on != arch.on) || *twin.mutation == 0) continue;
      const std::string name = std::string(twin.id) + "-" + arch.name;
      const Trace trace = from_itf(read(folder / (name + ".itf.json")), name);
      Setup sound = setup_of(twin, arch);
      sound.mutations.clear();
      const auto again = replay(trace, *plain_stepper(arch.plain, sound));
      CHECK_MESSAGE(again.agreement == Replay::Agreement::differs, name);
    }
}

TEST_CASE("the corpus holds these files and no others") {
  std::set<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder)) found.insert(entry.path().filename().string());
  CHECK(found == expected_files());
}
