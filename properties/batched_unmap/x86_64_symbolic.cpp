#include "checker/lower/lower_symbolic.hpp"
#include "model/arch/x86_64.hpp"
#include "properties/batched_unmap/machine.hpp"
#include "properties/batched_unmap/model.hpp"

namespace ptmc::batched_unmap {

const SymbolicTables& symbolic_x86_64() {
  static const SymbolicTables tables = symbolic_tables<Model<Proved<X86_64>>>();
  return tables;
}

}  // namespace ptmc::batched_unmap
