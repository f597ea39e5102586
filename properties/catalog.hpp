// Every claim that ptmc makes, in the order in which it is printed. properties/catalog.cpp knows them all.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "checker/explicit.hpp"
#include "checker/lone_run.hpp"
#include "checker/stepper.hpp"
#include "checker/symbolic/source.hpp"
#include "checker/verdict.hpp"
#include "checker/voice.hpp"
#include "model/core/mutation.hpp"

namespace ptmc {

struct Program;  // model/core/program.hpp

/// What the command line says about a run. A limit that is reached makes the verdict unknown, never better.
struct RunOptions {
  enum class Bounds : u8 { standard, full } bounds = Bounds::standard;
  ExploreOptions explore;           // Threads, limits, cancellation: for other engines as well.
  std::vector<Mutation> mutations;  // On top of the claim's own.
  Observer* observer = nullptr;     // May be null.
  Dimensions machine;               // Instead of the instance's, where named.
  std::string proofs;               // A folder for what was proved by induction, as SMT-LIB 2; may be empty.
};

struct Claim {
  std::string name;      // "seed004/reach"; entries of several architectures or feature sets share it.
  std::string sentence;  // "a frame that was freed is never reached"
  std::string arch;      // "x86_64", "arm64" or "any".
  std::string features;
  std::string instance;
  std::string property;
  Verdict expected = Verdict::proved;
  /// Throws std::invalid_argument if a mutation names nothing in this instance.
  std::function<std::vector<Result>(const RunOptions&)> run;
  /// The machine that is explored, for `explore`; empty for claims about words alone.
  std::function<std::shared_ptr<const System>(const RunOptions&)> system;
  /// The same machine for `replay`, by a second interpreter.
  std::function<std::shared_ptr<const Stepper>(const RunOptions&)> stepper;
  /// The same machine as terms; empty, or returns nothing, where it has none of that size.
  std::function<std::shared_ptr<const SymbolicSource>(const RunOptions&)> terms;
  /// Its actors as the mutations leave them, for `explain`; may be empty.
  std::function<Program(const RunOptions&)> program;
  /// What `--mutate` may name here; may be empty.
  std::function<std::vector<std::string>()> paths;
  const Voice* voice = nullptr;        // How the machine's steps are told; null: by their names and fields.
  const Tariff* tariff = nullptr;      // What its steps cost; null: nothing.
  std::vector<std::string> mutations;  // Its own, before those of RunOptions.
  std::string commit;                  // Of a bug: the kernel commit that fixed it.
  Dimensions dimensions;               // What the machine may have less of, as it is in the instance.
  bool full_only = false;              // Not in the default run: asked for by name or by --bounds full.
};

std::vector<Claim> catalog();

}  // namespace ptmc
