// What instances of any machine have in common: architectures, and the features of their CPUs.
#pragma once
#include <vector>

#include "checker/trace.hpp"
#include "model/core/types.hpp"

namespace ptmc::machine {

enum class On : u8 { both, x86_64, arm64 };
bool exists(On on, bool x86);
/// "x86_64" or "arm64", as in Claim::arch.
const char* arch_name(bool x86);

struct FeatureSet {
  const char* name;  // "HA HD"
  u64 bits;          // Of Config::features.
};
/// arm64: with and without hardware management of A and D; x86-64: nothing here depends on a feature. The
/// first is what the default run has.
std::vector<FeatureSet> feature_sets(bool x86);

/// The features as dimensions, 1 or 0 each; none on x86-64.
void add_features(Dimensions& all, bool x86, const FeatureSet& features);
/// Is it a feature? Then it is set. Throws std::invalid_argument for a value that is not 1 or 0.
bool set_feature(u64& bits, bool x86, const Dimension& d);
/// The set with these bits. Throws std::invalid_argument if no hardware has them.
FeatureSet feature_set(bool x86, u64 bits);

}  // namespace ptmc::machine
