#include "checker/lower/lower_packed.hpp"
#include "checker/lower/lower_plain.hpp"
#include "model/arch/arm64.hpp"
#include "properties/batched_unmap/model.hpp"
#include "tests/counterexamples/golden/machine.hpp"

namespace ptmc::golden {

using Machine = batched_unmap::Model<mm::Bounds<Arm64, 2, 2, 3, 3>>;

const PackedTables& packed_arm64() {
  static const PackedTables tables = packed_tables<Machine>();
  return tables;
}
const PlainTables& plain_arm64() {
  static const PlainTables tables = plain_tables<Machine>();
  return tables;
}

}  // namespace ptmc::golden
