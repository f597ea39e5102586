// The laws of the entry helpers as catalogue entries.
#pragma once
#include <vector>

#include "properties/catalog.hpp"

namespace ptmc::words {

/// "words/LAW" and "words/LAW/TWIN": see claims_of.
std::vector<Claim> claims();

}  // namespace ptmc::words
