// Hardware: one cached translation. SDM vol. 3, 4.10.2.2; Arm ARM (DDI 0487) D8.16.
// Claim: an entry holds what the walk read, and grants it without looking at memory, until it is dropped.
// Omitted: memory types; several entries for one address in one TLB (a break-before-make violation instead).
#pragma once
#include "model/core/reflect.hpp"

namespace ptmc::hw {

/// The least that a model needs. All-zero when not valid, so that equal TLBs are equal states.
template <class D, u64 frames>
struct TlbEntry {
  using Frame = Bits<D, bits_for(frames)>;
  using F = Flag<D>;
  BOOST_HANA_DEFINE_STRUCT(
      TlbEntry, (F, valid),  // Caches nothing otherwise.
      (Frame, frame),        // Output address, 4 KiB units.
      (F, writable),         // A store does not fault: rights of all levels, DBM counted as a right.
      (F, dirty));           // A store needs no walk: x86 D as read; arm64 AP[2]=0 as read.
};

/// For programs that look at everything a translation carries. Any subset of these fields makes an entry.
template <class D, u64 frames>
struct WideTlbEntry {
  using Frame = Bits<D, bits_for(frames)>;
  using Key = Bits<D, 4>;
  using F = Flag<D>;
  BOOST_HANA_DEFINE_STRUCT(WideTlbEntry, (F, valid), (Frame, frame), (F, writable), (F, dirty),
                           (F, user),    // CPL 3 / EL0 may use it: AND over all levels.
                           (F, exec),    // And may execute it.
                           (F, global),  // Matches every tag.
                           (F, tag),     // PCID / ASID it was made under; 0 if global.
                           (F, cont),    // Read from a CONT descriptor (arm64).
                           (F, block),   // Part of one entry for the whole CONT block.
                           (Key, key));  // Protection key / POIndex; the register is read at the access.
};

/// Eviction, and the effect of every kind of invalidation.
constexpr void drop(auto&& t) {
  for_each_leaf(t, [](auto&& leaf) { leaf = 0; });
}
template <class B>
constexpr void drop_if(const B& condition, auto&& t) {
  when(condition, t, [](auto&& dying) { drop(dying); });
}

}  // namespace ptmc::hw
