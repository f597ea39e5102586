// Symbolic steps taken from a concrete state: the state's values put into terms, which then simplify to
// values.
#pragma once
#include <optional>

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
  struct Truth {
    bool holds;
    bool safe;  // No index is out of range; otherwise `holds` means nothing.
  };
  /// By variable, in the order of names().
  using Values = std::vector<u64>;

  std::vector<std::string> names() const;
  bool initial(const Values& state);
  /// The steps that are enabled, or whose guard is not safe.
  std::vector<Step> steps(const Values& state);
  /// In the order of predicates().
  std::vector<Truth> truths(const Values& state);
  const std::vector<Predicate>& predicates() const { return predicates_; }
  const std::vector<Variable>& variables() const { return model_.variables; }

 private:
  /// Terms side by side, up to 64 bits in one: a substitution costs more than what it replaces.
  class Bundle {
   public:
    explicit Bundle(const std::vector<z3::expr>& terms);
    std::vector<u64> values(const z3::model& state) const;

   private:
    struct Part {
      z3::expr term;
      std::vector<unsigned> widths;  // From the high end.
    };
    std::vector<Part> parts_;
  };

  void enter(const Values& state);
  std::vector<u64> values(const Bundle& bundle) const { return bundle.values(*state_); }

  z3::context context_;
  SymbolicModel model_;
  std::optional<z3::model> state_;
  std::vector<Predicate> predicates_;
  std::vector<Bundle> after_;  // By rule: is it safe, then what it writes.
  std::optional<Bundle> initial_, offered_, claims_, claims_safe_;
};

}  // namespace ptmc
