// Traces for people.
#pragma once
#include <string>
#include <vector>

#include "properties/catalog.hpp"

namespace ptmc::cli {

/// The same violation in an order with the fewest context switches; the trace itself if the claim has no
/// machine.
Trace straightened(const Trace& trace, const Claim& claim, const RunOptions& options);

/// The trace in CPU columns, under its claim, mutation and fixing commit.
std::string printed(const Trace& trace, const Claim& claim);

/// "text", "markdown", "dot", "html", "itf".
std::vector<std::string> format_names();
/// The trace alone in one of these; `printed` is its text.
std::string formatted(const Trace& trace, const Claim& claim, const std::string& format);
/// How the name of a file in that format ends: ".itf.json".
std::string extension(const std::string& format);

/// The claim that a file's trace names. Throws InputError if it does not exist (any more) or has no machine.
const Claim& claim_of(const Trace& trace, const std::string& file, const std::vector<Claim>& catalog);
/// `options` with the trace's mutations and machine.
RunOptions options_of(const Trace& trace, RunOptions options);

}  // namespace ptmc::cli
