#include "checker/lower/lower_packed.hpp"
#include "model/arch/arm64.hpp"
#include "properties/batched_unmap/machine.hpp"
#include "properties/batched_unmap/model.hpp"

namespace ptmc::batched_unmap {

const PackedTables& packed_arm64() {
  static const PackedTables tables = packed_tables<Model<Explored<Arm64>>>();
  return tables;
}

}  // namespace ptmc::batched_unmap
