// Initial states with other batch generations than zero.
#pragma once
#include "properties/batched_unmap/model.hpp"
#include "tests/properties/batched_unmap/readings/readings.hpp"

namespace ptmc::batched_unmap {

template <class B, Batches batches>
struct Late : Model<B> {
  static bool seed(State<Plain, B>& s, u64 k, const Config& config) {
    if (!Model<B>::seed(s, k, config)) return false;
    const u64 generation = B::generation_cap - (batches == Batches::one ? 1 : 3);
    s.mm.pending = generation;
    s.mm.flushed = generation;
    return true;
  }
};

/// `set.template operator()<Late<...>>()` for the model that starts so; nothing for all batches.
template <class B>
void with_late(Batches batches, const auto& set) {
  if (batches == Batches::one) set.template operator()<Late<B, Batches::one>>();
  if (batches == Batches::three) set.template operator()<Late<B, Batches::three>>();
}

}  // namespace ptmc::batched_unmap
