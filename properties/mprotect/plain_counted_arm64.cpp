#include "checker/lower/lower_plain.hpp"
#include "model/arch/arm64.hpp"
#include "properties/mprotect/machine.hpp"
#include "properties/mprotect/properties.hpp"

namespace ptmc::mprotect {

const PlainTables& counted_arm64() {
  static const PlainTables tables = plain_tables<Model<Counted<Arm64>>>();
  return tables;
}

}  // namespace ptmc::mprotect
