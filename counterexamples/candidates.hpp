// What could be done about a counterexample with one step: mutations that change what its actors do on the
// way to it.
#pragma once
#include <functional>

#include "checker/trace.hpp"
#include "model/core/mutation.hpp"

namespace ptmc {

/// Mutations on top of those that a machine has.
using More = std::vector<Mutation>;
/// The program with these mutations. Throws NotApplicable or std::invalid_argument if there is none.
using ProgramOf = std::function<Program(const More&)>;

struct Candidate {
  Mutation mutation;     // insert:, move:
  std::string actor;     // "reclaim": all its copies.
  std::string step;      // The path of the step that is inserted or moved.
  std::string after;     // The path of the step it comes after...
  bool skipped = false;  // ...which may be skipped, but it is not: it stands behind the end of an if_.
  std::size_t actor_at = 0, position = 0;  // Where in the program, as it is without the candidate.
};

/// Each step and spare of an actor inserted after each of its steps, and each step moved after each other of
/// its block, where that changes what an actor does between two of its steps in the trace. Of those that
/// leave the same code the first only. In order of the program's text. The trace must be one of
/// program_of({}).
std::vector<Candidate> candidates(const Trace& trace, const ProgramOf& program_of);

/// Equal for programs that do the same, instruction by instruction.
std::vector<u64> code_of(const Program& program);

}  // namespace ptmc
