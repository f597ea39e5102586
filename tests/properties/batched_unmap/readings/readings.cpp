#include "tests/properties/batched_unmap/readings/readings.hpp"

#include <map>

#include "checker/lower/lowered.hpp"

namespace ptmc::batched_unmap {

const Readings& readings(bool x86, Batches batches) {
  static std::map<std::pair<bool, Batches>, Readings> all;
  const auto found = all.find({x86, batches});
  if (found != all.end()) return found->second;
  Readings r = x86 ? Readings{proved_packed_x86_64(batches), proved_plain_x86_64(batches),
                              proved_symbolic_x86_64(batches)}
                   : Readings{proved_packed_arm64(batches), proved_plain_arm64(batches),
                              proved_symbolic_arm64(batches)};
  return all.emplace(std::pair(x86, batches), std::move(r)).first->second;
}

Setup unfused(const Instance& instance, bool x86, const FeatureSet& features) {
  Setup s = setup_of(instance, x86, features, {});
  s.fuse = false;
  s.lemmas = true;
  return s;
}

Instance larger(const char* name, bool x86) {
  Instance i = instance(name);
  i.lazy_cpu = x86;
  i.allocator = true;
  return i;
}
Instance small(std::vector<ActorCount> actors, u64 user_cpus) {
  Instance i;
  i.name = "small";
  i.actors = std::move(actors);
  i.bugs = "";
  i.user_cpus = user_cpus;
  return i;
}

Agreement reachable(const Readings& r, const Setup& s, u64 states_max) {
  const LoweredSystem system(r.packed, s);
  const auto naive = plain_stepper(r.plain, s);
  const auto symbolic = symbolic_source(r.symbolic, s);
  return agree_on_reachable(system, naive.get(), symbolic.get(), {states_max, 1});
}

Agreement random(const Readings& r, const Setup& s, u64 states_max) {
  const LoweredSystem system(r.packed, s);
  return agree_on_random(system, *plain_stepper(r.plain, s), *symbolic_source(r.symbolic, s),
                         {states_max, 1});
}

}  // namespace ptmc::batched_unmap
