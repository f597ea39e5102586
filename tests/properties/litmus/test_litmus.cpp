// The litmus tables: every row as its manual says, exact state counts, and mutants that turn rows over.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "checker/agreement.hpp"
#include "checker/explicit.hpp"
#include "checker/lower/lowered.hpp"
#include "model/hw/world.hpp"
#include "properties/litmus/claims.hpp"
#include "properties/litmus/table.hpp"
#include "tests/properties/litmus/counts.hpp"

using namespace ptmc;
using litmus::Mutant;

namespace {

struct Run {
  bool allowed, forbidden;
  u64 states, edges;
};

Run run(const litmus::Table& table, const std::string& program, const char* mutation = nullptr) {
  for (std::size_t k = 0; k < table.programs.size(); ++k) {
    if (table.programs[k].name != program) continue;
    Setup setup = litmus::setup_of(table, k);
    if (mutation != nullptr) setup.mutations.push_back(mutation);
    const LoweredSystem system(table.packed, setup);
    ExploreOptions options;
    options.threads = 1;
    options.stop_at_first = Toggle::off;
    const Exploration found = explore(system, options);
    REQUIRE(found.complete);
    return {found.covers.at(0).reached, !found.violations.empty(), found.states, found.edges};
  }
  FAIL("no program " << program);
  return {};
}

const std::vector<const litmus::Table*> tables{&litmus::x86_64(), &litmus::arm64()};

}  // namespace

TEST_CASE("each program has its allowed outcome and not its forbidden one, in so many states") {
  for (const auto* table : tables) {
    const auto& counts = table == tables[0] ? litmus::counts_x86_64 : litmus::counts_arm64;
    CHECK(table->programs.size() >= 20);
    REQUIRE(table->programs.size() == counts.size());
    for (std::size_t k = 0; k < counts.size(); ++k) {
      const auto& program = table->programs[k];
      CAPTURE(std::string(table->arch));
      CAPTURE(std::string(program.name));
      const Run found = run(*table, program.name);
      CHECK(found.allowed);
      CHECK_FALSE(found.forbidden);
      CHECK(std::string(program.name) == counts[k].program);
      CHECK(found.states == counts[k].states);
      CHECK(found.edges == counts[k].edges);
    }
  }
}

TEST_CASE("each mutant turns its row over, or leaves it alone, as listed") {
  for (const auto* table : tables)
    for (const Mutant& m : table->mutants) {
      CAPTURE(std::string(table->arch));
      CAPTURE(std::string(m.mutation));
      CAPTURE(std::string(m.program));
      const Run found = run(*table, m.program, m.mutation);
      CHECK(found.forbidden == (m.turns == Mutant::Turns::forbidden));
      if (m.turns != Mutant::Turns::forbidden) CHECK(found.allowed == (m.turns == Mutant::Turns::neither));
    }
}

TEST_CASE("no rule, no variation point and no kind of step is without a mutant that turns a row") {
  for (const auto* table : tables) {
    std::set<std::string> turned, steps;
    for (const Mutant& m : table->mutants) {
      const std::string text = m.mutation;
      if (m.turns != Mutant::Turns::neither)
        turned.insert(text.substr(text.find(':') + 1, text.starts_with("knob")
                                                          ? std::string::npos
                                                          : text.find('=') - text.find(':') - 1));
    }
    CAPTURE(std::string(table->arch));
    for (const RuleText& rule : table->packed.text.rules) {
      CAPTURE(std::string(rule.name));
      CHECK(turned.contains("hw/" + rule.name));
    }
    for (const Knob& knob : table->packed.text.knobs)
      for (std::size_t v = 1; v < knob.values.size() && knob.values[v] != nullptr; ++v) {
        const std::string name = knob.name + std::string("=") + knob.values[v];
        CAPTURE(name);
        CHECK(turned.contains(name) == (knob.absent == nullptr));
      }
    // Accesses and flags make up the programs; the rest must carry something. Interrupts do not on arm64.
    const std::set<std::string> scaffold{"access",  "read_pte", "write_pte", "xchg_pte",  "write_pmd",
                                         "irqs_on", "set_flag", "wait_flag", "peek_flag", "end"};
    for (std::size_t k = 0; k < table->programs.size(); ++k) {
      const LoweredSystem system(table->packed, litmus::setup_of(*table, k));
      for (const Action& a : system.actions())
        if (a.actor != "hw" && !scaffold.contains(a.step)) steps.insert(a.step);
    }
    for (const std::string& step : steps) {
      CAPTURE(step);
      const bool nothing_there = std::string(table->arch) == "arm64" && step == "irqs_off";
      CHECK(turned.contains("cpu/" + step) == !nothing_there);
    }
  }
}

TEST_CASE("a rule that an architecture does not have cannot be turned there") {
  CHECK_THROWS_AS(run(litmus::x86_64(), "shootdown", "knob:walkers_see=at-once"), NotApplicable);
  CHECK_THROWS_AS(run(litmus::arm64(), "dbm-without-hd", "knob:idle_cpus=interrupted"), NotApplicable);
  CHECK_THROWS_AS(run(litmus::x86_64(), "shootdown", "operand:cpu/ipi=wrong-level"), NotApplicable);
  CHECK_THROWS_AS(run(litmus::x86_64(), "shootdown", "drop:hw/fill_before"), std::invalid_argument);
}

TEST_CASE("every rule of an instance fires in some program") {
  for (const auto* table : tables) {
    std::map<std::string, u64> fired;
    for (std::size_t k = 0; k < table->programs.size(); ++k) {
      const LoweredSystem system(table->packed, litmus::setup_of(*table, k));
      const Exploration found = explore(system, {.threads = 1});
      for (std::size_t a = 0; a < found.fired.size(); ++a) fired[system.actions()[a].step] += found.fired[a];
    }
    fired.erase("end");  // Where a program stops.
    for (const auto& [step, times] : fired) {
      CAPTURE(step);
      CHECK(times > 0);
    }
  }
}

TEST_CASE("the packed machine and the naive interpreter mean the same, state by state") {
  for (const auto* table : tables)
    for (std::size_t k = 0; k < table->programs.size(); ++k) {
      CAPTURE(std::string(table->programs[k].name));
      const Setup setup = litmus::setup_of(*table, k);
      const LoweredSystem system(table->packed, setup);
      const auto naive = plain_stepper(table->plain, setup);
      AgreementOptions options;
      options.states_max = 8;  // Their witnesses are replayed as well.
      const Agreement found = agree_on_reachable(system, naive.get(), nullptr, options);
      CHECK(found.disagreements.empty());
      CHECK(found.edges > 0);
    }
}

TEST_CASE("the catalogue's entries: bounded, replayed, and violated under a mutant") {
  const std::vector<Claim> claims = litmus::claims();
  CHECK(claims.size() == litmus::counts_x86_64.size() + litmus::counts_arm64.size());
  for (const Claim& c : claims) {
    CAPTURE(c.name);
    const std::vector<Result> results = c.run(RunOptions{});
    REQUIRE(results.size() == 1);
    CHECK(results[0].verdict == Verdict::bounded);
    CHECK_FALSE(c.paths().empty());
  }
  auto mutated = [&](const std::string& name, const std::string& arch, const std::string& mutation) {
    RunOptions options;
    options.mutations.push_back(parse_mutation(mutation));
    for (const Claim& c : claims)
      if (c.name == name && c.arch == arch) return c.run(options).at(0);
    throw std::logic_error(name);
  };
  const Result stale = mutated("litmus/tlbi-without-dsb", "arm64", "drop:cpu/tlbi");
  CHECK(stale.verdict == Verdict::violated);
  REQUIRE(stale.trace != nullptr);
  CHECK(stale.trace->subject.mutations == std::vector<std::string>{"drop:cpu/tlbi"});
  const Result gone = mutated("litmus/dsb-by-another-pe", "arm64", "knob:completion=anyone");
  CHECK(gone.verdict == Verdict::violated);
  CHECK(gone.reason == "no run has the outcome that the manual allows");
  CHECK(mutated("litmus/shootdown", "x86_64", "knob:completion=anyone").verdict == Verdict::n_a);
}
