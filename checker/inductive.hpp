// The proof engine: an inductive invariant, checked rule by rule for every value of every field.
//
// The invariant is all `always` claims (but those set apart), all lemmas, and the generated lemmas that
// survive. Proved means: initial => invariant; invariant and any rule => invariant, no field too narrow and
// no index out of range; invariant => every `always`. Same output at any thread count: each query runs in a
// solver context of its own, with a limit on work instead of time.
#pragma once
#include <functional>
#include <optional>

#include "checker/symbolic/source.hpp"
#include "checker/trace.hpp"
#include "checker/verdict.hpp"

namespace ptmc {

/// Whether the explicit engine reaches a state, by its named values; nothing if it cannot tell.
using ReachableQuestion = std::function<std::optional<bool>(const DecodedState&)>;

struct InductiveOptions {
  unsigned threads = 0;               // 0: one a core.
  unsigned rlimit = 50'000'000;       // Solver work for one query; about ten seconds.
  unsigned cti_max = 3;               // Counterexamples to induction that are worked out.
  bool covers = true;                 // Is the invariant satisfiable, and each step possible in it?
  std::vector<std::string> apart;     // `always` claims that are implied by the rest, not part of it.
  std::vector<std::string> left_out;  // Lemmas to do without: is one needed?
  ReachableQuestion reachable;        // Asked for states before a failing step; may be empty.
};

/// A counterexample to induction: two states one step apart, the invariant holds in the first only. As few
/// fields as possible differ from zero.
struct Cti {
  Action action;
  DecodedState before, after;       // Complete; `after` is empty for initial states and for safety.
  std::vector<std::string> places;  // "reclaim at try_to_unmap_one/lock", for each actor.
  std::vector<std::string> broken;  // Claims and lemmas that fail, "a value does not fit 3 bits".
  std::optional<bool> reachable;    // Of the state before. True: the design is wrong; false: a lemma is
                                    // missing.
};
/// A few lines: the step, what breaks, where actors are, fields that are not zero or that change.
std::string to_text(const Cti& cti);

struct ProofQuery {
  enum class Kind : u8 { initial, step, safety } kind;
  std::string name;  // "initial", "reclaim/lock", "hw/fill(cpu=1)", "stale".
  enum class Answer : u8 { holds, fails, unknown } answer = Answer::unknown;
  std::string reason;               // Of unknown.
  std::vector<std::string> broken;  // Of fails.
  std::optional<Cti> cti;           // Of fails, up to cti_max of them.
  unsigned claims = 0;              // Claims and lemmas that had to be shown; the others are untouched.
  u64 work = 0;                     // Solver work units spent.
};

struct Induction {
  enum class Outcome : u8 { proved, not_inductive, unknown } outcome = Outcome::unknown;
  std::vector<ProofQuery> queries;     // Initial, steps in the order of rules, then safety.
  std::vector<std::string> claims;     // `always` claims in the invariant.
  std::vector<std::string> lemmas;     // Lemmas in the invariant, by hand.
  std::vector<std::string> generated;  // Generated lemmas that survived.
  unsigned generated_tried = 0, rounds = 0;
  // Findings of the proof's covers. A proof with one of the first two is vacuous and is not `proved`.
  bool no_initial_state = false;            // No state is initial.
  bool contradictory = false;               // No state satisfies the invariant.
  std::vector<std::string> vacuous_steps;   // Steps that no state of the invariant enables.
  std::vector<std::string> vacuous_covers;  // `sometimes` that no state of the invariant satisfies.
  // Not the same from run to run.
  double wall_ms = 0, worst_ms = 0;
  std::string worst;  // The slowest query.
};

/// Throws std::invalid_argument if the model has no claim or a name in the options does not exist.
Induction prove(const SymbolicSource& source, const InductiveOptions& options);

/// proved; violated if a broken claim's state is reachable; else unknown, with the reason in `reason`.
Verdict verdict(const Induction& result, std::string& reason);

}  // namespace ptmc
