// Entries and features as the litmus rows of arm64 name them.
#pragma once
#include "model/arch/arm64.hpp"
#include "model/hw/features.hpp"
#include "model/hw/program.hpp"

namespace ptmc::litmus::arm64_rows {

using A = Arm64;
constexpr u64 clean(u64 frame) {
  return A::page_shared | frame << 12;
}  // DBM, RDONLY: writable, not yet dirty.
constexpr u64 rw(u64 frame) { return clean(frame) & ~A::rdonly; }
constexpr u64 ro(u64 frame) { return A::page_readonly | frame << 12; }
constexpr u64 old(u64 entry) { return entry & ~A::af; }
constexpr u64 cont(u64 entry) { return entry | A::cont; }
constexpr u64 key1(u64 entry) { return entry | u64{1} << 60; }
inline constexpr u64 none = 0, table0 = A::type_page, table1 = A::type_page | u64{1} << 12;
constexpr u64 on(arm::Feature f) { return bit(static_cast<unsigned>(f)); }
inline constexpr u64 ha = on(arm::Feature::ha), hd = ha | on(arm::Feature::hd), ttl = on(arm::Feature::ttl),
                     range = on(arm::Feature::range_tlbi), bbm2 = on(arm::Feature::bbm2),
                     poe = on(arm::Feature::poe);

}  // namespace ptmc::litmus::arm64_rows
