// A transition system as terms of one solver context: plain data.
#pragma once
#include "checker/symbolic/source.hpp"
#include "checker/symbolic/word.hpp"
#include "checker/system.hpp"

namespace ptmc {

/// One named value of a state. Fields that no state of the instance uses are constants, not variables.
struct Variable {
  std::string name;                 // As in System::describe: "tlb[0][1].frame", "reclaim.pc".
  unsigned width = 1;               // Bits.
  bool word = false;                // A page-table entry.
  z3::expr term;                    // A constant symbol: Bool if width is 1, unless it is a program counter.
  std::vector<std::string> values;  // Of a program counter: the step that runs next.
};

struct Write {
  std::size_t variable;
  z3::expr value;  // Over the variables of the state before.
};

/// The rule may fire where `at && guard`. Wherever `at` holds, `guard_safe` must; wherever it fires,
/// `effect_safe`: no field loses bits, no index leaves its array.
struct SymbolicRule {
  Action action;
  z3::expr at;  // The actor is at this step.
  z3::expr guard;
  std::vector<sym::Obligation> guard_safe, effect_safe;
  std::vector<Write> writes;  // Other variables keep their value.
};

struct SymbolicClaim {
  Predicate predicate;
  z3::expr term;
  std::vector<sym::Obligation> safe;  // Its indices are in range.
};

/// "A step inside if_ is about to run => the condition of the if_": guesses, some of them wrong.
struct GeneratedLemma {
  std::string name;
  z3::expr term;
};

struct SymbolicModel {
  std::vector<Variable> variables;
  z3::expr domain;  // Program counters are steps. Holds in every state by construction.
  z3::expr initial;
  std::vector<sym::Obligation> initial_safe;  // initial => initial_safe: every actor comes to a step.
  std::vector<SymbolicRule> rules;            // In the order of System::actions() without fusing.
  std::vector<SymbolicClaim> claims;          // always and sometimes, then lemmas.
  std::vector<GeneratedLemma> generated;
};

}  // namespace ptmc
