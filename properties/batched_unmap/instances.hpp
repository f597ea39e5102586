// Which actors of seed 004's machine run together, with which bounds: what exploration covers.
#pragma once
#include <string>
#include <vector>

#include "checker/lower/setup.hpp"
#include "checker/trace.hpp"
#include "properties/machine/features.hpp"

namespace ptmc::batched_unmap {

using machine::feature_sets;
using machine::FeatureSet;
using machine::On;

struct Instance {
  const char* name;
  std::vector<ActorCount> actors;
  u64 pages = 1, frames = 2;
  bool lazy_cpu = false;   // x86: one more CPU, which may go lazy.
  bool allocator = false;  // Others own frames, too.
  bool swap_in = true;     // A page that was reclaimed may come back.
  On on = On::both;
  std::vector<std::string> covers;  // Must be reached; the other covers are not asked for.
  const char* bugs;                 // Which bad twins it can express.
  bool full_only = false;           // Only with --bounds full.

  u64 user_cpus = 2;
};

const std::vector<Instance>& instances();
/// Throws std::invalid_argument for a name that does not exist.
const Instance& instance(const std::string& name);

/// The setup of an instance on one architecture. `properties`: the `always` to check; empty: all but
/// `coherent`.
Setup setup_of(const Instance& instance, bool x86, const FeatureSet& features,
               const std::vector<std::string>& properties);

/// What an instance has of everything, and the instance with other values. Throws std::invalid_argument for a
/// name it does not have and for more CPUs, pages or frames than the machine's types hold.
Dimensions dimensions_of(const Instance& instance, bool x86, const FeatureSet& features);
void change(Instance& instance, FeatureSet& features, bool x86, const Dimensions& values);

/// "2 user CPUs x 1 page x 2 frames, generations up to 3, all interleavings"
std::string bound_of(const Instance& instance, bool x86);

}  // namespace ptmc::batched_unmap
