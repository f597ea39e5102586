#include "checker/lower/lower_packed.hpp"
#include "model/arch/arm64.hpp"
#include "properties/mprotect/machine.hpp"
#include "properties/mprotect/properties.hpp"

namespace ptmc::mprotect {

const PackedTables& packed_arm64() {
  static const PackedTables tables = packed_tables<Model<Explored<Arm64>>>();
  return tables;
}

}  // namespace ptmc::mprotect
