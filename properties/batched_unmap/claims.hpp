// The claims of seed 004: instances explored, the machine proved, bad twins and hazards found.
#pragma once
#include <vector>

#include "properties/catalog.hpp"

namespace ptmc::batched_unmap {

std::vector<Claim> claims();

}  // namespace ptmc::batched_unmap
