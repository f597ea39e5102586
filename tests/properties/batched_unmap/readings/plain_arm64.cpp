#include "checker/lower/lower_plain.hpp"
#include "checker/lower/lower_symbolic.hpp"
#include "model/arch/arm64.hpp"
#include "tests/properties/batched_unmap/readings/late.hpp"

namespace ptmc::batched_unmap {

PlainTables proved_plain_arm64(Batches batches) {
  using B = Proved<Arm64>;
  static const PlainTables tables = plain_tables<Model<B>>();
  PlainTables t = tables;
  with_late<B>(batches, [&]<class M>() {
    t.seed = [](void* s, u64 k, const Config& c) { return M::seed(*static_cast<State<Plain, B>*>(s), k, c); };
  });
  return t;
}

// Only its initial states are compiled here.
SymbolicTables proved_symbolic_arm64(Batches batches) {
  SymbolicTables t = symbolic_arm64();
  with_late<Proved<Arm64>>(batches, [&]<class M>() { t.initial = &SymbolicLowering<M>::initial; });
  return t;
}

}  // namespace ptmc::batched_unmap
