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
  tlb_flush_batched
};

/// The last value of the first is the code before 4.3, the middle one the code before seed 004.
inline constexpr std::array<Knob, 6> knobs{{
    {"defer", {"skip-inaccessible", "batched", "eager"}},
    {"pte_accessible", {"kernel", "no-pending", "valid-and-young"}},
    {"flush_tlb_func", {"kernel", "gen-zero-is-old"}},
    {"tlb_flush_pending", {"counter", "bool"}},
    {"tlb_ubc", {"kernel", "init-when-nested"}},
    {"tlb_flush_batched", {"generations", "wrap", "bool"}},
}};

enum Defer : u64 { skip_inaccessible, batched_always, eager };
enum Accessible : u64 { kernel_accessible, no_pending, valid_and_young };
enum Batched : u64 { generations, wrapping, boolean };

}  // namespace ptmc::batched_unmap
