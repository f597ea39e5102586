// The bad twins of the machine of mprotect: one mutation each, and where it is a bug; and what the kernel
// does as it is.
#pragma once
#include <string>
#include <vector>

#include "properties/mprotect/instances.hpp"

namespace ptmc::mprotect {

struct Twin {
  const char* id;             // "B11", "H1-excess", "M5".
  const char* commit = "";    // Empty: no such bug was ever merged, or it is not fixed.
  const char* instance;       // Of mprotect::instances().
  const char* mutation = "";  // Empty: none.
  const char* property;       // What it violates.
  const char* what;
  On on = On::both;
  const char* also = "";  // What else it breaks, with a shorter trace: not asked for.
  const char* elsewhere =
      "";  // Why it does no harm on the other architecture; empty: it does not exist there.

  /// "bug/B11", "seed000/H1-excess".
  std::string claim() const { return (id[0] == 'B' ? "bug/" : "seed000/") + std::string(id); }
  /// The kernel as it is, or was: only the property that it breaks is asked for.
  bool is_kernel() const { return id[0] == 'H'; }
};

inline const std::vector<Twin> twins = {
    {.id = "B11",
     .commit = "cf1b80dc31a1",
     .instance = "anon-fork",
     .mutation = "knob:anon_exclusive=from-folio-head",
     .property = "excess",
     .what = "AnonExclusive is read from the head of the folio on, not from the batch's own first page"},
    {.id = "B16",
     .commit = "76aefad628aa",
     .instance = "soft-dirty",
     .mutation = "knob:soft_dirty=inverted",
     .property = "lost",
     .what = "the test for soft-dirty tracking is inverted, and clear_refs misses a store",
     .on = On::x86_64},
    {.id = "B17",
     .commit = "51d3d5eb74ff",
     .instance = "uffd-wp",
     .mutation = "knob:writenotify=without-uffd-wp",
     .property = "lost",
     .what = "vm_page_prot of a uffd-wp VMA has W, and mprotect overrides the write protection"},
    {.id = "v1-file",
     .instance = "private-file",
     .mutation = "knob:change_pte_range=v1",
     .property = "excess",
     .what = "version 1: page cache mapped once is made writable in a private mapping"},
    {.id = "v1-fork",
     .instance = "anon-fork",
     .mutation = "knob:change_pte_range=v1",
     .property = "excess",
     .what = "version 1: what a child still reads is writable as soon as it has unmapped it",
     .also = "stale"},
    {.id = "M1",
     .instance = "anon",
     .mutation = "knob:fpb_respect_write=ignored",
     .property = "stale",
     .what = "the batch ignores the write bit: a read-only first entry stands for writable ones",
     .on = On::x86_64,
     .elsewhere = "arm64 flushes after every change (pte_needs_flush is not overridden)"},
    {.id = "M3",
     .instance = "anon",
     .mutation = "knob:anon_exclusive=first-page",
     .property = "excess",
     .what = "AnonExclusive of the first page decides for the whole batch"},
    {.id = "M4",
     .instance = "anon",
     .mutation = "knob:pte_advance_pfn=same",
     .property = "done",
     .what = "the frame number does not advance with the batch"},
    {.id = "M5",
     .instance = "anon",
     .mutation = "knob:merged_dirty=first",
     .property = "lost",
     .what = "D of the later entries is not merged"},
    {.id = "M6",
     .instance = "anon",
     .mutation = "split:mprotect/ptep_get_and_clear",
     .property = "lost",
     .what = "entries are read and cleared by a load and a store instead of an xchg"},
    {.id = "M12-soft-dirty",
     .instance = "soft-dirty",
     .mutation = "knob:soft_dirty=not-tested",
     .property = "lost",
     .what = "the write bit is set without a look at soft-dirty tracking",
     .on = On::x86_64},
    {.id = "no-flush",
     .instance = "anon",
     .mutation = "drop:mprotect/tlb_flush_mmu",
     .property = "stale",
     .what = "mprotect returns without a flush"},
    {.id = "M9",
     .instance = "shared-file-writeback",
     .mutation = "knob:pte_accessible=no-pending",
     .property = "lost",
     .what = "writeback takes a PROT_NONE entry for not accessible, though mprotect's flush is pending"},
    {.id = "M13",
     .instance = "shared-file-writeback",
     .mutation = "move:mprotect/dec_tlb_flush_pending=vma_set_page_prot",
     .property = "lost",
     .what = "the pending count falls before the flush that it announces, and writeback skips its own"},
    {.id = "no-clear-flush",
     .instance = "shared-file-writeback",
     .mutation = "drop:writeback/folio_mkclean/ptep_clear_flush/flush_tlb_page",
     .property = "lost",
     .what = "writeback cleans an entry without a flush",
     .also = "stale"},
    {.id = "mkclean-drops-ptl",
     .instance = "shared-file-writeback",
     .mutation = "knob:page_vma_mapped_walk=drops-ptl",
     .property = "lost",
     .what = "D merged into a page that writeback has cleaned, while it cleans the next: no page_mkwrite"},
    {.id = "M10",
     .commit = "3ea277194daa",
     .instance = "anon-reclaim",
     .mutation = "drop:mprotect/change_pte_range/flush_tlb_batched_pending",
     .property = "stale",
     .what = "mprotect finds swap entries and overlooks the flush that reclaim still owes (bug/B01)"},
    {.id = "M10b",
     .commit = "4b634918384c",
     .instance = "anon-reclaim",
     .mutation = "drop:mprotect/change_pte_range/flush_tlb_batched_pending/arch_flush_tlb_batched_pending/"
                 "tlbi_aside1is",
     .property = "stale",
     .what = "mprotect's DSB does not wait for the TLBI that reclaim has issued on another PE (bug/B03)",
     .on = On::arm64},
    {.id = "io-before-flush",
     .instance = "anon-reclaim-stores",
     .mutation = "drop:reclaim/try_to_unmap_flush_dirty",
     .property = "lost",
     .what = "reclaim writes dirty pages to swap before the flush that it owes"},
    {.id = "no-unmap-flush",
     .instance = "anon-reclaim",
     .mutation = "drop:reclaim/try_to_unmap_flush",
     .property = "stale",
     .what = "reclaim gives the folio back without the flush that it owes"},
    {.id = "H1-excess",
     .instance = "shadow-stack",
     .property = "excess",
     .what = "the kernel as it is: a clean page that others read becomes shadow stack with its batch",
     .on = On::x86_64},
    {.id = "H1-stale",
     .instance = "shadow-stack-fork",
     .property = "stale",
     .what = "the kernel as it is: D merged into a shadow-stack entry takes its write right, unflushed",
     .on = On::x86_64},
    {.id = "H2",
     .instance = "shadow-stack-fork",
     .mutation = "knob:change_pte_range=per-pte",
     .property = "done",
     .what = "since 6.6: mprotect(PROT_READ) leaves a single shadow-stack page writable",
     .on = On::x86_64},
    {.id = "H3",
     .instance = "soft-dirty",
     .property = "precise",
     .what = "the kernel as it is: one dirty page makes its whole batch soft-dirty",
     .on = On::x86_64},
};

/// A mutation that does no harm, with the reason.
struct Harmless {
  const char *id, *instance, *mutation, *what;
};
inline const std::vector<Harmless> harmless = {
    {"M15", "anon", "knob:pte_needs_flush=first-old",
     "a flush decided by the first entry alone: D, the only bit merged that counts, is never taken away"},
};

}  // namespace ptmc::mprotect
