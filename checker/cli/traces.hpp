// Traces for people.
#pragma once
#include <string>

#include "properties/catalog.hpp"

namespace ptmc::cli {

/// The same violation in an order with the fewest context switches; the trace itself if the claim has no
/// machine.
Trace straightened(const Trace& trace, const Claim& claim, const RunOptions& options);

/// The trace in CPU columns, under its claim, mutation and fixing commit.
std::string printed(const Trace& trace, const Claim& claim);

}  // namespace ptmc::cli
