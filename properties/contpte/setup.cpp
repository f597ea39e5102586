#include <array>
#include <stdexcept>

#include "model/hw/features.hpp"
#include "properties/contpte/instances.hpp"
#include "properties/machine/names.hpp"

namespace ptmc::contpte {
namespace {

constexpr std::array<const char*, 7> properties{"bbm", "stale", "excess", "reach", "lost", "uniform", "done"};
constexpr std::array<const char*, 7> covers{
    "folded", "unfolded", "block_in_window", "two_sizes", "revoked_but_cached", "mixed", "deferred"};

using machine::lists;

constexpr u64 on(arm::Feature f) { return bit(static_cast<unsigned>(f)); }
constexpr u64 ha = on(arm::Feature::ha), hd = on(arm::Feature::hd), range_tlbi = on(arm::Feature::range_tlbi),
              bbm2 = on(arm::Feature::bbm2);

struct FeatureName {
  const char* name;
  u64 bit;
};
constexpr FeatureName feature_names[] = {{"HA", ha}, {"HD", hd}, {"TLBIRANGE", range_tlbi}, {"BBM2", bbm2}};

}  // namespace

const std::vector<FeatureSet>& feature_sets() {
  static const std::vector<FeatureSet> sets{{"HA HD TLBIRANGE", ha | hd | range_tlbi},
                                            {"HA HD TLBIRANGE BBM2", ha | hd | range_tlbi | bbm2},
                                            {"HA HD", ha | hd},
                                            {"HA HD BBM2", ha | hd | bbm2},
                                            {"HA TLBIRANGE", ha | range_tlbi},
                                            {"HA TLBIRANGE BBM2", ha | range_tlbi | bbm2},
                                            {"no HA", 0},
                                            {"BBM2", bbm2}};
  return sets;
}
bool has_bbm2(const FeatureSet& features) { return (features.bits & bbm2) != 0; }

std::string covers_of(const Instance& i, const FeatureSet& features) {
  return has_bbm2(features) && i.covers_bbm2 != nullptr ? i.covers_bbm2 : i.covers;
}

Setup setup_of(const Instance& i, const FeatureSet& features, const std::string& wanted) {
  Setup s;
  s.actors = {{i.call}};
  if (i.other != nullptr) s.actors.push_back({i.other});
  s.config.features = features.bits;
  auto knob = [&](KnobId k, u64 value) { s.config.knob[static_cast<unsigned>(k)] = static_cast<u8>(value); };
  knob(KnobId::contents, i.contents);
  knob(KnobId::range, i.range);
  knob(KnobId::change_pte_range, i.variant);
  knob(KnobId::anon_exclusive, i.exclusive);
  knob(KnobId::unmaps, i.unmaps);
  knob(KnobId::reclaims, i.reclaims);
  knob(KnobId::walker, i.walker);
  auto bound = [&](By by, u64 n) { s.config.bound[static_cast<unsigned>(by)] = n; };
  bound(By::cpu, 1);
  bound(By::page, 4);
  bound(By::table, 4);
  bound(By::slot, i.exclusive == everywhere ? 1 : 2);
  bound(By::actor, 1);
  for (const char* actor :
       {"mprotect", "fork", "zap", "copy", "fault", "aging", "map", "reclaim", "swapin", "madvise"})
    if (std::string(i.call) != actor && (i.other == nullptr || std::string(i.other) != actor))
      s.rules_off.emplace_back(std::string("invalidate_") + actor);
  if ((std::string(i.call) != "aging" && std::string(i.call) != "madvise") || (features.bits & ha) == 0)
    s.rules_off.emplace_back("walk");
  if (!i.seen) s.rules_off.emplace_back("seen");
  if ((features.bits & hd) == 0) s.rules_off.emplace_back("walk_store_beside");
  const std::string asked = covers_of(i, features);
  for (const char* p : properties)
    if (!lists(wanted, p)) s.predicates_off.emplace_back(p);
  for (const char* c : covers)
    if (!lists(asked, c)) s.predicates_off.emplace_back(c);
  return s;
}

Dimensions dimensions_of(const Instance& i, const FeatureSet& features) {
  Dimensions dimensions{{i.call, 1, 1}};
  if (i.other != nullptr) dimensions.push_back({i.other, 1, 0});
  for (const FeatureName& f : feature_names) dimensions.push_back({f.name, (features.bits & f.bit) != 0, 0});
  return dimensions;
}

void change(Instance& i, FeatureSet& features, const Dimensions& values) {
  u64 bits = features.bits;
  for (const Dimension& d : values) {
    if (d.value > 1) throw std::invalid_argument("this machine has '" + d.name + "' or not: 1 or 0");
    bool known = d.name == i.call && d.value == 1;
    if (i.other != nullptr && d.name == i.other) {
      known = true;
      if (d.value == 0) i.other = nullptr;
    }
    for (const FeatureName& f : feature_names)
      if (d.name == f.name) {
        known = true;
        bits = d.value != 0 ? bits | f.bit : bits & ~f.bit;
      }
    if (!known)
      throw std::invalid_argument("this machine has no " + std::to_string(d.value) + " '" + d.name + "'");
  }
  if (bits == features.bits) return;
  for (const FeatureSet& f : feature_sets())
    if (f.bits == bits) {
      features = f;
      return;
    }
  throw std::invalid_argument("no hardware of the catalogue has these features");
}

std::string bound_of(const Instance& i) {
  return std::string(
             i.walker == smmu_walker
                 ? "a TLB entry of an SMMU for any page of a block of 4, stores and walks of any CPUs, all "
                   "interleavings"
                 : "a TLB entry of one CPU for any page of a block of 4, stores and walks of any other CPUs, "
                   "all interleavings") +
         (i.seen ? "" : "; of stores in a row a walker has seen none or all");
}

}  // namespace ptmc::contpte
