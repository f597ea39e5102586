// An independent second proof: the invariant and the steps as SMT-LIB 2 text, read back by a fresh solver.
//
// Nothing of the first proof is trusted but its list of lemmas: each script states the whole invariant before
// and after a step over two sets of variables, so neither substitution nor skipping of untouched lemmas is
// believed, and what the text does not say does not hold.
#pragma once
#include "checker/inductive.hpp"

namespace ptmc {

/// A proof as text. Terms are SMT-LIB 2 over `variables`, in logic QF_BV.
struct Certificate {
  struct Variable {
    std::string name, sort;  // "|tlb[0].frame|", "(_ BitVec 2)".
  };
  struct Claim {
    std::string name, term;
    std::string safe = "true";  // Of properties: their indices are in range.
  };
  struct Rule {
    std::string name, at, guard, guard_safe, effect_safe;
    std::vector<std::pair<std::size_t, std::string>> writes;  // Variable, its value after.
  };
  std::vector<Variable> variables;
  std::string domain, initial, initial_safe;
  std::vector<Claim> invariant;  // Claims, lemmas, generated lemmas.
  std::vector<Rule> rules;
  std::vector<Claim> properties;  // All `always`, part of the invariant or not.
};

/// What `result` says is proved, from terms written down anew.
Certificate certificate(const SymbolicSource& source, const InductiveOptions& options,
                        const Induction& result);

/// One file: an SMT-LIB 2 script with one check-sat.
struct Script {
  std::string name;          // "007-reclaim-lock.smt2"
  std::string what;          // "step reclaim/lock"
  bool satisfiable = false;  // What the solver must answer. Almost all are unsat.
  std::string text;
};
/// initial => invariant; invariant and step => invariant, for each rule; invariant => property, for each; and
/// some state is initial.
std::vector<Script> scripts(const Certificate& certificate);

struct Disagreement {
  std::string what;   // "step reclaim/lock"
  std::string found;  // "sat", "unsat", "unknown: max. resource limit exceeded", a parser's message.
};

struct Recheck {
  std::size_t scripts = 0;
  std::vector<Disagreement> disagreements;  // In the order of scripts. Empty: the proof stands.
};

struct RecheckOptions {
  unsigned threads = 0;  // 0: one a core.
  unsigned rlimit = 100'000'000;
  std::string directory;  // If not empty: scripts are written there.
};

/// Throws InternalError if a script cannot be written.
Recheck recheck(const Certificate& certificate, const RecheckOptions& options);

}  // namespace ptmc
