// Exploring an instance of the machine of contpte.
#pragma once
#include "properties/contpte/instances.hpp"
#include "properties/contpte/machine.hpp"
#include "properties/machine/explore.hpp"

namespace ptmc::contpte {

/// What is explored. Plain data, so that a claim can be run again.
struct Question {
  Instance instance;
  FeatureSet features{"", 0};
  std::string properties;  // Names with blanks between them.
  std::vector<std::string> mutations;
};
Setup setup_of(const Question& question, const RunOptions& options);
machine::Lowered lowered();
std::vector<Result> explore_question(const Question& question, const Claim& claim, const RunOptions& options);

}  // namespace ptmc::contpte
