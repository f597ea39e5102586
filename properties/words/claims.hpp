// The laws of the entry helpers as catalogue entries.
#pragma once
#include <vector>

#include "properties/catalog.hpp"

namespace ptmc::words {

/// Per law and architecture: "words/LAW", expected proved on each of its layouts; and "words/LAW/TWIN", the
/// same statement over a mutated helper, expected violated. They know no machine and take no mutation of one.
std::vector<Claim> claims();

}  // namespace ptmc::words
