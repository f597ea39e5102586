#include "checker/native/kernel/seeds.hpp"

#include <array>

namespace ptmc::native::kernel {

std::string Row::comparison() const {
  if (!ratio || !ratio->bounded()) return "";
  const Comparison c = compare(*ratio);
  if (unit.starts_with("ns ") || unit.starts_with("us ") || c == Comparison::no_difference)
    return std::string(to_string(c));
  return c == Comparison::faster ? "fewer" : "more";
}

std::span<const Seed> seeds() {
  static constexpr std::array all{Seed{"000", "mprotect by page size", measure_mprotect},
                                  Seed{"001", "NUMA hinting", measure_numa},
                                  Seed{"002", "mremap by alignment", measure_mremap},
                                  Seed{"003", "protection keys by batch length", measure_pkeys},
                                  Seed{"004", "page-out of accessible and PROT_NONE pages", measure_pageout}};
  return all;
}

}  // namespace ptmc::native::kernel
