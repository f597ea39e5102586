// The second proof stands where the first does, and falls where its text is tampered with.
#include <doctest/doctest.h>

#include <filesystem>

#include "checker/lower/lower_symbolic.hpp"
#include "checker/recheck.hpp"
#include "tests/checker/lower/slots.hpp"

using namespace ptmc;
namespace fs = std::filesystem;

namespace {

Certificate make_proof() {
  static const SymbolicTables tables = symbolic_tables<slots::Model>();
  Setup setup;
  setup.actors = {{"worker", 2}};
  setup.config.bound[static_cast<unsigned>(By::cpu)] = 1;
  const auto source = symbolic_source(tables, setup);
  const Induction result = prove(*source, {});
  REQUIRE(result.outcome == Induction::Outcome::proved);
  return certificate(*source, {}, result);
}

std::vector<std::string> disagreements(const Certificate& c) {
  std::vector<std::string> names;
  for (const Disagreement& d : recheck(c, {}).disagreements) names.push_back(d.what + ": " + d.found);
  return names;
}
using Names = std::vector<std::string>;

const Certificate& proof() {
  static const Certificate c = make_proof();
  return c;
}

Certificate::Claim& claim(std::vector<Certificate::Claim>& claims, const std::string& name) {
  for (Certificate::Claim& c : claims)
    if (c.name == name) return c;
  throw std::out_of_range(name);
}

}  // namespace

TEST_CASE("the proof stands") {
  const Certificate c = proof();
  CHECK(c.variables.size() == 14);
  CHECK(c.invariant.size() == 3 + 4 + 2);
  const Recheck r = recheck(c, {});
  CHECK(r.scripts == 2 + 2 * 10 + 1 + 3);
  CHECK(r.disagreements.empty());
}

TEST_CASE("a weakened lemma is found by the steps that needed it") {
  Certificate c = proof();
  claim(c.invariant, "owner").term = "true";
  CHECK(disagreements(c) == Names{"step worker[0]/lock: sat", "step worker[1]/lock: sat"});
}

TEST_CASE("a lemma that is too strong is found where it begins or is left") {
  Certificate c = proof();
  claim(c.invariant, "slot_exists").term = "(= lock (_ bv0 2))";
  CHECK(disagreements(c).front() == "step worker[0]/lock: sat");
  claim(c.invariant, "slot_exists").term = "(= lock (_ bv1 2))";
  CHECK(disagreements(c).front() == "initial: sat");
}

TEST_CASE("a property that the invariant does not give") {
  Certificate c = proof();
  claim(c.properties, "bounded").term = "(= |count[0]| (_ bv0 3))";
  CHECK(disagreements(c) == Names{"property bounded: sat"});
  claim(c.properties, "bounded").safe = "false";
  CHECK(disagreements(c) == Names{"property bounded: sat"});
}

TEST_CASE("a changed step, a vacuous start, a text that is none") {
  Certificate c = proof();
  REQUIRE(c.rules.back().name == "hw/toggle(cpu=0)");
  c.rules.back().effect_safe = "false";
  CHECK(disagreements(c) == Names{"step hw/toggle(cpu=0): sat"});
  c = proof();
  c.rules[0].guard = "true";
  CHECK(disagreements(c) == Names{"step worker[0]/lock: sat"});
  c = proof();
  c.initial = "false";
  CHECK(disagreements(c) == Names{"some initial state: unsat"});
  c = proof();
  c.rules.back().writes.front().second = "no_such_field";
  const Names names = disagreements(c);
  REQUIRE(names.size() == 1);
  CHECK(names[0].find("unknown constant no_such_field") != std::string::npos);
}

TEST_CASE("what a step leaves out of the state after mentions nothing that it writes") {
  const Certificate c = proof();
  const Scripts text = scripts(c);
  REQUIRE(text.all[22].what == "step hw/toggle(cpu=0)");
  const std::string& toggle = text.all[22].text;
  const auto after = toggle.substr(toggle.rfind("(=>"));
  for (std::size_t k = 0; k < c.invariant.size(); ++k) {
    CAPTURE(c.invariant[k].name);
    bool mentions = false;
    for (const auto& [variable, value] : c.rules.back().writes)
      mentions = mentions || c.invariant[k].term.find(c.variables[variable].name) != std::string::npos;
    CHECK((after.find(" invariant-" + std::to_string(k) + "!") != std::string::npos) == mentions);
  }
}

TEST_CASE("scripts are written out, one file a query, the same each time") {
  const fs::path folder = fs::temp_directory_path() / "ptmc-test-recheck";
  fs::remove_all(folder);
  const Certificate c = proof();
  RecheckOptions options;
  options.directory = folder.string();
  options.threads = 1;
  CHECK(recheck(c, options).disagreements.empty());
  CHECK(fs::exists(folder / "000-some-initial-state.smt2"));
  CHECK(fs::exists(folder / "002-step-worker-0-lock.smt2"));
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& f : fs::directory_iterator(folder)) ++files;
  CHECK(files == 26);
  fs::remove_all(folder);
  const Scripts again = scripts(make_proof()), once = scripts(c);
  for (std::size_t k = 0; k < once.all.size(); ++k)
    CHECK(once.whole(once.all[k]) == again.whole(again.all[k]));
  options.directory = "/proc/no/such/folder";
  CHECK_THROWS_AS(recheck(c, options), InternalError);
}
