// Variation points of the machine of contpte: the kernel's choice first.
#pragma once
#include "model/core/language.hpp"

namespace ptmc::contpte {

enum class KnobId : u8 {
  contents,
  range,
  change_pte_range,
  anon_exclusive,
  set_access_flags,
  any_address,
  unmaps,
  reclaims,
  pte_accessible,
  dsb_ishst,
  split_folio,
  ptep_get_lockless,
  walker
};

/// `contents`, `range`, `anon_exclusive`, `unmaps`, `reclaims` and `walker`: an instance chooses them, they
/// are not for turning.
inline constexpr std::array<Knob, 13> knobs{{
    {"contents", {}},
    {"range", {}},
    {"change_pte_range", {"batched", "per-pte"}},
    {"anon_exclusive", {}},
    {"set_access_flags", {"every-entry", "gathered", "without-dirty"}},
    {"any_address", {"reaches-block", "first-page-only"}},
    {"unmaps", {}},
    {"reclaims", {}},
    {"pte_accessible", {"kernel", "no-pending"}},
    {"dsb_ishst", {"cumulative", "own-stores"}},
    {"split_folio", {"splits", "skipped"}},
    {"ptep_get_lockless", {"consistent", "any-entries"}},
    {"walker", {}},
}};

/// What the block is at first.
enum Contents : u64 {
  folded,     // CONT, writable; all clean, or one entry dirty.
  unfolded,   // As many single entries, otherwise the same: what write faults one by one leave.
  read_only,  // CONT, not writable, shared with another mm.
};
/// Of the block: all of it; its middle; its first half; its second half.
enum Range : u64 { whole, middle, head, tail };
/// Who unmaps: munmap, which keeps faults out until its flush; MADV_DONTNEED, which does not.
enum Unmaps : u64 { munmap, dontneed };
/// Nobody; who unmaps all; who may also find no swap slot for a page; who always keeps the folio after
/// unmapping it.
enum Reclaims : u64 { nobody, unmaps_all, may_abort, keeps_all };
/// Whose TLB entry it is: a CPU's, or that of an SMMU that shares the tables and manages neither AF nor dirty
/// state, beside CPUs that do.
enum WalkerKind : u64 { cpu_walker, smmu_walker };
enum Variant : u64 { batched, per_pte };
/// PageAnonExclusive: on every page; on the first half.
enum Exclusive : u64 { everywhere, first_half };

}  // namespace ptmc::contpte
