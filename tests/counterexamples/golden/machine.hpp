// Seed 004's machine on one architecture, lowered for exploration and for replay.
#pragma once
#include "checker/lower/packed_tables.hpp"
#include "checker/lower/stepper_plain.hpp"

namespace ptmc::golden {

const PackedTables& packed_x86_64();
const PackedTables& packed_arm64();
const PlainTables& plain_x86_64();
const PlainTables& plain_arm64();

}  // namespace ptmc::golden
