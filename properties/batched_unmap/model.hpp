// The machine of seed 004 with what is claimed about it: what lowerings take.
#pragma once
#include "properties/batched_unmap/properties.hpp"

namespace ptmc::batched_unmap {

template <class B>
struct Model : Machine<B> {
  template <class D>
  using State = batched_unmap::State<D, B>;
  using P = Properties<B>;
  static constexpr auto predicates =
      hana::make_tuple(P::stale, P::excess, P::reach, P::lost, P::done, P::coherent,
                       P::protnone_with_stale_entry, P::skipped_and_reused, P::undo_to_protnone);
  static constexpr auto lemmas = hana::make_tuple();
};

}  // namespace ptmc::batched_unmap
