// The machine of the proof's own type (machine.hpp: Proved) in all three readings, to be compared.
#pragma once
#include "checker/agreement.hpp"
#include "properties/batched_unmap/instances.hpp"
#include "properties/batched_unmap/machine.hpp"

namespace ptmc::batched_unmap {

/// How many batches may be counted from the initial states on before no unmapping begins. The generations
/// have 15 bits, so with `all` of them reachable states are too many to visit; one and three start where as
/// many are left.
enum class Batches : u8 { one, three, all };

PackedTables proved_packed_x86_64(Batches batches);
PackedTables proved_packed_arm64(Batches batches);
PlainTables proved_plain_x86_64(Batches batches);
PlainTables proved_plain_arm64(Batches batches);
SymbolicTables proved_symbolic_x86_64(Batches batches);
SymbolicTables proved_symbolic_arm64(Batches batches);

struct Readings {
  PackedTables packed;
  PlainTables plain;
  SymbolicTables symbolic;
};
const Readings& readings(bool x86, Batches batches);

/// An instance as catalogued, but step by step and with lemmas.
Setup unfused(const Instance& instance, bool x86, const FeatureSet& features);

/// A catalogued instance, with a lazy CPU on x86 and other owners of frames.
Instance larger(const char* name, bool x86);
/// Actors alone, with so many user CPUs.
Instance small(std::vector<ActorCount> actors, u64 user_cpus);

/// Packed, plain and symbolic readings of the setup, in each of its reachable states up to a limit.
Agreement reachable(const Readings& readings, const Setup& setup, u64 states_max);
/// Plain and symbolic ones in random states.
Agreement random(const Readings& readings, const Setup& setup, u64 states_max);

}  // namespace ptmc::batched_unmap
