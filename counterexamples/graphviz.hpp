// Traces as graphs.
#pragma once
#include <string>

#include "counterexamples/telling.hpp"

namespace ptmc {

/// A digraph in DOT: one cluster a column, steps s1, s2... downwards in the order of the trace. Solid edges
/// are the order within a column. A dashed edge leads from a step to one of another column that changes the
/// same field next: a lock that changes hands, an entry that is replaced, an invalidation that arrives. The
/// last step has a double frame. The same bytes for the same trace.
std::string to_graphviz(const Trace& trace, const Columns& columns, const Voice& voice = {},
                        const Heading& heading = {});

}  // namespace ptmc
