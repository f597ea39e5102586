#include "checker/lower/lower_symbolic.hpp"
#include "model/arch/arm64.hpp"
#include "properties/batched_unmap/machine.hpp"
#include "properties/batched_unmap/model.hpp"

namespace ptmc::batched_unmap {

const SymbolicTables& symbolic_arm64() {
  static const SymbolicTables tables = symbolic_tables<Model<Proved<Arm64>>>();
  return tables;
}

}  // namespace ptmc::batched_unmap
