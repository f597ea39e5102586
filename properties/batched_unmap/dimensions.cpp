// An instance as a list of what it has, and with other values.
#include <algorithm>
#include <stdexcept>

#include "properties/batched_unmap/instances.hpp"

namespace ptmc::batched_unmap {
namespace {

// What the machine's types have room for (machine.hpp).
constexpr u64 cpus_max(bool x86) { return x86 ? 3 : 2; }
constexpr u64 pages_max = 2, frames_max = 4;

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

void check(const Instance& i, bool x86) {
  const u64 cpus = i.user_cpus + (i.lazy_cpu ? 1 : 0);
  if (i.user_cpus == 0 || cpus > cpus_max(x86))
    refuse("a machine has 1 to " + std::to_string(cpus_max(x86)) + " CPUs");
  if (i.lazy_cpu && (!x86 || i.user_cpus != 2)) refuse("the lazy CPU is the third of x86-64");
  if (i.pages == 0 || i.pages > pages_max) refuse("a machine has 1 to 2 pages");
  if (i.frames < i.pages || i.frames > frames_max)
    refuse("a machine has 1 to 4 frames, one for each page at least");
}

}  // namespace

Dimensions dimensions_of(const Instance& i, bool x86, const FeatureSet& features) {
  Dimensions all;
  for (const ActorCount& a : i.actors) all.push_back({a.name, a.copies, 0});
  if (x86) all.push_back({"lazy_cpu", i.lazy_cpu, 0});
  all.push_back({"allocator", i.allocator, 0});
  all.push_back({"user_cpus", i.user_cpus, 1});
  all.push_back({"pages", i.pages, 1});
  all.push_back({"frames", i.frames, 1});
  machine::add_features(all, x86, features);
  return all;
}

void change(Instance& i, FeatureSet& features, bool x86, const Dimensions& values) {
  u64 bits = features.bits;
  for (const Dimension& d : values) {
    const auto actor =
        std::find_if(i.actors.begin(), i.actors.end(), [&](const ActorCount& a) { return a.name == d.name; });
    if (actor != i.actors.end()) {
      if (d.value > 2) refuse("a machine has at most 2 copies of an actor");
      actor->copies = d.value;
    } else if (d.name == "lazy_cpu") {
      i.lazy_cpu = d.value != 0;
    } else if (d.name == "allocator") {
      i.allocator = d.value != 0;
    } else if (d.name == "user_cpus") {
      i.user_cpus = d.value;
    } else if (d.name == "pages") {
      i.pages = d.value;
    } else if (d.name == "frames") {
      i.frames = d.value;
    } else if (!machine::set_feature(bits, x86, d)) {
      refuse("this machine has no '" + d.name + "'");
    }
  }
  std::erase_if(i.actors, [](const ActorCount& a) { return a.copies == 0; });
  check(i, x86);
  if (bits != features.bits) features = machine::feature_set(x86, bits);
}

}  // namespace ptmc::batched_unmap
