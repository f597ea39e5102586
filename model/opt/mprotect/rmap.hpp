// What those have in common who come to an entry by the rmap, not by the table: writeback, reclaim, KSM.
// Claim: an instance has one of them at most, so they share registers and an issuer.
#pragma once
#include "model/opt/mprotect/flush.hpp"

namespace ptmc::mprotect {

template <class D, class B>
struct RmapRegisters {
  using Entry = Word<D>;
  using F = Flag<D>;
  using Page = Bits<D, bits_for(B::pages)>;
  using P = Posts<D, B>;
  BOOST_HANA_DEFINE_STRUCT(RmapRegisters, (Entry, old), (F, accessible), (Page, page),  // The entry in hand.
                           (F, flush_required), (F, writable),                          // Reclaim: tlb_ubc,
                           (F, dirty),                 // folio_test_dirty after unmapping.
                           (F, exclusive), (F, acts),  // KSM: PageAnonExclusive; there is what to do;
                           (F, busy),                  // somebody else has a reference: back off;
                           (F, same),                  // the contents are identical, then the entries.
                           (P, posted));
};

}  // namespace ptmc::mprotect
