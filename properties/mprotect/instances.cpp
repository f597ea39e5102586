#include "properties/mprotect/instances.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "properties/machine/names.hpp"

namespace ptmc::mprotect {
namespace {

constexpr std::array<const char*, 6> properties{"stale", "excess", "lost", "done", "precise", "pinned"};
constexpr std::array<const char*, 19> covers{
    "written_out",     "revoked_but_cached", "one_batch",      "sub_batches",
    "store_in_window", "upgraded",           "child_reads",    "unmapped_but_cached",
    "ends_at_swap",    "paged_out",          "faulted_back",   "merged_and_cached",
    "compared",        "finds_reference",    "entry_changed",  "must_unshare",
    "fork_finds_pin",  "pinned_too_late",    "ends_with_folio"};

constexpr const char* all_four = "stale excess lost done";

const std::vector<Instance> all_instances{
    {.name = "anon",
     .kind = anon,
     .properties = all_four,
     .covers = "revoked_but_cached one_batch sub_batches store_in_window upgraded"},
    {.name = "anon-fork",
     .kind = exclusive,
     .properties = all_four,
     .covers = "revoked_but_cached one_batch sub_batches store_in_window upgraded child_reads",
     .fork = true},
    {.name = "anon-reclaim",
     .kind = exclusive,
     .properties = "stale excess done",
     .covers = "revoked_but_cached one_batch upgraded unmapped_but_cached paged_out",
     .reclaim = true,
     .stores = false,
     .hd_only = true},
    {.name = "anon-reclaim-stores",
     .kind = exclusive,
     .properties = all_four,
     .covers = "revoked_but_cached one_batch store_in_window upgraded unmapped_but_cached paged_out",
     .reclaim = true,
     .hd_only = true,
     .full_only = true},
    {.name = "anon-reclaim-swap-in",
     .kind = exclusive,
     .properties = all_four,
     .covers = "revoked_but_cached one_batch store_in_window upgraded unmapped_but_cached ends_at_swap "
               "paged_out faulted_back",
     .reclaim = true,
     .swap_in = true,
     .full_only = true},
    {.name = "anon-fork-reclaim",
     .kind = exclusive,
     .properties = all_four,
     .covers = "revoked_but_cached one_batch sub_batches store_in_window upgraded child_reads "
               "unmapped_but_cached paged_out",
     .fork = true,
     .reclaim = true,
     .hd_only = true,
     .full_only = true},
    {.name = "small-ksm-gup",
     .kind = small,
     .properties = "stale excess lost done pinned",
     .covers = "revoked_but_cached store_in_window upgraded merged_and_cached compared finds_reference "
               "entry_changed must_unshare",
     .gup = pins_and_gets,
     .ksm = true,
     .pages = 1},
    {.name = "small-fork-gup",
     .kind = small,
     .properties = "stale excess lost done pinned",
     .covers =
         "revoked_but_cached store_in_window upgraded child_reads entry_changed must_unshare fork_finds_pin "
         "pinned_too_late",
     .fork = true,
     .gup = pins,
     .pages = 1},
    {.name = "anon-fork-gup",
     .kind = exclusive,
     .properties = "stale excess done pinned",
     .covers = "revoked_but_cached one_batch sub_batches upgraded child_reads entry_changed must_unshare "
               "fork_finds_pin pinned_too_late",
     .fork = true,
     .gup = pins,
     .stores = false,
     .hd_only = true,
     .full_only = true},
    {.name = "anon-two-folios",
     .kind = two_folios,
     .properties = all_four,
     .covers = "revoked_but_cached store_in_window upgraded ends_with_folio"},
    {.name = "private-file", .kind = file, .properties = all_four, .covers = "one_batch"},
    {.name = "shared-file",
     .kind = notified,
     .properties = all_four,
     .covers = "revoked_but_cached one_batch store_in_window upgraded"},
    {.name = "shared-file-writeback",
     .kind = notified,
     .properties = all_four,
     .covers = "revoked_but_cached one_batch store_in_window upgraded written_out",
     .writeback = true},
    {.name = "uffd-wp",
     .kind = uffd_wp,
     .properties = all_four,
     .covers = "revoked_but_cached one_batch store_in_window upgraded"},
    {.name = "soft-dirty",
     .kind = soft_dirty,
     .properties = "stale excess lost done precise",
     .covers = "revoked_but_cached one_batch store_in_window upgraded",
     .batched = all_four,  // mprotect/H3.
     .on = On::x86_64},
    {.name = "shadow-stack",
     .kind = shadow_stack,  // Not `done`: mprotect/H2.
     .properties = "stale excess lost",
     .covers = "revoked_but_cached one_batch sub_batches store_in_window upgraded",
     .batched = "lost",  // mprotect/H1.
     .on = On::x86_64},
    {.name = "shadow-stack-fork",
     .kind = exclusive_stack,
     .properties = "stale excess lost",
     .covers = "revoked_but_cached one_batch sub_batches store_in_window upgraded child_reads",
     .batched = "excess lost",
     .fork = true,
     .on = On::x86_64},
};

using machine::lists;

void bound(Config& config, By by, u64 n) { config.bound[static_cast<unsigned>(by)] = n; }

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

}  // namespace

const std::vector<Instance>& instances() { return all_instances; }

const Instance& instance(const std::string& name) {
  for (const Instance& i : instances())
    if (name == i.name) return i;
  throw std::invalid_argument("no instance '" + name + "' of the machine of mprotect");
}

const std::vector<Batching>& batchings() {
  static const std::vector<Batching> two{
      {"landed", "", ""},
      {"per-pte", "knob:change_pte_range=per-pte", "one_batch sub_batches ends_at_swap ends_with_folio"}};
  return two;
}

Setup setup_of(const Instance& i, bool x86, const FeatureSet& features, const std::string& wanted,
               const std::string& wanted_covers) {
  Setup s;
  s.actors = {{"mprotect"}};
  if (i.fork) s.actors.push_back({"fork"});
  if (i.writeback) s.actors.push_back({"writeback"});
  if (i.reclaim) s.actors.push_back({"reclaim"});
  if (i.ksm) s.actors.push_back({"ksm"});
  if (i.gup != no_gup) s.actors.push_back({"gup"});
  s.config.features = features.bits;
  s.config.knob[static_cast<unsigned>(KnobId::vma)] = static_cast<u8>(i.kind);
  s.config.knob[static_cast<unsigned>(KnobId::gup)] = static_cast<u8>(i.gup);
  bound(s.config, By::cpu, i.user_cpus);
  bound(s.config, By::page, i.pages);
  bound(s.config, By::table, i.pages);
  bound(s.config, By::actor, 1);
  bound(s.config, By::slot, i.reclaim);  // Who defers a flush, so that mprotect asks.
  s.config.symmetric[static_cast<unsigned>(By::cpu)] =
      i.user_cpus - (x86 && i.gup != no_gup);  // GUP-fast runs on the last one.
  if (x86) s.rules_off.emplace_back("fill_before");
  if (!i.fork) s.rules_off.emplace_back("invalidate_fork");
  if (!i.writeback)
    for (const char* rule : {"invalidate_writeback", "wp_page_shared"}) s.rules_off.emplace_back(rule);
  if (!i.reclaim) s.rules_off.emplace_back("invalidate_reclaim");
  if (!i.ksm)
    for (const char* rule : {"invalidate_ksm", "wp_page_reuse"}) s.rules_off.emplace_back(rule);
  if (!i.swap_in) s.rules_off.emplace_back("do_swap_page");
  if (!i.stores) s.rules_off.emplace_back("user_store");
  for (const char* p : properties)
    if (!lists(wanted, p)) s.predicates_off.emplace_back(p);
  for (const char* c : covers)
    if (!lists(wanted_covers, c)) s.predicates_off.emplace_back(c);
  return s;
}

Dimensions dimensions_of(const Instance& i, bool x86, const FeatureSet& features) {
  Dimensions dimensions{{"mprotect", 1, 1},        {"fork", i.fork, 0},       {"writeback", i.writeback, 0},
                        {"reclaim", i.reclaim, 0}, {"swap_in", i.swap_in, 0}, {"ksm", i.ksm, 0},
                        {"gup", i.gup, 0},         {"stores", i.stores, 0},   {"user_cpus", i.user_cpus, 1},
                        {"pages", i.pages, 1}};
  machine::add_features(dimensions, x86, features);
  return dimensions;
}

void change(Instance& i, FeatureSet& features, bool x86, const Dimensions& values) {
  u64 bits = features.bits, mprotects = 1;
  for (const Dimension& d : values) {
    if (d.name == "fork")
      i.fork = d.value != 0;
    else if (d.name == "writeback")
      i.writeback = d.value != 0;
    else if (d.name == "reclaim")
      i.reclaim = d.value != 0;
    else if (d.name == "swap_in")
      i.swap_in = d.value != 0;
    else if (d.name == "ksm")
      i.ksm = d.value != 0;
    else if (d.name == "gup")
      i.gup = static_cast<References>(d.value);
    else if (d.name == "stores")
      i.stores = d.value != 0;
    else if (d.name == "user_cpus")
      i.user_cpus = d.value;
    else if (d.name == "pages")
      i.pages = d.value;
    else if (d.name == "mprotect")
      mprotects = d.value;
    else if (!machine::set_feature(bits, x86, d))
      refuse("this machine has no '" + d.name + "'");
  }
  if (mprotects != 1) refuse("a machine has 1 mprotect");
  if (i.gup > pins_and_gets) refuse("gup: 0 to 2");
  if (i.user_cpus == 0 || i.user_cpus > 2) refuse("a machine has 1 to 2 CPUs");
  if (i.pages == 0 || i.pages > 3) refuse("a machine has 1 to 3 pages");
  if (bits != features.bits) features = machine::feature_set(x86, bits);
}

std::string bound_of(const Instance& i) {
  const bool one = i.pages == 1;
  const char* folio = i.kind == two_folios ? " of two folios"
                      : i.kind != small    ? " of a folio of 4"
                      : one                ? ", a folio of its own"
                                           : ", each a folio of its own";
  return std::to_string(i.user_cpus) + " user CPU" + (i.user_cpus == 1 ? "" : "s") + " x " +
         std::to_string(i.pages) + " page" + (one ? "" : "s") + folio + ", all interleavings";
}

}  // namespace ptmc::mprotect
