// Every step of the machine of mprotect is there for a reason: without it, an instance is not green.
#include <doctest/doctest.h>

#include "properties/mprotect/explore.hpp"
#include "tests/properties/machine/steps.hpp"

using namespace ptmc;
using namespace ptmc::mprotect;
using machine_test::Names;

TEST_CASE("a step that is dropped is missed in an instance, but for a few") {
  const std::string drain = "mprotect/change_pte_range/flush_tlb_batched_pending/";
  const Names on_both{
      "fork/child_read",  // It only ends what the child may see.
      "fork/raw_write_seqcount_end", "ksm/mmap_read_unlock", "ksm/replace_page/pte_unmap_unlock",
      "reclaim/folio_unlock", "reclaim/folio_putback_lru",  // They let others go on.
      // A pin counts as a reference, too (seed000/ksm-no-pin-test).
      "ksm/write_protect_page/folio_try_share_anon_rmap_pte/folio_maybe_dma_pinned",
      "mprotect/change_pte_range/folio_maybe_mapped_shared",  // Read by version 1 alone.
      // Too much is flushed, no more.
      drain + "cmpxchg_batched", "mprotect/dec_tlb_flush_pending", "reclaim/try_to_unmap_flush/clear_tlb_ubc",
      "reclaim/try_to_unmap_flush_dirty/clear_tlb_ubc",
      "reclaim/try_to_unmap_one/folio_mark_dirty",  // add_to_swap has, unless a fault maps the page again.
      "writeback/writepage"};                       // The folio stays dirty.
  // GUP-fast holds off the IPI of KSM's flush (seed000/gup-no-recheck).
  const Names on_x86{"gup/gup_fast/gup_fast_pte_range/ptep_get"};
  // Reclaim has had a DSB ISHST of its own (arch_tlbbatch_add_pending).
  const Names on_arm64{drain + "arch_flush_tlb_batched_pending/dsb_ishst"};
  for (const bool x86 : {true, false}) {
    CAPTURE(x86);
    machine_test::Steps steps(lowered(x86).packed);
    for (const char* name :
         {"anon-fork", "shared-file-writeback", "anon-reclaim-stores", "small-ksm-gup", "small-fork-gup"})
      steps.try_each([&](const std::vector<std::string>& mutations) {
        Question q = question_of(instance(name), x86, feature_sets(x86)[0], batchings()[0]);
        q.mutations = mutations;
        return mprotect::setup_of(q, {});
      });
    CHECK(steps.tried() > 70);
    Names expected = on_both;
    expected.merge(Names(x86 ? on_x86 : on_arm64));
    CHECK(machine_test::lines(steps.idle()) == machine_test::lines(expected));
  }
}
