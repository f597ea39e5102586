// Every step of the machine of contpte is there for a reason: without it, an instance is not green.
#include <doctest/doctest.h>

#include "properties/contpte/explore.hpp"
#include "tests/properties/machine/steps.hpp"

using namespace ptmc;
using namespace ptmc::contpte;
using machine_test::Names;

namespace {

/// contpte's helpers are inlined into each caller, with branches that some callers never take.
std::string in_helper(const std::string& path) {
  const std::size_t last = path.rfind('/'), before = path.rfind('/', last - 1);
  return before == std::string::npos ? path : path.substr(before + 1);
}

}  // namespace

TEST_CASE("a step that is dropped is missed in an instance, but for a few") {
  const Names expected{"__flush_tlb_range/tlbi_vale1is", "flush_tlb_page/tlbi_vale1is",
                       "tlb_flush_mmu/tlbi_vale1is",  // No range TLBI.
                       "contpte_try_fold/expect",
                       "contpte_try_fold/mkcont",   // Then nothing is folded, which is never wrong.
                       "folio_pte_batch/ptep_get",  // Then each batch is one entry.
                       // A and D are merged again when entries are cleared.
                       "ptep_get/contpte_ptep_get",
                       "change_pte_range/next",  // Its block has no other entries; reclaim-aborts misses it.
                       "flush_tlb_batched_pending/cmpxchg_batched", "mprotect/dec_tlb_flush_pending",
                       // Then others flush more than they must.
                       "try_to_unmap_flush/clear_tlb_ubc",
                       "try_to_unmap_flush_dirty/clear_tlb_ubc",  // As well.
                       "reclaim/__remove_mapping",                // Nobody looks into the swap cache.
                       // Only in reclaim-aborts and swap-refault, which are not tried here.
                       "try_to_unmap_one/swap_duplicate", "try_to_unmap_one/walk_abort",
                       "reclaim/folio_unlock", "reclaim/folio_putback_lru",
                       // A reader that returns nothing misses nothing.
                       "ptep_get_lockless/ptep_get", "ptep_get_lockless/retry", "ptep_get_lockless/return",
                       "swapin/pte_unmap_unlock",  // Then nothing goes on, but all has been seen.
                       "set_ptes/ptep_get",      // Is there a block to unfold? It was when they were cleared.
                       "copy/pte_unmap_unlock",  // Nobody else wants the PTL.
                       // Registers are set again before they are read.
                       "contpte_try_fold/forget", "contpte_try_unfold/forget", "ptep_set_access_flags/forget",
                       "set_ptes/forget", "ptep_set_access_flags/begin_match"};
  machine_test::Steps steps(lowered().packed, in_helper);
  for (const char* name : {"mprotect", "mprotect-part", "mprotect-per-pte", "mprotect-per-pte-tail", "fork",
                           "fork-fault", "fork-part-fault", "zap", "zap-part", "zap-tail", "copy", "reclaim",
                           "reclaim-mprotect", "lockless-part", "smmu"})
    steps.try_each([&](const std::vector<std::string>& mutations) {
      return contpte::setup_of({instance(name), feature_sets()[0], all_properties, mutations}, {});
    });
  CHECK(steps.tried() > 60);
  CHECK(machine_test::lines(steps.idle()) == machine_test::lines(expected));
}
