#include "checker/native/kernel/seeds.hpp"

#include <array>

namespace ptmc::native::kernel {

std::span<const Seed> seeds() {
  static constexpr std::array all{Seed{"000", "mprotect by page size", measure_mprotect},
                                  Seed{"001", "NUMA hinting", measure_numa},
                                  Seed{"002", "mremap by alignment", measure_mremap},
                                  Seed{"003", "protection keys by batch length", measure_pkeys},
                                  Seed{"004", "page-out of accessible and PROT_NONE pages", measure_pageout}};
  return all;
}

}  // namespace ptmc::native::kernel
