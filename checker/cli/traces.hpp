// Traces for people and for machines.
#pragma once
#include <string>

#include "checker/trace.hpp"
#include "checker/trace_itf.hpp"

namespace ptmc::cli {

/// Numbered steps and what each changed.
std::string printed(const Trace& trace);

}  // namespace ptmc::cli
