#include "checker/lower/lower_packed.hpp"
#include "checker/lower/lower_plain.hpp"
#include "model/arch/x86_64.hpp"
#include "properties/batched_unmap/model.hpp"
#include "tests/counterexamples/golden/machine.hpp"

namespace ptmc::golden {

using Machine = batched_unmap::Model<mm::Bounds<X86_64, 2, 2, 3, 3>>;

const PackedTables& packed_x86_64() {
  static const PackedTables tables = packed_tables<Machine>();
  return tables;
}
const PlainTables& plain_x86_64() {
  static const PlainTables tables = plain_tables<Machine>();
  return tables;
}

}  // namespace ptmc::golden
