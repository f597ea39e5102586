#include "properties/catalog.hpp"

#include "properties/words/claims.hpp"

namespace ptmc {

std::vector<Claim> catalog() { return words::claims(); }

}  // namespace ptmc
