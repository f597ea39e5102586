#include "properties/words/claims.hpp"

#include "properties/words/law_claims.hpp"

namespace ptmc::words {

std::vector<Claim> claims() { return claims_of("words", laws(), "all 64-bit words, all CPU features"); }

}  // namespace ptmc::words
