#include "properties/contpte/instances.hpp"

#include <array>
#include <stdexcept>

#include "model/hw/features.hpp"
#include "properties/machine/names.hpp"

namespace ptmc::contpte {
namespace {

constexpr std::array<const char*, 7> properties{"bbm", "stale", "excess", "reach", "lost", "uniform", "done"};
constexpr std::array<const char*, 7> covers{
    "folded", "unfolded", "block_in_window", "two_sizes", "revoked_but_cached", "mixed", "deferred"};

const std::vector<Instance> all{
    {.name = "mprotect", .call = "mprotect", .covers = "folded block_in_window revoked_but_cached mixed"},
    {.name = "mprotect-part",
     .call = "mprotect",
     .covers = "folded unfolded block_in_window revoked_but_cached mixed",
     .range = middle,
     .covers_bbm2 = "folded unfolded block_in_window revoked_but_cached mixed two_sizes"},
    {.name = "mprotect-per-pte",
     .call = "mprotect",
     .covers = "folded block_in_window revoked_but_cached mixed",
     .variant = per_pte,
     .covers_bbm2 = "folded block_in_window revoked_but_cached mixed two_sizes",
     .seen = false},
    {.name = "mprotect-per-pte-part",
     .call = "mprotect",
     .covers = "folded unfolded block_in_window revoked_but_cached mixed",
     .range = middle,
     .variant = per_pte,
     .covers_bbm2 = "folded unfolded block_in_window revoked_but_cached mixed two_sizes",
     .big = true,
     .seen = false},
    {.name = "mprotect-per-pte-tail",
     .call = "mprotect",
     .covers = "folded unfolded block_in_window revoked_but_cached mixed",
     .range = tail,
     .variant = per_pte,
     .covers_bbm2 = "folded unfolded block_in_window revoked_but_cached mixed two_sizes",
     .seen = false},
    {.name = "fork",
     .call = "fork",
     .covers = "folded revoked_but_cached mixed",
     .unused = "contpte_try_unfold_partial"},
    {.name = "fork-fault",
     .call = "fork",
     .other = "fault",
     .covers = "folded unfolded block_in_window revoked_but_cached mixed",
     .covers_bbm2 = "folded unfolded block_in_window revoked_but_cached mixed two_sizes",
     .unused = "contpte_try_unfold_partial"},
    {.name = "fork-part-fault",
     .call = "fork",
     .other = "fault",
     .covers = "folded unfolded block_in_window revoked_but_cached mixed",
     .range = middle,
     .covers_bbm2 = "folded unfolded block_in_window revoked_but_cached mixed two_sizes"},
    {.name = "zap",
     .call = "zap",
     .other = "map",
     .covers = "folded block_in_window mixed",
     .covers_bbm2 = "folded block_in_window mixed two_sizes",
     .unused = "contpte_try_unfold_partial invalidate_map",
     .seen = false},
    {.name = "zap-part",
     .call = "zap",
     .other = "map",
     .covers = "folded unfolded block_in_window mixed",
     .range = middle,
     .covers_bbm2 = "folded unfolded block_in_window mixed two_sizes",
     .unused = "invalidate_map"},
    {.name = "zap-tail",
     .call = "zap",
     .other = "map",
     .covers = "folded block_in_window mixed",
     .range = tail,
     .covers_bbm2 = "folded block_in_window mixed two_sizes",
     .unused = "invalidate_map",
     .seen = false},
    {.name = "copy",
     .call = "copy",
     .covers = "folded block_in_window",
     .contents = read_only,
     .covers_bbm2 = "folded block_in_window two_sizes",
     .unused = "walk_store_beside"},
    {.name = "aging", .call = "aging", .covers = "folded mixed", .big = true, .seen = false},
    {.name = "reclaim",
     .call = "reclaim",
     .other = "swapin",
     .covers = "folded block_in_window mixed deferred",
     .reclaims = unmaps_all,
     .covers_bbm2 = "folded block_in_window mixed deferred two_sizes",
     .unused = "swap_duplicate set_pte_at ptep_get contpte_try_fold contpte_try_unfold folio_unlock "
               "invalidate_swapin"},
    {.name = "reclaim-mprotect",
     .call = "mprotect",
     .other = "reclaim",
     .covers = "folded block_in_window revoked_but_cached mixed deferred",
     .reclaims = unmaps_all,
     .covers_bbm2 = "folded block_in_window revoked_but_cached mixed deferred two_sizes",
     .unused = "swap_duplicate folio_unlock",
     .seen = false},
    {.name = "reclaim-mprotect-part",
     .call = "mprotect",
     .other = "reclaim",
     .covers = "folded unfolded block_in_window revoked_but_cached mixed deferred",
     .range = middle,
     .reclaims = unmaps_all,
     .covers_bbm2 = "folded unfolded block_in_window revoked_but_cached mixed deferred two_sizes",
     .unused = "swap_duplicate folio_unlock",
     .big = true,
     .seen = false},
    {.name = "reclaim-mprotect-per-pte",
     .call = "mprotect",
     .other = "reclaim",
     .covers = "folded block_in_window revoked_but_cached mixed deferred",
     .variant = per_pte,
     .reclaims = unmaps_all,
     .covers_bbm2 = "folded block_in_window revoked_but_cached mixed deferred two_sizes",
     .unused = "swap_duplicate folio_unlock",
     .big = true,
     .seen = false},
    {.name = "reclaim-aborts",
     .call = "mprotect",
     .other = "reclaim",
     .covers = "folded block_in_window revoked_but_cached mixed deferred",
     .variant = per_pte,
     .reclaims = may_abort,
     .covers_bbm2 = "folded block_in_window revoked_but_cached mixed deferred two_sizes",
     .big = true,
     .seen = false},
    {.name = "madvise", .call = "madvise", .covers = "folded mixed", .big = true, .seen = false},
    {.name = "lockless",
     .call = "mprotect",
     .other = "lockless",
     .covers = "folded block_in_window revoked_but_cached mixed",
     .big = true,
     .seen = false},
    {.name = "lockless-part",
     .call = "fork",
     .other = "lockless",
     .covers = "folded unfolded block_in_window revoked_but_cached mixed",
     .range = middle,
     .covers_bbm2 = "folded unfolded block_in_window revoked_but_cached mixed two_sizes",
     .seen = false},
    {.name = "H4-fold",
     .call = "mprotect",
     .covers = "folded unfolded revoked_but_cached",
     .contents = unfolded,
     .covers_bbm2 = "folded unfolded revoked_but_cached two_sizes",
     .finding = true},
    {.name = "H4-split",
     .call = "mprotect",
     .covers = "folded unfolded revoked_but_cached mixed",
     .exclusive = first_half,
     .covers_bbm2 = "folded unfolded revoked_but_cached mixed two_sizes",
     .finding = true},
    {.name = "swap-refault",
     .call = "reclaim",
     .other = "swapin",
     .covers = "folded block_in_window mixed deferred",
     .reclaims = keeps_all,
     .covers_bbm2 = "folded block_in_window mixed deferred two_sizes",
     .unused = "swap_duplicate set_pte_at ptep_get contpte_try_fold contpte_try_unfold free_unref_folios "
               "invalidate_swapin",
     .seen = false,
     .finding = true},
    {.name = "zap-refault",
     .call = "zap",
     .other = "map",
     .covers = "folded block_in_window mixed",
     .unmaps = dontneed,
     .covers_bbm2 = "folded block_in_window mixed two_sizes",
     .unused = "invalidate_map",
     .seen = false,
     .finding = true},
};

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

const std::vector<Instance>& instances() { return all; }

const Instance& instance(const std::string& name) {
  for (const Instance& i : instances())
    if (name == i.name) return i;
  throw std::invalid_argument("no instance '" + name + "' of the machine of contpte");
}

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
             "a TLB entry of one CPU for any page of a block of 4, stores and walks of any other CPUs, all "
             "interleavings") +
         (i.seen ? "" : "; of stores in a row a walker has seen none or all");
}

}  // namespace ptmc::contpte
