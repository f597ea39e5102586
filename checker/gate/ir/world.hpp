// The state of one evaluation: what was read from outside, what was written, what must hold.
#pragma once
#include "checker/gate/ir/memory.hpp"

namespace ptmc::gate::ir {

struct World {
  World(z3::context& context, const Policy& p);
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  z3::context& c;
  const Policy& policy;
  Memory memory;
  z3::expr defined, once;  // See Evaluation.
  bool loops = false;
  std::vector<Symbol> symbols;
  std::vector<std::string> skipped;
  unsigned locals = 0;  // Local objects and undefined values named so far.

  z3::expr truth(bool b) { return c.bool_val(b); }
  z3::expr number(u64 v, unsigned width) { return c.bv_val(static_cast<std::uint64_t>(v), width); }
  /// The symbol of that name, bound, known or new.
  z3::expr symbol(const std::string& name, unsigned width);
  /// A value about which nothing is known and that nobody can name.
  z3::expr unknown(unsigned width);
  /// The condition must hold wherever `guard` does.
  void require(z3::expr& obligation, const z3::expr& guard, const z3::expr& condition) {
    obligation = obligation && z3::implies(guard, condition);
  }
  /// An instruction or call without effect on words, listed once.
  void skip(const std::string& what);
};

}  // namespace ptmc::gate::ir
