// The bad twins of seed 004's machine: one mutation each, the kernel commit that fixed the bug, and where it
// is one. Also facts mremap/H1, which needs no mutation.
#pragma once
#include <string>
#include <vector>

#include "properties/batched_unmap/instances.hpp"

namespace ptmc::batched_unmap {

struct Twin {
  const char* id;        // "B06", "D7-free-before-flush".
  const char* commit;    // Empty: no such bug was ever merged, or its fix is not known.
  const char* instance;  // Of batched_unmap::instances().
  const char* mutation;  // Empty: none.
  const char* property;  // What it violates first.
  const char* what;
  On on = On::both;
  const char* alone = "";      // The one software actor that suffices; empty: it takes all of the instance's.
  const char* why_alone = "";  // Then: why no second one is needed.
  bool quick = false;          // In the default run, though its instance is not.

  /// "bug/B06", "mremap/H1".
  std::string claim() const { return (id[0] == 'B' ? "bug/" : "mremap/") + std::string(id); }
};

inline const std::vector<Twin> twins = {
    {"B01", "3ea277194daa", "reclaim-mprotect", "drop:mprotect/change_pte_range/flush_tlb_batched_pending",
     "stale", "mprotect overlooks the flush that a parallel reclaim still owes"},
    {"B03", "4b634918384c", "reclaim-mprotect",
     "drop:mprotect/change_pte_range/flush_tlb_batched_pending/arch_flush_tlb_batched_pending/tlbi_aside1is",
     "stale", "a DSB without a TLBI of its own does not wait for another PE's TLBI", On::arm64},
    {"B04", "8f1d56f64f8d", "reclaim-numa", "knob:flush_tlb_func=gen-zero-is-old", "reach",
     "the flush handler takes the generation 0 of a batch for one already flushed", On::x86_64, "reclaim",
     "the flush that is ignored is reclaim's own"},
    {"B05", "07509e10dcc7", "reclaim-aging", "knob:pte_accessible_af=required", "reach",
     "an old entry counts as not accessible, though its TLBI may not have completed", On::arm64},
    {"B06", "20841405940e", "reclaim-numa", "knob:pte_accessible=no-pending", "reach",
     "a PROT_NONE entry counts as not accessible, though its flush is still pending"},
    {"B07", "16af97dc5a89", "reclaim-numa-numa", "knob:tlb_flush_pending=bool", "reach",
     "two changes share one pending flag, and the first to finish clears it for both"},
    {"B08", "0a2c40487f3e", "reclaim-numa", "move:change_prot_numa/dec_tlb_flush_pending=mm_tlb_flush_nested",
     "reach", "the pending count falls before the flush that it announces is done"},
    {"B09", "99baac21e458", "dontneed-dontneed", "drop:madvise_dontneed/tlb_finish_mmu/mm_tlb_flush_nested",
     "stale", "MADV_DONTNEED finds an entry that another one has cleared, and flushes nothing"},
    {"D7-free-before-flush", "", "reclaim-aging", "drop:reclaim/try_to_unmap_flush", "reach",
     "reclaim frees the frame before the flush that it owes", On::both, "reclaim",
     "its own order is wrong; the other side is a user CPU"},
    {"D7-io-before-flush", "", "reclaim-aging", "drop:reclaim/try_to_unmap_flush_dirty", "lost",
     "reclaim writes a dirty page out before the flush that it owes", On::both, "reclaim",
     "its own order is wrong; the other side is a user CPU"},
    {"D7-bool-drain", "5ee2fa2f0636", "reclaim-mprotect-2", "knob:tlb_flush_batched=bool", "stale",
     "a flag in place of two generations forgets a batch that grows during the flush"},
    {"D7-nested-init", "b385d21f27d8", "reclaim-aging", "knob:tlb_ubc=init-when-nested", "reach",
     "reclaim inside reclaim starts the task's batch anew", On::both, "reclaim",
     "both levels of reclaim are one task"},
    {"D7-load-store", "", "reclaim-aging", "split:reclaim/ptep_get_and_clear", "lost",
     "an entry cleared by a load and a store loses the dirty bit that a walker sets between them", On::both,
     "reclaim", "the other side is a walker"},
    {"D7-pending-before-ptl", "", "reclaim-numa", "knob:mm_tlb_flush_pending=before-ptl", "reach",
     "the pending count is read before the PTL is taken"},
    {"D7-migrate-no-flush", "", "migrate-numa", "drop:migrate/try_to_unmap_flush", "reach",
     "migration copies and frees before the flush that it owes", On::both, "migrate",
     "its own order is wrong; the other side is a user CPU"},
    {"H2", "", "reclaim-dontneed-2", "knob:tlb_flush_batched=wrap-at-3", "stale",
     "the batch count wraps during one drain, which then takes later batches for flushed", On::both, "", "",
     true},
    {"H1", "", "reclaim-mprotect", "", "coherent",
     "the kernel as it is: a clean page is read in its old state after a store to its new frame", On::both,
     "reclaim", "the new frame comes from a fault"},
};

}  // namespace ptmc::batched_unmap
