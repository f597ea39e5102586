// Traces told with as few context switches and steps as possible. Each step of a result was executed by the
// system anew.
#pragma once
#include "counterexamples/columns.hpp"

namespace ptmc {

struct StraightenOptions {
  Voice voice;              // Columns, and which steps may stand for others.
  u64 nodes_max = 300'000;  // Of the search; beyond it, the best order is not known.
};

struct Straightened {
  enum class Optimum { proved, unknown };
  Trace trace;
  Columns columns;
  unsigned switches = 0;
  Optimum optimum = Optimum::proved;  // No order of these steps has fewer switches.
  u64 nodes = 0;
};

/// An order of the trace's steps that keeps the order in each column, is a run of the system, ends as the
/// trace does and not before, and has the fewest context switches. The same result in every run. Throws
/// std::invalid_argument if the trace is no run of the system or does not end as it says.
Straightened straighten(const Trace& trace, const System& system, const StraightenOptions& options = {});

/// Leaves out what the trace does not need: everything after its ending first holds, and sections of a column
/// without which the rest still is a run with that ending. Shortest traces come back as they are. Throws as
/// straighten.
Trace without_needless_steps(const Trace& trace, const System& system, const Voice& voice = {});

}  // namespace ptmc
