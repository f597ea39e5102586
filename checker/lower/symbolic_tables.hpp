// A model over the symbolic domain with its types erased: function tables. Made by lower_symbolic.hpp.
#pragma once
#include <memory>

#include "checker/lower/live.hpp"
#include "checker/symbolic/source.hpp"

namespace z3 {
class expr;
}

namespace ptmc {

class SymbolicWhere;  // checker/lower/symbolic_where.hpp

/// A field of the state; the order of leaves is the order of declaration in every domain.
struct SymbolicLeaf {
  std::string name;
  unsigned width;
  bool flag;  // A truth value, not a bit-vector.
  std::vector<PathIndex> indices;
};

/// A state is a `void*` to the model's State<Symbolic>. Null members: always on; no effect.
struct SymbolicStep {
  z3::expr (*guard)(const void* state, const Ctx& x, z3::context&) = nullptr;
  void (*effect)(void* state, const Ctx& x) = nullptr;
  z3::expr (*test)(const void* state, const Ctx& x, z3::context&) = nullptr;
};
struct SymbolicRuleset {
  z3::expr (*guard)(const void* state, u64 a, u64 b, const Ctx& x, z3::context&) = nullptr;
  void (*effect)(void* state, u64 a, u64 b, const Ctx& x) = nullptr;
};

struct SymbolicTables {
  std::vector<SymbolicLeaf> leaves;
  RegisterLeaves registers;
  std::vector<SymbolicStep> steps;  // By Node::fn.
  std::vector<SymbolicRuleset> rules;
  std::vector<z3::expr (*)(const void* state, const SymbolicWhere& where, z3::context&)> claims;
  z3::expr (*initial)(const void* state, const Config& config, z3::context&) = nullptr;
  std::shared_ptr<void> (*make)(const std::vector<z3::expr>& leaves) = nullptr;
  std::shared_ptr<void> (*copy)(const void* state) = nullptr;
  std::vector<z3::expr> (*words)(const void* state) = nullptr;
  ModelText text;
};

/// An instance of the model, for the proof engine. `tables` must outlive it. Throws std::invalid_argument for
/// unknown names (also of steps in lemmas), NotApplicable for a mutation that has no meaning.
std::unique_ptr<SymbolicSource> symbolic_source(const SymbolicTables& tables, const Setup& setup);

}  // namespace ptmc
