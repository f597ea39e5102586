// Laws about words as catalogue entries.
#pragma once
#include <string>
#include <vector>

#include "properties/catalog.hpp"
#include "properties/words/law.hpp"

namespace ptmc::words {

/// Per law and architecture: "PART/LAW", expected as the law says on each of its layouts; and
/// "PART/LAW/TWIN", the same statement over a mutated helper, expected violated. They know no machine and
/// take no mutation of one. `bound`: what the words range over.
std::vector<Claim> claims_of(const std::string& part, const std::vector<Law>& book, const std::string& bound);

}  // namespace ptmc::words
