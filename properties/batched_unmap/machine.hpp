// The machine of seed 004 lowered for each domain and architecture, with the bounds of its types.
#pragma once
#include "checker/lower/packed_tables.hpp"
#include "checker/lower/stepper_plain.hpp"
#include "checker/lower/symbolic_tables.hpp"
#include "model/mm/world.hpp"

namespace ptmc::batched_unmap {

/// x86: two user CPUs and the one that goes lazy. arm64: two.
template <class Arch>
constexpr u64 cpus_of = Arch::is_x86 ? 3 : 2;

/// Room for exploration; an instance uses less of it (Config::bound). Frames: a power of two, so that every
/// index that fits exists. Generations: 3 bits, capped at 3.
template <class Arch>
using Explored = mm::Bounds<Arch, cpus_of<Arch>, 2, 4, 3>;
/// The proof's: one page, two frames, generations of the kernel's width.
template <class Arch>
using Proved = mm::Bounds<Arch, cpus_of<Arch>, 1, 2, 15>;

const PackedTables& packed_x86_64();
const PackedTables& packed_arm64();
const PlainTables& plain_x86_64();
const PlainTables& plain_arm64();
const SymbolicTables& symbolic_x86_64();
const SymbolicTables& symbolic_arm64();

}  // namespace ptmc::batched_unmap
