#include "checker/lower/lower_plain.hpp"
#include "model/arch/arm64.hpp"
#include "properties/batched_unmap/machine.hpp"
#include "properties/batched_unmap/model.hpp"

namespace ptmc::batched_unmap {

const PlainTables& plain_arm64() {
  static const PlainTables tables = plain_tables<Model<Explored<Arm64>>>();
  return tables;
}

}  // namespace ptmc::batched_unmap
