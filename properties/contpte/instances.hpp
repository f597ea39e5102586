// Which callers of contpte's API run together, over what block, on which CPUs: what exploration covers.
#pragma once
#include <string>
#include <vector>

#include "checker/lower/setup.hpp"
#include "model/opt/contpte/knobs.hpp"
#include "properties/machine/features.hpp"

namespace ptmc::contpte {

using machine::FeatureSet;

/// arm64 CPUs by what contpte depends on. The first two are in the default run: BBM level 0 and 2.
/// Of an Instance with `table` all are.
const std::vector<FeatureSet>& feature_sets();
bool has_bbm2(const FeatureSet& features);

struct Instance {
  const char* name;
  const char* call;             // Actor.
  const char* other = nullptr;  // A second one, or none.
  const char* covers;           // Must be reached; the other covers are not asked for.
  Contents contents = folded;
  Range range = whole;
  Variant variant = batched;
  Exclusive exclusive = everywhere;
  Unmaps unmaps = munmap;
  Reclaims reclaims = nobody;
  WalkerKind walker = cpu_walker;
  /// Instead of `covers`, on BBM level 2: also two sizes at a time. Null: the same.
  const char* covers_bbm2 = nullptr;
  const char* unused = "";  // What does not run here: the ends of names or paths of blocks.
  bool big = false;         // Not in the default run.
  bool big_bbm2 = false;    // On BBM level 2 not in the default run.
  bool table = false;       // On all kinds of hardware in the default run: the verdicts by feature.
  bool seen = true;         // Stores reach the walkers one by one; else, of a row, none or all have.
  bool finding = false;     // On BBM level 0 it breaks `bbm`, as it is: then only that is asked for.
};
const std::vector<Instance>& instances();
/// Throws std::invalid_argument for a name that does not exist.
const Instance& instance(const std::string& name);

inline constexpr const char* all_properties = "bbm stale excess reach lost uniform done";

/// `properties`: names with blanks between them.
Setup setup_of(const Instance& instance, const FeatureSet& features, const std::string& properties);
std::string covers_of(const Instance& instance, const FeatureSet& features);

Dimensions dimensions_of(const Instance& instance, const FeatureSet& features);
/// Throws std::invalid_argument for a name that the instance does not have.
void change(Instance& instance, FeatureSet& features, const Dimensions& values);

/// "a TLB entry of one CPU for any page of a block of 4, ..."
std::string bound_of(const Instance& instance);

}  // namespace ptmc::contpte
