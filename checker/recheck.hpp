// An independent second proof: the invariant and the steps as SMT-LIB 2 text, read back by a fresh solver.
//
// Nothing of the first proof is trusted but its list of lemmas. Each script states the whole invariant before
// a step, and after it over a second set of variables, so no substitution is believed. Left out is only what
// by its text mentions no variable that the step writes: the step cannot change it.
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

/// One query, to be read after the common beginning of all.
struct Script {
  std::string name;          // "007-step-reclaim-lock.smt2"
  std::string what;          // "step reclaim/lock"
  bool satisfiable = false;  // What the solver must answer. Almost all are unsat.
  std::string text;          // Its assertions.
};
struct Scripts {
  std::string prelude;  // Variables, now and after ("x!"), and each part of the invariant over both.
  std::vector<Script> all;
  /// One file: an SMT-LIB 2 script with one check-sat.
  std::string whole(const Script& script) const;
};
/// initial => invariant; invariant and step => invariant, for each rule; invariant => property, for each; and
/// some state is initial.
Scripts scripts(const Certificate& certificate);

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
