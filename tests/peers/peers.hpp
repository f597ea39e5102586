// The benchmark's protocol as a System.
#pragma once
#include <memory>

#include "checker/system.hpp"

namespace ptmc::peers {

/// For {cpus, pages} of {2,2}, {3,2}, {2,3}, {4,2}. `bug` 1: pte_accessible() ignores mm_tlb_flush_pending;
/// 2: mprotect does not call flush_tlb_batched_pending().
std::unique_ptr<System> toy(u64 cpus, u64 pages, unsigned bug = 0);

}  // namespace ptmc::peers
