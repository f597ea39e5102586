// The machine of mprotect lowered for exploration and for the naive interpreter, with the bounds of its
// types.
#pragma once
#include "checker/lower/packed_tables.hpp"
#include "checker/lower/stepper_plain.hpp"
#include "model/opt/mprotect/world.hpp"

namespace ptmc::mprotect {

/// mprotect/11: two user CPUs beside the one that runs the kernel, pages 1 to 3 of a folio of four.
template <class Arch>
using Explored = Bounds<Arch, 2, 3>;

/// For counting costs: longer ranges, by the naive interpreter alone.
template <class Arch>
using Counted = Bounds<Arch, 2, 16>;

const PackedTables& packed_x86_64();
const PackedTables& packed_arm64();
const PlainTables& plain_x86_64();
const PlainTables& plain_arm64();
const PlainTables& counted_x86_64();
const PlainTables& counted_arm64();

}  // namespace ptmc::mprotect
