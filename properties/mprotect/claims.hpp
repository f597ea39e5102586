// What is claimed of mprotect's batches.
#pragma once
#include <vector>

#include "properties/catalog.hpp"

namespace ptmc::mprotect {

/// "mprotect/LAW" and "mprotect/LAW/TWIN": laws over all words, for batches of any length.
std::vector<Claim> claims();

}  // namespace ptmc::mprotect
