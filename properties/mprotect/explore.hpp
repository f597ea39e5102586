// Exploring an instance of the machine of mprotect.
#pragma once
#include "properties/machine/explore.hpp"
#include "properties/machine/names.hpp"
#include "properties/mprotect/instances.hpp"
#include "properties/mprotect/machine.hpp"

namespace ptmc::mprotect {

/// What is explored. Plain data, so that a claim can be run again.
struct Question {
  Instance instance;
  bool x86 = true;
  FeatureSet features{"", 0};
  std::string properties, covers;  // Names with blanks between them.
  std::vector<std::string> mutations;
};
using machine::without;

/// What an instance claims of one way of batching.
Question question_of(const Instance& instance, bool x86, const FeatureSet& features,
                     const Batching& batching);

Setup setup_of(const Question& question, const RunOptions& options);
machine::Lowered lowered(bool x86);
std::vector<Result> explore_question(const Question& question, const Claim& claim, const RunOptions& options);

}  // namespace ptmc::mprotect
