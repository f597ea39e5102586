#include "checker/lower/lower_plain.hpp"
#include "model/arch/x86_64.hpp"
#include "properties/mprotect/machine.hpp"
#include "properties/mprotect/properties.hpp"

namespace ptmc::mprotect {

const PlainTables& counted_x86_64() {
  static const PlainTables tables = plain_tables<Model<Counted<X86_64>>>();
  return tables;
}

}  // namespace ptmc::mprotect
