#include "properties/machine/features.hpp"

#include <stdexcept>

#include "model/hw/features.hpp"

namespace ptmc::machine {
namespace {

struct FeatureName {
  const char* name;
  arm::Feature feature;
};
constexpr FeatureName feature_names[] = {{"HA", arm::Feature::ha}, {"HD", arm::Feature::hd}};

u64 mask(const FeatureName& f) { return bit(static_cast<unsigned>(f.feature)); }

}  // namespace

bool exists(On on, bool x86) { return on == On::both || (on == On::x86_64) == x86; }
const char* arch_name(bool x86) { return x86 ? "x86_64" : "arm64"; }

std::vector<FeatureSet> feature_sets(bool x86) {
  if (x86) return {{"", 0}};
  const u64 ha = mask(feature_names[0]), hd = mask(feature_names[1]);
  return {{"HA HD", ha | hd}, {"HA", ha}, {"no HA", 0}};
}

void add_features(Dimensions& all, bool x86, const FeatureSet& features) {
  if (x86) return;
  for (const FeatureName& f : feature_names) all.push_back({f.name, (features.bits & mask(f)) != 0, 0});
}

bool set_feature(u64& bits, bool x86, const Dimension& d) {
  if (x86) return false;
  for (const FeatureName& f : feature_names) {
    if (d.name != f.name) continue;
    if (d.value > 1) throw std::invalid_argument("a machine has the feature " + d.name + " or not: 1 or 0");
    bits = d.value != 0 ? bits | mask(f) : bits & ~mask(f);
    return true;
  }
  return false;
}

FeatureSet feature_set(bool x86, u64 bits) {
  for (const FeatureSet& f : feature_sets(x86))
    if (f.bits == bits) return f;
  throw std::invalid_argument("no hardware has HD without HA");
}

}  // namespace ptmc::machine
