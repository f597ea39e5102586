// Traces as a page to step through.
#pragma once
#include <string>

#include "counterexamples/telling.hpp"

namespace ptmc {

/// One file that needs no network: the steps in their CPU columns, and the decoded state after each with what
/// the step changed. By keyboard, screen reader or mouse; "#step=5" at the end of its address opens it there.
/// The same bytes for the same trace.
std::string to_html(const Trace& trace, const Columns& columns, const Voice& voice = {},
                    const Heading& heading = {});

}  // namespace ptmc
