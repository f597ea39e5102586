// The machine of contpte lowered for exploration and for the naive interpreter, with the bounds of its types.
#pragma once
#include "checker/lower/packed_tables.hpp"
#include "checker/lower/stepper_plain.hpp"
#include "model/opt/contpte/world.hpp"

namespace ptmc::contpte {

/// A block of 4 entries has a first, a last and two inner ones.
using Explored = Bounds<Arm64, 4>;
/// The real size, for counting costs by the naive interpreter alone.
using Counted = Bounds<Arm64, 16>;

const PackedTables& packed_arm64();
const PlainTables& plain_arm64();
const PlainTables& counted_arm64();

}  // namespace ptmc::contpte
