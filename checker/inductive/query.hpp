// One solver query of a proof, and the terms of one thread from which queries are made. Internal to the proof
// engine.
#pragma once
#include <map>

#include "checker/inductive.hpp"
#include "checker/symbolic/model.hpp"

namespace ptmc::inductive {

/// A part of the invariant.
struct Conjunct {
  enum class Kind : u8 { claim, lemma, generated } kind;
  std::string name;
  z3::expr term;
};

struct Goal {
  std::string name;
  z3::expr term;
  std::size_t conjunct;  // Which conjunct this is after the step; or none.
};
constexpr std::size_t none = ~std::size_t{0};

/// Valid if no state satisfies all of `assume` and not all of `show`. An empty `show` asks whether some state
/// satisfies `assume`.
struct Query {
  std::vector<z3::expr> assume;
  std::vector<Goal> show;
};

struct Run {
  enum class Result : u8 { unsat, sat, unknown } result = Result::unsat;
  std::string reason;
  std::vector<std::size_t> broken;  // Of sat: indices into Query::show.
  u64 work = 0;
  double ms = 0;
};

/// The query's terms in a context of its own: the same answer whatever ran before.
struct Solving {
  z3::context context;
  z3::solver solver;
  std::vector<z3::expr> goals;
  enum class Asked : u8 { once, again };  // Again: with more and more assertions.
  Solving(const Query& query, unsigned rlimit, Asked asked);
  z3::expr bring(const z3::expr& term);
};
Run run(const Query& query, unsigned rlimit);

/// Which conjuncts are still in the invariant.
using Active = std::vector<bool>;

/// The terms of one thread.
struct Bench {
  z3::context context;
  SymbolicModel model;
  std::vector<Conjunct> conjuncts;
  std::vector<std::size_t> apart, covers;  // Indices into model.claims.

  Bench(const SymbolicSource& source, const InductiveOptions& options);

  /// Generated lemmas are shown apart from the rest: few steps touch them, and rounds of pruning stay cheap.
  enum class Show : u8 { generated, rest, all };
  Query initial(const Active& active, Show what) const;
  Query step(std::size_t rule, const Active& active, Show what) const;
  /// Of claims: its indices are in range and, where it is set apart, it is implied.
  Query safety(std::size_t claim, const Active& active) const;
  Query invariant(const Active& active) const;
  Query enabled(std::size_t rule, const Active& active) const;

 private:
  /// All conjuncts where the rule's actor stands at its step, and after it. What a lemma says of positions is
  /// then mostly decided; if both are the same term, the step keeps it.
  struct Moment {
    std::vector<z3::expr> before, after;
  };
  const Moment& moment(std::size_t rule) const;
  z3::expr bundle() const;
  void add_conjuncts(const InductiveOptions& options);
  bool shown(std::size_t conjunct, const Active& active, Show what) const;

  z3::expr bundle_;
  mutable std::map<std::size_t, Moment> moments_;  // Of one thread.
};

Cti work_out(const Bench& bench, const Query& query, const SymbolicRule* rule, unsigned rlimit);

/// body(thread's own bench, k) for each k < count, on several threads.
void spread(const SymbolicSource& source, const InductiveOptions& options, std::size_t count,
            std::vector<std::unique_ptr<Bench>>& benches,
            const std::function<void(const Bench&, std::size_t)>& body);

}  // namespace ptmc::inductive
