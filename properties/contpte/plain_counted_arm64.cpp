#include "checker/lower/lower_plain.hpp"
#include "properties/contpte/machine.hpp"
#include "properties/contpte/properties.hpp"

namespace ptmc::contpte {

const PlainTables& counted_arm64() {
  static const PlainTables tables = plain_tables<Model<Counted>>();
  return tables;
}

}  // namespace ptmc::contpte
