// What the steps of seed 004's machine cost in flushes: data for whoever counts.
#pragma once
#include "checker/lone_run.hpp"

namespace ptmc::batched_unmap {

/// Items of a bill, in order.
enum Row : unsigned { flushes, ipis, tlbis, stores_visible, waits };

/// x86-64 sends IPIs, arm64 issues TLBIs and waits for them by DSB ISH.
const Tariff& tariff(bool x86);

}  // namespace ptmc::batched_unmap
