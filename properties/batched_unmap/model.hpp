// The machine of seed 004 with what is claimed about it: what lowerings take.
#pragma once
#include "properties/batched_unmap/lemmas.hpp"

namespace ptmc::batched_unmap {

template <class B>
struct Model : Machine<B> {
  template <class D>
  using State = batched_unmap::State<D, B>;
  using P = Properties<B>;
  static constexpr auto predicates = hana::make_basic_tuple(
      P::stale, P::excess, P::reach, P::lost, P::done, P::coherent, P::protnone_with_stale_entry,
      P::skipped_and_reused, P::undo_to_protnone, P::revoked_but_cached, P::frame_freed, P::page_discarded,
      P::page_migrated, P::asleep_and_stale);
  static constexpr auto lemmas = Lemmas<B>::all;
};

}  // namespace ptmc::batched_unmap
