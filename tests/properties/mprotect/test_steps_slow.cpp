// Every step of the machine of mprotect is there for a reason: without it, its instance is not green.
#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "properties/mprotect/explore.hpp"

using namespace ptmc;
using namespace ptmc::mprotect;
using Names = std::set<std::string>;

namespace {

/// A property or a cover fails, or a state is a dead end, or a word leaves the model.
bool is_noticed(const Question& q, const Setup& setup) {
  try {
    const Exploration found = explore(LoweredSystem(lowered(q.x86).packed, setup), {});
    return !found.violations.empty() || found.deadlocks != 0 ||
           std::any_of(found.covers.begin(), found.covers.end(), [](const Cover& c) { return !c.reached; });
  } catch (const WidthError&) {
    return true;
  }
}

std::string joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += name + "\n";
  return text;
}

/// Of the steps of software in an instance: all, and those that nobody misses.
struct Steps {
  Names all, idle;
};
Steps steps_of(const mprotect::Instance& i, bool x86) {
  Question q = question_of(i, x86, feature_sets(x86)[0], batchings()[0]);
  const Names off{"hw", "knob"};
  Steps found;
  for (const std::string& path : machine::paths_of(lowered(x86).packed, setup_of(q, {}))) {
    if (off.contains(path.substr(0, path.find('/'))) || path.ends_with(".load") || path.ends_with(".store"))
      continue;  // The last two are parts of a step that only `split` uses.
    q.mutations = {"drop:" + path};
    try {
      const Setup setup = setup_of(q, {});
      const bool noticed = is_noticed(q, setup);
      found.all.insert(path);
      if (!noticed) found.idle.insert(path);
    } catch (const std::invalid_argument&) {  // No step of this instance.
    }
  }
  return found;
}

}  // namespace

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
  // What mprotect has read of reclaim's store, walkers see as well.
  const Names on_arm64{drain + "arch_flush_tlb_batched_pending/dsb_ishst"};
  for (const bool x86 : {true, false}) {
    CAPTURE(x86);
    Names idle, missed;
    for (const char* name :
         {"anon-fork", "shared-file-writeback", "anon-reclaim-stores", "small-ksm-gup", "small-fork-gup"}) {
      const Steps found = steps_of(instance(name), x86);
      CHECK(found.all.size() > 15);
      idle.insert(found.idle.begin(), found.idle.end());
      std::set_difference(found.all.begin(), found.all.end(), found.idle.begin(), found.idle.end(),
                          std::inserter(missed, missed.end()));
    }
    for (const std::string& path : missed) idle.erase(path);
    Names expected = on_both;
    expected.merge(Names(x86 ? on_x86 : on_arm64));
    CHECK(joined(idle) == joined(expected));
  }
}
