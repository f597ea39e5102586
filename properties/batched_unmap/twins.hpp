// The bad twins of seed 004's machine: one mutation each, the kernel commit that fixed the bug, and where it
// is one. Also facts mremap/H1, which needs no mutation.
#pragma once
#include <string>
#include <vector>

#include "properties/batched_unmap/instances.hpp"

namespace ptmc::batched_unmap {

struct Twin {
  const char* id;             // "B06", "D7-free-before-flush".
  const char* commit = "";    // Empty: no such bug was ever merged, or its fix is not known.
  const char* instance;       // Of batched_unmap::instances().
  const char* mutation = "";  // Empty: none.
  const char* property;       // What it violates first.
  const char* also = "";      // What else, in the whole of its instance.
  const char* what;
  On on = On::both;
  const char* alone = "";      // The one software actor that suffices; empty: it takes all of the instance's.
  const char* why_alone = "";  // Then: why no second one is needed.

  /// "bug/B06", "mremap/H1".
  std::string claim() const { return (id[0] == 'B' ? "bug/" : "mremap/") + std::string(id); }
};

inline const std::vector<Twin> twins = {
    {.id = "B01",
     .commit = "3ea277194daa",
     .instance = "reclaim-mprotect",
     .mutation = "drop:mprotect/change_pte_range/flush_tlb_batched_pending",
     .property = "stale",
     .what = "mprotect overlooks the flush that a parallel reclaim still owes"},
    {.id = "B03",
     .commit = "4b634918384c",
     .instance = "reclaim-mprotect",
     .mutation = "drop:mprotect/change_pte_range/flush_tlb_batched_pending/arch_flush_tlb_batched_pending/"
                 "tlbi_aside1is",
     .property = "stale",
     .what = "a DSB without a TLBI of its own does not wait for another PE's TLBI",
     .on = On::arm64},
    {.id = "B04",
     .commit = "8f1d56f64f8d",
     .instance = "reclaim-numa",
     .mutation = "knob:flush_tlb_func=gen-zero-is-old",
     .property = "reach",
     .also = "lost",
     .what = "the flush handler takes the generation 0 of a batch for one already flushed",
     .on = On::x86_64,
     .alone = "reclaim",
     .why_alone = "the flush that is ignored is reclaim's own"},
    {.id = "B05",
     .commit = "07509e10dcc7",
     .instance = "reclaim-aging",
     .mutation = "knob:pte_accessible_af=required",
     .property = "reach",
     .also = "lost",
     .what = "an old entry counts as not accessible, though its TLBI may not have completed",
     .on = On::arm64},
    {.id = "B06",
     .commit = "20841405940e",
     .instance = "reclaim-numa",
     .mutation = "knob:pte_accessible=no-pending",
     .property = "reach",
     .also = "lost",
     .what = "a PROT_NONE entry counts as not accessible, though its flush is still pending"},
    {.id = "B07",
     .commit = "16af97dc5a89",
     .instance = "reclaim-numa-numa",
     .mutation = "knob:tlb_flush_pending=bool",
     .property = "reach",
     .what = "two changes share one pending flag, and the first to finish clears it for both"},
    {.id = "B08",
     .commit = "0a2c40487f3e",
     .instance = "reclaim-numa",
     .mutation = "move:change_prot_numa/dec_tlb_flush_pending=mm_tlb_flush_nested",
     .property = "reach",
     .also = "lost",
     .what = "the pending count falls before the flush that it announces is done"},
    {.id = "B09",
     .commit = "99baac21e458",
     .instance = "dontneed-dontneed",
     .mutation = "drop:madvise_dontneed/tlb_finish_mmu/mm_tlb_flush_nested",
     .property = "stale",
     .what = "MADV_DONTNEED finds an entry that another one has cleared, and flushes nothing"},
    {.id = "D7-free-before-flush",
     .instance = "reclaim-aging",
     .mutation = "drop:reclaim/try_to_unmap_flush",
     .property = "reach",
     .what = "reclaim frees the frame before the flush that it owes",
     .alone = "reclaim",
     .why_alone = "its own order is wrong; the other side is a user CPU"},
    {.id = "D7-io-before-flush",
     .instance = "reclaim-aging",
     .mutation = "drop:reclaim/try_to_unmap_flush_dirty",
     .property = "lost",
     .what = "reclaim writes a dirty page out before the flush that it owes",
     .alone = "reclaim",
     .why_alone = "its own order is wrong; the other side is a user CPU"},
    {.id = "D7-bool-drain",
     .commit = "5ee2fa2f0636",
     .instance = "reclaim-mprotect-2",
     .mutation = "knob:tlb_flush_batched=bool",
     .property = "stale",
     .what = "a flag in place of two generations forgets a batch that grows during the flush"},
    {.id = "D7-nested-init",
     .commit = "b385d21f27d8",
     .instance = "reclaim-aging",
     .mutation = "knob:tlb_ubc=init-when-nested",
     .property = "reach",
     .what = "reclaim inside reclaim starts the task's batch anew",
     .alone = "reclaim",
     .why_alone = "both levels of reclaim are one task"},
    {.id = "D7-load-store",
     .instance = "reclaim-aging",
     .mutation = "split:reclaim/ptep_get_and_clear",
     .property = "lost",
     .what = "an entry cleared by a load and a store loses the dirty bit that a walker sets between them",
     .alone = "reclaim",
     .why_alone = "the other side is a walker"},
    {.id = "D7-pending-before-ptl",
     .instance = "reclaim-numa",
     .mutation = "knob:mm_tlb_flush_pending=before-ptl",
     .property = "reach",
     .also = "lost",
     .what = "the pending count is read before the PTL is taken"},
    {.id = "D7-migrate-no-flush",
     .instance = "migrate-numa",
     .mutation = "drop:migrate/try_to_unmap_flush",
     .property = "reach",
     .also = "lost",
     .what = "migration copies and frees before the flush that it owes",
     .alone = "migrate",
     .why_alone = "its own order is wrong; the other side is a user CPU"},
    {.id = "H2",
     .instance = "reclaim-dontneed-2",
     .mutation = "knob:tlb_flush_batched=wrap-at-3",
     .property = "stale",
     .what = "the batch count wraps during one drain, which then takes later batches for flushed"},
    {.id = "H1",
     .instance = "reclaim-mprotect",
     .property = "coherent",
     .what = "the kernel as it is: a clean page is read in its old state after a store to its new frame",
     .alone = "reclaim",
     .why_alone = "the new frame comes from a fault"},
};

}  // namespace ptmc::batched_unmap
