#include "checker/native/machines.hpp"

#include <stdexcept>

namespace ptmc::native {

Compared compare_machine(const std::string& name) {
  if (name == "mprotect") return compare_mprotect();
  if (name == "contpte") return compare_contpte();
  if (name == "deferred_flush") return compare_deferred_flush();
  throw std::invalid_argument("there is no machine " + name);
}

}  // namespace ptmc::native
