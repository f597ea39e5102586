#include "checker/lower/lower_packed.hpp"
#include "properties/contpte/machine.hpp"
#include "properties/contpte/properties.hpp"

namespace ptmc::contpte {

const PackedTables& packed_arm64() {
  static const PackedTables tables = packed_tables<Model<Explored>>();
  return tables;
}

}  // namespace ptmc::contpte
