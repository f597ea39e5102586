// The bad twins of the machine of contpte: one mutation each, and what it breaks on BBM level 0 and 2.
#pragma once
#include <string>
#include <vector>

#include "properties/contpte/instances.hpp"

namespace ptmc::contpte {

struct Twin {
  const char* id;           // "B48", "no-break".
  const char* commit = "";  // Of a bug: what fixed it.
  const char* instance;     // Of contpte::instances().
  const char* mutation;
  const char* level0;  // The property that it violates on BBM level 0, and 2; empty: none.
  const char* level2 = "";
  const char* what;
  const char* harmless = "";  // Why it breaks nothing on the other level.
  const char* also = "";      // What else it breaks, with a trace no longer: not asked for.
  bool both = true;           // Claimed of both levels; else of level 0: the other is no different there.
  bool late = false;          // Not in the default run.
  bool x86 = false;           // x86-64 has that bug, too, which no machine here has.

  /// "bug/B48", "contpte/no-break".
  std::string claim() const { return (id[0] == 'B' ? "bug/" : "contpte/") + std::string(id); }
};

constexpr const char* elided =
    "since 6.17 this flush is not made on BBM level 2: the caller's final one carries the proof "
    "(contpte/no-final-flush-*)";
constexpr const char* flushed_already = "unfolding has flushed the whole block on BBM level 0";

inline const std::vector<Twin> twins = {
    {.id = "B47",
     .commit = "060a2c92d1b6",
     .instance = "copy",
     .mutation = "drop:copy/ptep_clear_flush",
     .level0 = "bbm",
     .level2 = "bbm",
     .what = "a live entry gets another frame without a break"},
    {.id = "B48",
     .commit = "97c5550b7631",
     .instance = "fork-part-fault",
     .mutation = "knob:set_access_flags=gathered",
     .level0 = "done",
     .what = "set_access_flags finds D in another entry of the block and leaves a walker without HD faulting",
     .both = false},
    {.id = "B49",
     .commit = "ad5ca55f6bdb",
     .instance = "fork-part-fault",
     .mutation = "drop:fork/copy_pte_range/wrprotect_ptes/contpte_try_unfold_partial/contpte_try_unfold/"
                 "contpte_convert/__flush_tlb_range",
     .level0 = "bbm",
     .level2 = "",
     .what = "x86's bug, told on a CONT block: no flush between a change of size and one of rights",
     .harmless = elided,
     .x86 = true},
    {.id = "B50",
     .commit = "e3ba51ab24fd",
     .instance = "mprotect",
     .mutation = "operand:mprotect/tlb_flush_mmu/tlbi_rvale1is=short-range",
     .level0 = "stale",
     .what = "the range of a TLBI ends short of the block",
     .both = false},
    {.id = "wrong-level",
     .instance = "mprotect",
     .mutation = "operand:mprotect/tlb_flush_mmu/tlbi_rvale1is=wrong-level",
     .level0 = "stale",
     .what = "a TLBI names another level than the leaves'",
     .both = false},
    {.id = "no-break-fold",
     .instance = "mprotect-per-pte",
     .mutation = "drop:mprotect/change_pte_range/modify_prot_commit_ptes/set_ptes/contpte_try_fold/"
                 "contpte_convert/__flush_tlb_range",
     .level0 = "bbm",
     .level2 = "",
     .what = "a block is folded without its middle flush",
     .harmless = elided},
    {.id = "no-break-unfold",
     .instance = "mprotect-part",
     .mutation = "drop:mprotect/change_pte_range/modify_prot_start_ptes/get_and_clear_full_ptes/"
                 "contpte_try_unfold_partial/contpte_try_unfold/contpte_convert/__flush_tlb_range",
     .level0 = "bbm",
     .level2 = "",
     .what = "a block is unfolded without its middle flush",
     .harmless = elided},
    {.id = "no-commit",
     .instance = "mprotect",
     .mutation = "drop:mprotect/change_pte_range/modify_prot_commit_ptes",
     .level0 = "done",
     .what = "mprotect clears the block and sets nothing",
     .both = false},
    {.id = "no-final-flush-mprotect",
     .instance = "mprotect-part",
     .mutation = "drop:mprotect/tlb_flush_mmu",
     .level0 = "stale",
     .level2 = "stale",
     .what = "mprotect returns without the flush that carries the proof where the middle one is elided"},
    {.id = "no-final-flush-fork",
     .instance = "fork-part-fault",
     .mutation = "drop:fork/flush_tlb_mm",
     .level0 = "stale",
     .level2 = "stale",
     .what = "fork returns without the flush that carries the proof where the middle one is elided",
     .late = true},
    {.id = "no-final-flush-zap",
     .instance = "zap-part",
     .mutation = "drop:zap/tlb_flush_mmu",
     .level0 = "reach",
     .level2 = "reach",
     .what = "pages are given back without a flush"},
    {.id = "first-address-mprotect",
     .instance = "mprotect-part",
     .mutation = "knob:any_address=first-page-only",
     .level0 = "",
     .level2 = "stale",
     .what = "a TLBI reaches a block's TLB entry by the address of its first page only",
     .harmless = flushed_already},
    {.id = "first-address-zap",
     .instance = "zap-part",
     .mutation = "knob:any_address=first-page-only",
     .level0 = "",
     .level2 = "reach",
     .what = "the same, and pages are given back",
     .harmless = flushed_already},
    {.id = "no-unfold-fork",
     .instance = "fork-part-fault",
     .mutation = "drop:fork/copy_pte_range/wrprotect_ptes/contpte_try_unfold_partial",
     .level0 = "excess",
     .what = "part of a block loses W without unfolding: any entry may speak for all, also after the flush",
     .also = "uniform stale",
     .both = false},
    {.id = "no-unfold-zap",
     .instance = "zap-part",
     .mutation = "drop:zap/zap_pte_range/get_and_clear_full_ptes/contpte_try_unfold_partial",
     .level0 = "reach",
     .what = "mutant M14: part of a block is cleared without unfolding, the rest still speaks for it",
     .also = "uniform bbm lost",
     .both = false},
    {.id = "wrprotect-races",
     .instance = "fork",
     .mutation = "split:fork/copy_pte_range/wrprotect_ptes/ptep_set_wrprotect",
     .level0 = "lost",
     .what = "W is taken by a load and a store instead of a cmpxchg",
     .also = "uniform",
     .both = false},
    {.id = "free-before-flush",
     .instance = "reclaim",
     .mutation = "drop:reclaim/try_to_unmap_flush",
     .level0 = "reach",
     .level2 = "reach",
     .what = "reclaim gives the folio back without its flush"},
    {.id = "no-drain",
     .instance = "reclaim-mprotect",
     .mutation = "drop:mprotect/change_pte_range/flush_tlb_batched_pending",
     .level0 = "stale",
     .level2 = "stale",
     .what = "mprotect finds swap entries, flushes nothing and returns before reclaim's flush",
     .both = false,
     .late = true},
    {.id = "no-unfold-reclaim",
     .instance = "reclaim",
     .mutation = "drop:reclaim/try_to_unmap_one/contpte_try_unfold",
     .level0 = "reach",
     .level2 = "reach",
     .what = "reclaim clears the pages of a block one by one without unfolding it",
     .also = "lost",
     .both = false},
    {.id = "no-tlbi-reclaim",
     .instance = "reclaim",
     .mutation = "drop:reclaim/try_to_unmap_one/set_tlb_ubc_flush_pending/tlbi_vale1is_nosync",
     .level0 = "reach",
     .level2 = "reach",
     .what = "the break of unfolding does not stand for the flush of the pages",
     .also = "lost"},
    {.id = "no-pending-reclaim",
     .instance = "reclaim-mprotect",
     .mutation = "knob:pte_accessible=no-pending",
     .level0 = "reach",
     .level2 = "reach",
     .what =
         "bug B06 on a block: a PROT_NONE entry counts as not accessible, though its flush is still pending",
     .also = "lost",
     .late = true},
    {.id = "io-before-flush",
     .instance = "reclaim",
     .mutation = "drop:reclaim/try_to_unmap_flush_dirty",
     .level0 = "lost",
     .level2 = "lost",
     .what = "the folio is written to swap before the flush",
     .both = false},
    {.id = "dsb-own-stores",
     .instance = "reclaim-mprotect",
     .mutation = "knob:dsb_ishst=own-stores",
     .level0 = "reach",
     .level2 = "reach",
     .what = "hardware whose DSB orders its own stores only, not those of who had the PTL before: a walk for "
             "one page "
             "of a block still uses the descriptor of another",
     .also = "lost stale",
     .late = true},
    {.id = "aging-races",
     .instance = "aging",
     .mutation = "split:aging/ptep_clear_flush_young/ptep_test_and_clear_young",
     .level0 = "lost",
     .what = "AF is cleared by a load and a store instead of a cmpxchg",
     .both = false,
     .late = true},
};

}  // namespace ptmc::contpte
