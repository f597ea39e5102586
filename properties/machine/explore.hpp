// Exploring an instance of any machine: from a setup to checked results.
#pragma once
#include <functional>

#include "checker/lower/lowered.hpp"
#include "checker/lower/stepper_plain.hpp"
#include "properties/catalog.hpp"

namespace ptmc::machine {

/// A machine for the explorer and for the naive interpreter.
struct Lowered {
  const PackedTables& packed;
  const PlainTables& plain;
};

/// One exploration.
struct Run {
  Lowered machine;
  Setup setup;
  std::string bound;  // For people.
  bool mutated;       // By the question: then steps may stay unused and states may be dead ends.
  /// Actions, of those that never fired, that should have. Null: all.
  std::function<bool(const LoweredSystem&, const Exploration&, const Action&)> owed = nullptr;
};

/// Setup::mutations and those of the command line; a trace of a twin names the twin's own, too: once is
/// enough.
void add_mutations(Setup& setup, const std::vector<std::string>& own, const RunOptions& options);
/// Lets others run what the claim runs: explain, minimise, replay. `machine` and `setup` are called when they
/// do.
void attach(Claim& claim, std::function<Lowered()> machine, std::function<Setup(const RunOptions&)> setup);
/// What `--mutate` may name.
std::vector<std::string> paths_of(const PackedTables& tables, const Setup& setup);

/// The claim's names, for a result of it.
Result result_of(const Claim& claim);
/// The one result of a claim whose machine, or step, does not exist there.
Result not_applicable(const Claim& claim, const std::string& why);

/// One result per property, each with the claim's names. Exhausted is `bounded` only if every cover is
/// reached, every action owed fires and no state is a deadlock; a violation comes with a shortest trace in
/// raw steps, replayed by the naive stepper. Throws InternalError if that disagrees.
std::vector<Result> explore(const Run& run, const Claim& claim, const RunOptions& options);

/// A twin has one property to break, by a trace; where its step does not exist the verdict is n/a, never
/// proved. `explored`: the results of its exploration.
Result twin_result(const Claim& claim, const std::function<std::vector<Result>()>& explored);

}  // namespace ptmc::machine
