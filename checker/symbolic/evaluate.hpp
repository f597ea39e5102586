// Symbolic steps taken from a concrete state: the state's values put into terms, which then simplify to
// values.
#pragma once
#include "checker/symbolic/model.hpp"

namespace ptmc {

class SymbolicEvaluator {
 public:
  explicit SymbolicEvaluator(const SymbolicSource& source);

  struct Step {
    Action action;
    std::vector<u64> after;  // By variable.
    bool safe;               // No obligation fails; otherwise `after` means nothing.
  };
  /// By variable, in the order of names().
  using Values = std::vector<u64>;

  std::vector<std::string> names() const;
  bool initial(const Values& state);
  /// The steps that are enabled, or whose guard is not safe.
  std::vector<Step> steps(const Values& state);
  bool has(const std::string& predicate) const;
  bool holds(const Values& state, const std::string& predicate);
  const std::vector<Variable>& variables() const { return model_.variables; }

 private:
  void enter(const Values& state);
  z3::expr value(const z3::expr& term) const;
  bool is_true(const z3::expr& term) const;
  bool safe(const std::vector<sym::Obligation>& obligations) const;

  z3::context context_;
  SymbolicModel model_;
  z3::expr_vector from_, to_;
};

}  // namespace ptmc
