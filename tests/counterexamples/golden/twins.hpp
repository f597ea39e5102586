// The bad twins of seed 004's machine: one mutation each, the kernel commit that fixed the bug, and where it
// is one.
#pragma once
#include <string>
#include <vector>

#include "checker/lower/setup.hpp"

namespace ptmc::golden {

enum class On { both, x86_64, arm64 };

struct Twin {
  const char* id;      // "B06", "D7-free-before-flush".
  const char* commit;  // Empty: no such bug was ever merged.
  const char* what;
  std::vector<ActorCount> actors;
  u64 pages;
  const char* mutation;  // Empty: none.
  const char* property;
  On on = On::both;
};

inline const std::vector<Twin> twins = {
    {"B01",
     "3ea277194daa",
     "mprotect overlooks the flush that a parallel reclaim still owes",
     {{"reclaim"}, {"mprotect"}},
     1,
     "drop:mprotect/change_pte_range/flush_tlb_batched_pending",
     "stale"},
    {"B03",
     "4b634918384c",
     "a DSB without a TLBI of its own does not wait for another PE's TLBI",
     {{"reclaim"}, {"mprotect"}},
     1,
     "drop:mprotect/change_pte_range/flush_tlb_batched_pending/arch_flush_tlb_batched_pending/"
     "tlbi_aside1is",
     "stale",
     On::arm64},
    {"B04",
     "8f1d56f64f8d",
     "the flush handler takes the generation 0 of a batch for one already flushed",
     {{"reclaim"}},
     1,
     "knob:flush_tlb_func=gen-zero-is-old",
     "reach",
     On::x86_64},
    {"B05",
     "07509e10dcc7",
     "an old entry counts as not accessible, though its TLBI may not have completed",
     {{"reclaim"}, {"aging"}},
     1,
     "knob:pte_accessible=valid-and-young",
     "reach",
     On::arm64},
    {"B06",
     "20841405940e",
     "a PROT_NONE entry counts as not accessible, though its flush is still pending",
     {{"reclaim"}, {"change_prot_numa"}},
     1,
     "knob:pte_accessible=no-pending",
     "reach"},
    {"B07",
     "16af97dc5a89",
     "two changes share one pending flag, and the first to finish clears it for both",
     {{"reclaim"}, {"change_prot_numa", 2}},
     1,
     "knob:tlb_flush_pending=bool",
     "reach"},
    {"B08",
     "0a2c40487f3e",
     "the pending count falls before the flush that it announces is done",
     {{"reclaim"}, {"change_prot_numa"}},
     1,
     "move:change_prot_numa/dec_tlb_flush_pending=mm_tlb_flush_nested",
     "reach"},
    {"B09",
     "99baac21e458",
     "MADV_DONTNEED finds an entry that another one has cleared, and flushes nothing",
     {{"madvise_dontneed", 2}},
     1,
     "drop:madvise_dontneed/tlb_finish_mmu/mm_tlb_flush_nested",
     "stale"},
    {"D7-free-before-flush",
     "",
     "reclaim frees the frame before the flush that it owes",
     {{"reclaim"}},
     1,
     "drop:reclaim/try_to_unmap_flush",
     "reach"},
    {"D7-io-before-flush",
     "",
     "reclaim writes a dirty page out before the flush that it owes",
     {{"reclaim"}},
     1,
     "drop:reclaim/try_to_unmap_flush_dirty",
     "lost"},
    {"D7-bool-drain",
     "5ee2fa2f0636",
     "a flag in place of two generations forgets a batch that grows during the flush",
     {{"reclaim"}, {"mprotect"}},
     2,
     "knob:tlb_flush_batched=bool",
     "stale"},
    {"D7-nested-init",
     "",
     "reclaim inside reclaim starts the task's batch anew",
     {{"reclaim"}},
     1,
     "knob:tlb_ubc=init-when-nested",
     "reach"},
    {"D7-load-store",
     "",
     "an entry cleared by a load and a store loses the dirty bit that a walker sets between them",
     {{"reclaim"}},
     1,
     "split:reclaim/ptep_get_and_clear",
     "lost"},
    {"D7-pending-before-ptl",
     "",
     "the pending count is read before the PTL is taken",
     {{"reclaim"}, {"change_prot_numa"}},
     1,
     "knob:mm_tlb_flush_pending=before-ptl",
     "reach"},
    {"D7-migrate-no-flush",
     "",
     "migration copies and frees before the flush that it owes",
     {{"migrate"}, {"change_prot_numa"}},
     1,
     "drop:migrate/try_to_unmap_flush",
     "reach"},
    {"H1",
     "",
     "the kernel as it is: a clean page is read in its old state after a store to its new frame",
     {{"reclaim"}, {"mprotect"}},
     1,
     "",
     "coherent"},
};

}  // namespace ptmc::golden
