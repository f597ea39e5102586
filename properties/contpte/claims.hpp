// What is claimed of contpte: instances, bad twins, costs, and findings about the kernel as it is.
#pragma once
#include "properties/catalog.hpp"

namespace ptmc::contpte {

std::vector<Claim> claims();

}  // namespace ptmc::contpte
