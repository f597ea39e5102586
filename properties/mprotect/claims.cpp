#include "properties/mprotect/claims.hpp"

#include "properties/mprotect/batch.hpp"
#include "properties/words/law_claims.hpp"

namespace ptmc::mprotect {

const std::vector<Law>& laws() {
  static const std::vector<Law> book = [] {
    std::vector<Law> all;
    for (auto* chapter : {&add_change_laws, &add_fold_laws, &add_frame_laws, &add_refine_laws,
                          &add_write_laws, &add_shadow_laws})
      chapter(all);
    return all;
  }();
  return book;
}

std::vector<Claim> claims() {
  return words::claims_of("mprotect", laws(),
                          "all 64-bit words, batches of any length in a page table, all CPU features");
}

}  // namespace ptmc::mprotect
