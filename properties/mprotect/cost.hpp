// What change_pte_range pays for entries of one folio, batched and not: counted along one run that nobody
// disturbs.
#pragma once
#include "checker/lone_run.hpp"
#include "properties/mprotect/explore.hpp"
#include "properties/mprotect/tariff.hpp"

namespace ptmc::mprotect {

/// mprotect(PROT_NONE) of `entries` writable pages of one folio, at most 16.
Bill cost_of_mprotect(bool x86, u64 entries, const std::string& mutation);

/// One result: a batch costs as much as its entries cost one by one.
std::vector<Result> count_costs(bool x86, const Claim& claim, const RunOptions& options);

}  // namespace ptmc::mprotect
