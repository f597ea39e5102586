#include "checker/lower/lower_packed.hpp"
#include "model/arch/arm64.hpp"
#include "tests/properties/batched_unmap/readings/late.hpp"

namespace ptmc::batched_unmap {

PackedTables proved_packed_arm64(Batches batches) {
  using B = Proved<Arm64>;
  static const PackedTables tables = packed_tables<Model<B>>();
  PackedTables t = tables;
  with_late<B>(batches, [&]<class M>() { t.seed = &PackedLowering<M>::seed; });
  return t;
}

}  // namespace ptmc::batched_unmap
