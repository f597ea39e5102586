// Which mapping and which actors of the machine of mprotect run together: what exploration covers.
#pragma once
#include <string>
#include <vector>

#include "checker/lower/setup.hpp"
#include "model/opt/mprotect/knobs.hpp"
#include "properties/machine/features.hpp"

namespace ptmc::mprotect {

using machine::feature_sets;
using machine::FeatureSet;
using machine::On;

struct Instance {
  const char* name;
  Kind kind;
  const char* properties;         // "stale excess": those that hold entry by entry.
  const char* covers;             // Must be reached; the other covers are not asked for.
  const char* batched = nullptr;  // The properties that hold for batches; null: the same.
  bool fork = false;              // Beside mprotect, by a second thread.
  bool writeback = false;         // And write faults of shared mappings.
  bool reclaim = false;
  bool swap_in = false;  // Read faults of what reclaim has unmapped.
  References gup = no_gup;
  bool ksm = false;
  bool stores = true;    // By user CPUs; else pages stay as they were.
  bool hd_only = false;  // Without HD there is nothing else to see, or entries are never clean.
  bool full_only = false;
  On on = On::both;
  u64 user_cpus = 2, pages = 3;
};
const std::vector<Instance>& instances();
/// Throws std::invalid_argument for a name that does not exist.
const Instance& instance(const std::string& name);

/// How change_pte_range goes about it: values of the knob of that name.
struct Batching {
  const char* name;   // "landed", "per-pte"
  const char* knob;   // Mutation that chooses it; empty: 6.17's.
  const char* unmet;  // Covers of batches that it does not reach.
};
/// Those that are claimed to be right.
const std::vector<Batching>& batchings();

/// `properties`, `covers`: names with blanks between them.
Setup setup_of(const Instance& instance, bool x86, const FeatureSet& features, const std::string& properties,
               const std::string& covers);

/// What an instance has of everything, and the instance with other values. Throws std::invalid_argument for a
/// name it does not have and for more CPUs or pages than the machine's types hold.
Dimensions dimensions_of(const Instance& instance, bool x86, const FeatureSet& features);
void change(Instance& instance, FeatureSet& features, bool x86, const Dimensions& values);

/// "2 user CPUs x 3 pages of a folio of 4, all interleavings"
std::string bound_of(const Instance& instance);

}  // namespace ptmc::mprotect
