// The inductive invariant of seed 004's machine, in the order a reader wants it: control, frames, then the
// heart.
#pragma once
#include "properties/batched_unmap/lemmas_owed.hpp"

namespace ptmc::batched_unmap {

template <class B>
struct Lemmas {
  using C = ControlLemmas<B>;
  using F = FrameLemmas<B>;
  using O = OwedLemmas<B>;
  static constexpr auto all = hana::make_basic_tuple(
      C::ptl_owner, C::pending_counts_gathers, C::mmap_lock, C::generation_order, C::rights,
      C::change_registers, C::zap_registers, C::reclaim_registers, C::migrate_registers, C::lazy_cpu,
      F::entry_shape, F::old_shape, F::window, F::discarded_is_none, F::references, F::unmapped_stays,
      F::no_more_than_vma, F::unsaved_is_dirty, F::dirty_entry, F::saved_before_free, F::alone_is_old,
      F::copied_before_put, O::late_owner, O::owed, O::protnone_is_pending, O::skip, O::revoked, O::drain,
      O::protnone_is_drained, O::gathered_is_flushed, O::discard);
};

}  // namespace ptmc::batched_unmap
