// What the steps of mprotect's machine cost: data for whoever counts.
#pragma once
#include "checker/lone_run.hpp"

namespace ptmc::mprotect {

/// Items of a bill, in order.
enum Row : unsigned { reads, xchgs, stores, flushes, ipis, tlbis, waits };

/// Accesses to entries, flushes, and what a flush takes: x86-64 sends IPIs, arm64 issues TLBIs.
const Tariff& tariff(bool x86);

}  // namespace ptmc::mprotect
