// Where actors are, as terms: the symbolic twin of Where.
#pragma once
#include "checker/symbolic/word.hpp"
#include "model/core/program.hpp"

namespace ptmc {

class SymbolicWhere {
 public:
  /// One program counter term for each actor of the program.
  SymbolicWhere(const Program& program, const std::vector<z3::expr>& counters, z3::context& context)
      : program_(program), counters_(counters), context_(context) {}

  /// Step `a` of the actor is done and step `b` is not. False if the instance has no such actor; throws
  /// std::invalid_argument if the actor has no such step.
  sym::Bool in(const char* actor, const char* a, const char* b, u64 i = 0, u64 self = 0) const;
  const Config& config() const { return program_.environment; }

 private:
  const Program& program_;
  const std::vector<z3::expr>& counters_;
  z3::context& context_;
};

}  // namespace ptmc
