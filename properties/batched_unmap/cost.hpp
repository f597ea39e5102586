// What reclaim pays in flushes before and after seed 004: counted along one run that nobody disturbs.
#pragma once
#include "checker/lone_run.hpp"
#include "properties/batched_unmap/explore.hpp"
#include "properties/batched_unmap/tariff.hpp"

namespace ptmc::batched_unmap {

/// x86-64 sends IPIs, arm64 issues TLBIs and waits for them by DSB ISH: the counts of the other are 0.
struct Cost {
  u64 flushes = 0;  // x86-64: rounds of IPIs that somebody waits for.
  u64 ipis = 0;     // CPUs interrupted.
  u64 tlbis = 0;
  u64 stores_visible = 0;  // DSB ISHST: the entry before the TLBI.
  u64 waits = 0;           // DSB ISH.

  bool operator==(const Cost&) const = default;
};
/// "1 flush, 2 IPIs"; "nothing".
std::string to_string(const Cost& cost);

enum class Mapped : u8 { accessible, protnone };  // What reclaim finds: by a write, or after a NUMA scan.

struct ReclaimCost {
  Cost reclaim;    // All pages in one pass of shrink_folio_list.
  Cost next_scan;  // What the NUMA scan after it pays: the drain, as the pages are gone.

  bool operator==(const ReclaimCost&) const = default;
};
/// Of the clean pages of `question.instance`, which runs reclaim and change_prot_numa.
ReclaimCost cost_of_reclaim(const Question& question, Mapped mapped, const RunOptions& options);

/// One result for accessible and one for PROT_NONE pages: the skip costs what batching does, and nothing.
std::vector<Result> count_costs(const Question& question, const Claim& claim, const RunOptions& options);

}  // namespace ptmc::batched_unmap
