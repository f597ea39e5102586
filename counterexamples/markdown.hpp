// Traces for a mail archive or a bug tracker.
#pragma once
#include <string>

#include "counterexamples/telling.hpp"

namespace ptmc {

/// Heading, facts, the text diagram in a fenced block, the finding and how to find it again. Readable as
/// plain text, too, which is why there is no table: its rows would be wider than a mail. Ends with a newline.
std::string to_markdown(const Trace& trace, const Columns& columns, const Voice& voice = {},
                        const Heading& heading = {});

}  // namespace ptmc
