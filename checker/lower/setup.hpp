// What turns a model into an instance: bounds, actors, features, knobs and mutations. Plain data.
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

#include "model/core/context.hpp"
#include "model/core/mutation.hpp"

namespace ptmc {

struct ActorCount {
  std::string name;
  u64 copies = 1;
};

struct Setup {
  std::vector<ActorCount> actors;
  Config config;
  std::vector<std::string> rules_off;       // Rules of the environment that this instance does without.
  std::vector<std::string> mutations;       // OP:PATH[=ARG][@CALLER]
  bool fuse = true;                         // Run compute steps together with the step before them.
  std::vector<std::string> predicates_off;  // Properties and covers that this instance does without.
  bool lemmas = false;                      // Check the lemmas, too.
};

/// Why a mutated instance does not exist (verdict n/a). Bad names are std::invalid_argument.
struct NotApplicable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace ptmc
