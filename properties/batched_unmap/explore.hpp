// Exploring an instance of seed 004's machine: from a setup to checked results.
#pragma once
#include "checker/lower/lowered.hpp"
#include "properties/batched_unmap/instances.hpp"
#include "properties/batched_unmap/machine.hpp"
#include "properties/catalog.hpp"

namespace ptmc::batched_unmap {

/// What is explored. Plain data, so that a claim can be run again.
struct Question {
  Instance instance;
  bool x86 = true;
  FeatureSet features{"", 0};
  std::vector<std::string> properties;  // Empty: all but `coherent`.
  std::vector<std::string> mutations;
};

Setup setup_of(const Question& question, const RunOptions& options);
std::shared_ptr<const System> system_of(const Question& question, const RunOptions& options);
std::shared_ptr<const Stepper> stepper_of(const Question& question, const RunOptions& options);
/// Nothing for a machine that is larger than the proof's.
std::shared_ptr<const SymbolicSource> terms_of(const Question& question, const RunOptions& options);
Program program_of(const Question& question, const RunOptions& options);
std::vector<std::string> paths_of(const Question& question);

/// One result per property, each with the claim's names. Exhausted is `bounded` only if every cover is
/// reached, every action fires and no state is a deadlock; a violation comes with a shortest trace in raw
/// steps, replayed by the naive stepper. Throws InternalError if that disagrees.
std::vector<Result> explore_question(const Question& question, const Claim& claim, const RunOptions& options);

}  // namespace ptmc::batched_unmap
