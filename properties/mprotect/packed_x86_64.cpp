#include "checker/lower/lower_packed.hpp"
#include "model/arch/x86_64.hpp"
#include "properties/mprotect/machine.hpp"
#include "properties/mprotect/properties.hpp"

namespace ptmc::mprotect {

const PackedTables& packed_x86_64() {
  static const PackedTables tables = packed_tables<Model<Explored<X86_64>>>();
  return tables;
}

}  // namespace ptmc::mprotect
