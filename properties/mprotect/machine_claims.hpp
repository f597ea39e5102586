// What is claimed of mprotect's batching: instances, bad twins, and findings about the kernel as it is.
#pragma once
#include "properties/catalog.hpp"

namespace ptmc::mprotect {

std::vector<Claim> machine_claims();

}  // namespace ptmc::mprotect
