// What mprotect pays for one contpte block of 16, entry by entry and by batches: counted along one run that
// nobody disturbs.
#pragma once
#include "checker/lone_run.hpp"
#include "properties/contpte/explore.hpp"
#include "properties/contpte/tariff.hpp"

namespace ptmc::contpte {

/// mprotect(PROT_READ) of a writable block of 16, or of `range`.
Bill cost_of_mprotect(Variant variant, Contents contents, Range range, const FeatureSet& features,
                      const std::string& mutation);

/// One result: a folded block, by batches, costs the gathered read, one xchg and one store an entry, and the
/// gather's flush.
std::vector<Result> count_costs(const Claim& claim, const RunOptions& options);

}  // namespace ptmc::contpte
