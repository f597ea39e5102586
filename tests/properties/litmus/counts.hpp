// Exact numbers of reachable states and of edges of the litmus programs, in the order of their tables.
#pragma once
#include <vector>

#include "model/core/types.hpp"

namespace ptmc::litmus {

struct Count {
  const char* program;
  u64 states, edges;
};

inline const std::vector<Count> counts_x86_64{
    {"invlpg-is-local", 64, 248},
    {"shootdown", 153, 614},
    {"shootdown-not-waited-for", 159, 617},
    {"shootdown-before-store", 201, 820},
    {"interrupts-off-holds-the-initiator", 345, 1411},
    {"lazy-cpu-is-skipped", 117, 465},
    {"another-page-invalidated", 31, 90},
    {"accessed-before-cached", 60, 291},
    {"speculation-sets-accessed-only", 10, 25},
    {"store-sets-dirty", 85, 434},
    {"store-through-clean-entry", 105, 433},
    {"store-through-clean-entry-finds-new-frame", 201, 1092},
    {"store-through-clean-entry-finds-read-only", 173, 959},
    {"store-through-dirty-entry", 72, 267},
    {"xchg-catches-dirty", 56, 245},
    {"write-protect-without-flush", 329, 1913},
    {"read-only-made-writable", 117, 620},
    {"absent-is-not-cached", 113, 552},
    {"absent-is-not-used", 4, 7},
    {"dropped-at-any-time", 25, 61},
    {"replaced-without-flush", 281, 1486},
    {"walk-in-flight", 14, 21},
    {"walk-cache-outlives-its-entry", 114, 372},
    {"shootdown-of-a-table", 669, 3919},
    {"fault-drops-the-walk-cache", 140, 606},
    {"upper-level-read-only", 10, 30},
    {"upper-level-supervisor", 6, 16},
    {"upper-level-no-execute", 10, 29},
    {"pcid-separates", 20, 56},
    {"invlpg-spares-other-pcids", 44, 113},
    {"global-serves-every-pcid", 40, 107},
    {"cr3-without-pcid-drops", 24, 58},
    {"cr3-spares-globals", 24, 55},
    {"cr3-drops-the-rest", 18, 40},
    {"wrpkru-acts-at-once", 14, 42},
    {"key-is-in-the-entry", 170, 945},
};

inline const std::vector<Count> counts_arm64{
    {"store-without-tlbi", 195, 798},
    {"tlbi-without-dsb", 190, 783},
    {"dsb-by-another-pe", 207, 888},
    {"no-dsb-ishst", 231, 987},
    {"no-dsb-ishst-after-table-store", 168, 663},
    {"store-read-by-another-pe", 113, 454},
    {"tlbi-before-store", 240, 1032},
    {"interrupts-off-holds-nobody", 398, 1731},
    {"another-page-invalidated", 45, 140},
    {"range-invalidated", 500, 3267},
    {"wrong-ttl", 213, 864},
    {"leaf-only-then-refill", 177, 618},
    {"walk-in-flight", 22, 31},
    {"table-replaced", 819, 5219},
    {"af-set-before-caching", 60, 291},
    {"speculation-sets-af-only", 10, 25},
    {"af-clear-without-ha", 143, 720},
    {"store-clears-rdonly", 85, 434},
    {"dbm-without-hd", 11, 32},
    {"store-through-clean-entry", 123, 633},
    {"store-through-dirty-entry", 195, 806},
    {"xchg-catches-dirty", 59, 299},
    {"write-protect-without-flush", 387, 2316},
    {"read-only-made-writable", 686, 4158},
    {"invalid-is-not-cached", 143, 720},
    {"made-valid-without-dsb", 175, 900},
    {"invalid-is-not-used", 4, 7},
    {"dropped-at-any-time", 39, 95},
    {"upper-level-read-only", 11, 32},
    {"upper-level-no-el0", 7, 18},
    {"upper-level-no-execute", 11, 31},
    {"cont-block-mixes-attributes", 44, 301},
    {"cont-block-dies-by-any-address", 7149, 97936},
    {"cont-dirty-in-one-descriptor", 1252, 16014},
    {"live-change-without-break", 129, 706},
    {"break-before-make", 104, 460},
    {"make-before-the-dsb", 304, 1538},
    {"permission-change-needs-no-break", 126, 697},
    {"cont-change-without-break", 129, 706},
    {"cont-change-with-bbm-level-2", 93, 514},
    {"asid-separates", 20, 56},
    {"tlbi-spares-other-asids", 79, 200},
    {"global-serves-every-asid", 59, 162},
    {"aside1-spares-globals", 44, 103},
    {"por-before-and-after-isb", 27, 85},
    {"por-settled-by-exception", 31, 98},
    {"poindex-is-in-the-entry", 635, 3942},
};

}  // namespace ptmc::litmus
