// Laws about words: a statement over bit-vectors, decided for all values at once by Z3 (QF_BV), without a
// clock.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checker/symbolic/word.hpp"
#include "checker/verdict.hpp"

namespace ptmc {

/// What the law takes for granted. `guarantee` says who promises it: a function, with file and version.
struct Premise {
  std::string sentence;
  std::string guarantee;
  z3::expr term;
};

/// For all values of the inputs: premises imply conclusion. All terms live in one context.
struct ValueLemma {
  std::vector<z3::expr>
      inputs;  // Constants, bit-vectors of at most 64 bits or Booleans; what a witness names.
  std::vector<Premise> premises;
  z3::expr conclusion;
};

/// One value for each input that occurs in the lemma, in the order of `inputs`.
struct Assignment {
  std::string name;
  u64 value;
};
using Witness = std::vector<Assignment>;

struct ValueOptions {
  unsigned rlimit = 20'000'000;  // Z3's own resource count of one query; about a second.
};

struct ValueResult {
  Verdict verdict = Verdict::unknown;  // proved, violated or unknown.
  Witness witness;                     // violated: values that break the law; few bits set.
  std::string reason;                  // unknown: which limit, or "vacuous".
  /// proved: for each premise, values that break the law without it; empty if it is not needed, which is a
  /// defect of the law.
  std::vector<std::optional<Witness>> necessary;
};

/// Decides lemmas. A proof is repeated by another solver in another context and a witness is evaluated;
/// premises that no value satisfies give `unknown`, "vacuous". Throws InternalError if two solvers disagree.
/// Not for use by two threads at once.
class ValueProver {
 public:
  explicit ValueProver(const ValueOptions& options = {}) : options_(options) {}
  ValueResult prove(const ValueLemma& lemma);

 private:
  z3::check_result recheck(const z3::expr& formula);

  ValueOptions options_;
  std::unique_ptr<z3::context> second_;  // Made for the first proof.
};

}  // namespace ptmc
