#include "model/core/domain.hpp"

#include <string>

namespace ptmc {

void throw_width_error(u64 value, unsigned width) {
  throw WidthError("value " + std::to_string(value) + " does not fit a field of " + std::to_string(width) +
                   " bits");
}

}  // namespace ptmc
