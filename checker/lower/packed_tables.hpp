// A model over the packed domain with its types erased: function tables and the layout. Made by
// lower_packed.hpp.
#pragma once
#include <span>

#include "checker/lower/program_of.hpp"
#include "checker/lower/where.hpp"

namespace ptmc {

/// A field in the packed state.
struct Leaf {
  std::string name;
  unsigned offset, bits;  // In the state's words.
  bool word;              // Interned: `bits` is the width of the index.
  unsigned width;         // Of the value.
  std::vector<PathIndex> indices;
};

/// A step: `fire` tests the guard on `in`, copies `words` words and applies the effect. A condition of if_:
/// `test`.
struct PackedStep {
  bool (*fire)(const u64* in, u64* out, unsigned words, const Ctx& x, Instr::Guard guard) = nullptr;
  bool (*test)(const u64* state, const Ctx& x) = nullptr;
};

/// What the one fused function over all rules needs for one of them.
struct RulePlan {
  u64 first = 0, second = 0;  // Index bounds; 0: off.
  u32 action = 0;             // Of instance (0, 0).
  bool guarded = true;
};

struct PackedTables {
  unsigned state_bits = 0;
  std::vector<Leaf> leaves;
  std::vector<std::vector<std::vector<unsigned>>> registers;  // [actor][self]: offsets of its leaves.
  std::vector<PackedStep> steps;                              // By Node::fn.
  std::vector<std::pair<u64, u64>> rule_extents;              // By rule: the most its indices may count.
  u32 (*environment)(const u64* in, unsigned words, const Batch& out, const RulePlan* plan,
                     const Ctx& x) = nullptr;
  /// The same, faster, for instances whose states are one word, whose rules have their guards and are off or
  /// at full bounds; null where effects may not run ahead of their guards.
  decltype(environment) environment_of_one_word = nullptr;
  u64 (*check)(const u64* state, const Where& where, u64 wanted) = nullptr;
  /// Packs seed `k` of the model; false if there is none.
  bool (*seed)(u64* state, u64 k, const Config& config) = nullptr;
  ModelText text;
};

}  // namespace ptmc
