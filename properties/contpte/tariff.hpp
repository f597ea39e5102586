// What the steps of contpte's machine cost: data for whoever counts.
#pragma once
#include "checker/lone_run.hpp"

namespace ptmc::contpte {

/// Items of a bill, in order.
enum Row : unsigned { reads, xchgs, stores, tlbis, dsbs };

/// Reads, xchg and stores of descriptors; TLBI and DSB instructions.
const Tariff& tariff();

}  // namespace ptmc::contpte
