// Mutations by name, applied to actors as data: OP:PATH[=ARG][@CALLER].
#pragma once
#include <span>
#include <string>
#include <vector>

#include "model/core/program.hpp"

namespace ptmc {

struct Mutation {
  enum class Op : u8 { drop, guard_true, guard_false, move, insert, split, operand, stale, knob } op;
  std::string path;    // "reclaim/ptep_get_and_clear", "hw/fill", or a knob's name.
  std::string arg;     // move: step to go after; insert: step or spare to repeat here; operand, knob: value.
  std::string caller;  // Only copies of this actor ("reclaim", "change_prot[1]"); empty: all.
  std::string text;    // As given.
};

/// Throws std::invalid_argument with the operators that exist.
Mutation parse_mutation(const std::string& text);

/// What a mutation may name besides actors: rules of the environment and knobs.
struct MutationScope {
  std::vector<std::string> rules;
  std::span<const Knob> knobs;
  /// Why an operand has no meaning on this architecture, null if it has one. Null: all have one.
  const char* (*operand_absent)(Operand) = nullptr;
};
/// What applying asks of the lowering beyond the edited program.
struct RuleEdit {
  std::string rule;  // Without "hw/".
  Instr::Guard guard = Instr::Guard::as_written;
  bool dropped = false;
};
struct Applied {
  std::vector<RuleEdit> rules;
  bool exists = true;  // False: the operator has no meaning at that step (verdict n/a, never proved).
  std::string why;     // Then: why not.
};

/// Edits the program. Throws std::invalid_argument, naming the nearest paths, if nothing has that name.
Applied apply(Program& program, const Mutation& mutation, const MutationScope& scope);

/// Every path a mutation may name: steps of actors, then "hw/" rules.
std::vector<std::string> mutation_paths(const Program& program, const MutationScope& scope);

/// Edit distance, for suggestions.
unsigned distance(const std::string& a, const std::string& b);

}  // namespace ptmc
