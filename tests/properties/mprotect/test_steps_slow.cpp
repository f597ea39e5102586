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
  const Names expected{
      "fork/child_read",                                      // It only ends what the child may see.
      "fork/copy_pte_range/pte_offset_map_lock",              // The mmap lock keeps mprotect out already.
      "mprotect/change_pte_range/folio_maybe_mapped_shared",  // Read by version 1 alone.
      "mprotect/dec_tlb_flush_pending",                       // A count too high costs flushes, no more.
      "writeback/writepage"};                                 // Without it the folio just stays dirty.
  for (const bool x86 : {true, false}) {
    CAPTURE(x86);
    Names idle, missed;
    for (const char* name : {"anon-fork", "shared-file-writeback"}) {
      const Steps found = steps_of(instance(name), x86);
      CHECK(found.all.size() > 15);
      idle.insert(found.idle.begin(), found.idle.end());
      std::set_difference(found.all.begin(), found.all.end(), found.idle.begin(), found.idle.end(),
                          std::inserter(missed, missed.end()));
    }
    for (const std::string& path : missed) idle.erase(path);
    CHECK(idle == expected);
  }
}
