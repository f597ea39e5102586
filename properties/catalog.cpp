#include "properties/catalog.hpp"

#include "properties/batched_unmap/claims.hpp"
#include "properties/contpte/claims.hpp"
#include "properties/litmus/claims.hpp"
#include "properties/mprotect/claims.hpp"
#include "properties/mprotect/machine_claims.hpp"
#include "properties/words/claims.hpp"

namespace ptmc {

std::vector<Claim> catalog() {
  std::vector<Claim> all = words::claims();
  for (auto* part : {&mprotect::claims, &litmus::claims, &batched_unmap::claims, &mprotect::machine_claims,
                     &contpte::claims})
    for (Claim& c : part()) all.push_back(std::move(c));
  return all;
}

}  // namespace ptmc
