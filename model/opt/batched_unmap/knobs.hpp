// Variation points of seed 004's machine: the kernel's choice first.
#pragma once
#include "model/core/language.hpp"

namespace ptmc::batched_unmap {

enum class KnobId : u8 {
  defer,
  pte_accessible,
  flush_tlb_func,
  tlb_flush_pending,
  tlb_ubc,
  tlb_flush_batched,
  read_pending,
  pte_accessible_af
};

/// `defer`: the last value is the code before 4.3, the middle one the code before seed 004.
template <class Arch>
inline constexpr std::array<Knob, 8> knobs{{
    {"defer", {"skip-inaccessible", "batched", "eager"}},
    {"pte_accessible", {"kernel", "no-pending"}},
    {"flush_tlb_func",
     {"kernel", "gen-zero-is-old"},
     Arch::is_x86 ? nullptr : "no flush request carries a generation"},
    {"tlb_flush_pending", {"counter", "bool"}},
    {"tlb_ubc", {"kernel", "init-when-nested"}},
    {"tlb_flush_batched", {"generations", "wrap-at-3", "bool"}},
    {"mm_tlb_flush_pending", {"under-ptl", "before-ptl"}},
    {"pte_accessible_af",
     {"ignored", "required"},
     Arch::is_x86 ? "x86's pte_accessible has never looked at A" : nullptr},
}};

enum Defer : u64 { skip_inaccessible, batched_always, eager };
enum Batched : u64 { generations, wrap_at_3, boolean };

}  // namespace ptmc::batched_unmap
