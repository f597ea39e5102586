#include "properties/batched_unmap/instances.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace ptmc::batched_unmap {
namespace {

constexpr std::array<const char*, 6> properties{"stale", "excess", "reach", "lost", "done", "coherent"};
constexpr std::array<const char*, 8> covers{"protnone_stale_seen", "skip_then_reuse", "undo_protnone_owed",
                                            "revoked_but_cached",  "frame_freed",     "page_discarded",
                                            "page_migrated",       "asleep_and_stale"};

struct Deliveries {
  const char *actor, *rule;
};
constexpr std::array<Deliveries, 6> deliveries{{{"reclaim", "invalidate_reclaim"},
                                                {"migrate", "invalidate_migrate"},
                                                {"aging", "invalidate_aging"},
                                                {"mprotect", "invalidate_mprotect"},
                                                {"change_prot_numa", "invalidate_numa"},
                                                {"madvise_dontneed", "invalidate_zap"}}};

void bound(Config& config, By by, u64 n) { config.bound[static_cast<unsigned>(by)] = n; }

bool runs(const Instance& i, const std::string& actor) {
  return std::any_of(i.actors.begin(), i.actors.end(), [&](const ActorCount& a) { return a.name == actor; });
}

// Rules that can never fire in this instance are switched off, so that one that never fires is a finding.
std::vector<std::string> rules_off(const Instance& i, bool x86) {
  std::vector<std::string> off;
  for (const Deliveries& d : deliveries)
    if (!runs(i, d.actor) || (x86 && std::string(d.actor) == "aging")) off.emplace_back(d.rule);
  if (x86) off.emplace_back("fill_before");
  if (!i.lazy_cpu)
    for (const char* rule : {"enter_lazy_tlb", "leave_lazy_tlb"}) off.emplace_back(rule);
  if (!i.allocator)
    for (const char* rule : {"alloc_foreign", "foreign_store", "free_foreign"}) off.emplace_back(rule);
  if (!runs(i, "change_prot_numa"))
    off.emplace_back("do_numa_page");  // mprotect rebuilds what it made PROT_NONE.
  // Only a migration restores a read-only entry in a writable VMA.
  if (!runs(i, "migrate") || (!runs(i, "mprotect") && !runs(i, "change_prot_numa")))
    off.emplace_back("do_wp_page");
  if (!runs(i, "madvise_dontneed")) off.emplace_back("do_anonymous_page");
  if (!runs(i, "reclaim") || !i.swap_in) off.emplace_back("do_swap_page");
  if (!runs(i, "aging")) off.emplace_back("set_young");
  return off;
}

const std::vector<Instance> all_instances{
    {.name = "reclaim-mprotect",
     .actors = {{"reclaim"}, {"mprotect"}},
     .allocator = true,
     .covers = {"protnone_stale_seen", "skip_then_reuse", "revoked_but_cached", "frame_freed"},
     .bugs = "B01 B03 B04"},
    {.name = "reclaim-numa",
     .actors = {{"reclaim"}, {"change_prot_numa"}},
     .allocator = true,
     .covers = {"protnone_stale_seen", "skip_then_reuse", "frame_freed"},
     .bugs = "B04 B06 B08"},
    {.name = "reclaim-aging", .actors = {{"reclaim"}, {"aging"}}, .covers = {"frame_freed"}, .bugs = "B05"},
    {.name = "migrate-mprotect",
     .actors = {{"migrate"}, {"mprotect"}},
     .covers = {"undo_protnone_owed", "revoked_but_cached", "page_migrated"},
     .bugs = "B01 B03"},
    {.name = "migrate-numa",
     .actors = {{"migrate"}, {"change_prot_numa"}},
     .covers = {"page_migrated"},
     .bugs = "B06 B08"},
    {.name = "dontneed-dontneed",
     .actors = {{"madvise_dontneed", 2}},
     .covers = {"page_discarded", "frame_freed"},
     .bugs = "B09"},
    {.name = "reclaim-dontneed",
     .actors = {{"reclaim"}, {"madvise_dontneed"}},
     .covers = {"page_discarded", "frame_freed"},
     .bugs = "B01 B03"},
    {.name = "migrate-dontneed",
     .actors = {{"migrate"}, {"madvise_dontneed"}},
     .covers = {"page_discarded", "page_migrated"},
     .bugs = "B01 B03"},
    {.name = "reclaim-numa-lazy",
     .actors = {{"reclaim"}, {"change_prot_numa"}},
     .lazy_cpu = true,
     .on = On::x86_64,
     .covers = {"protnone_stale_seen", "frame_freed", "asleep_and_stale"},
     .bugs = "B04 B06"},
    {.name = "reclaim-mprotect-lazy",
     .actors = {{"reclaim"}, {"mprotect"}},
     .lazy_cpu = true,
     .on = On::x86_64,
     .covers = {"protnone_stale_seen", "revoked_but_cached", "frame_freed", "asleep_and_stale"},
     .bugs = "B04",
     .full_only = true},
    {.name = "reclaim-numa-numa",
     .actors = {{"reclaim"}, {"change_prot_numa", 2}},
     .covers = {"protnone_stale_seen", "frame_freed"},
     .bugs = "B07",
     .full_only = true},
    {.name = "reclaim-numa-numa-2",
     .actors = {{"reclaim"}, {"change_prot_numa", 2}},
     .pages = 2,
     .swap_in = false,  // With it the machine has more than 200 million states, even for one user CPU.
     .covers = {"protnone_stale_seen", "frame_freed"},
     .bugs = "B07",
     .full_only = true},
    {.name = "reclaim-mprotect-2",
     .actors = {{"reclaim"}, {"mprotect"}},
     .pages = 2,
     .swap_in = false,  // With it the machine has more than 180 million states.
     .covers = {"protnone_stale_seen"},
     .bugs = "D7-bool-drain",
     .full_only = true},
    {.name = "reclaim-dontneed-2",
     .actors = {{"reclaim"}, {"madvise_dontneed"}},
     .pages = 2,
     .covers = {"page_discarded", "frame_freed"},
     .bugs = "H2",
     .full_only = true},
};

}  // namespace

const std::vector<Instance>& instances() { return all_instances; }

const Instance& instance(const std::string& name) {
  for (const Instance& i : instances())
    if (name == i.name) return i;
  throw std::invalid_argument("no instance '" + name + "' of seed 004's machine");
}

Setup setup_of(const Instance& i, bool x86, const FeatureSet& features,
               const std::vector<std::string>& wanted) {
  Setup s;
  s.actors = i.actors;
  s.config.features = features.bits;
  bound(s.config, By::cpu, i.user_cpus + (i.lazy_cpu ? 1 : 0));
  bound(s.config, By::page, i.pages);
  bound(s.config, By::frame, i.frames);
  bound(s.config, By::slot, i.lazy_cpu ? 1 : 0);
  u64 copies = 1;
  for (const ActorCount& a : i.actors) copies = std::max(copies, a.copies);
  bound(s.config, By::actor, copies);
  s.config.symmetric[static_cast<unsigned>(By::cpu)] = i.user_cpus;
  s.rules_off = rules_off(i, x86);
  for (const char* p : properties)
    if (wanted.empty() ? std::string(p) == "coherent" : std::count(wanted.begin(), wanted.end(), p) == 0)
      s.predicates_off.emplace_back(p);
  for (const char* c : covers)
    if (std::count(i.covers.begin(), i.covers.end(), c) == 0) s.predicates_off.emplace_back(c);
  return s;
}

std::string bound_of(const Instance& i, bool x86) {
  auto count = [](u64 n, const std::string& what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  return count(i.user_cpus, "user CPU") + (x86 && i.lazy_cpu ? " and a lazy one" : "") + " x " +
         count(i.pages, "page") + " x " + count(i.frames, "frame") + (i.swap_in ? "" : ", no swap-in") +
         ", generations up to 3, all interleavings";
}

}  // namespace ptmc::batched_unmap
