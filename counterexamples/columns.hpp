// Which CPU column each step of a trace stands in.
#pragma once
#include "checker/voice.hpp"

namespace ptmc {

/// A column is a copy of an actor, or one user CPU with what its hardware does.
struct Column {
  std::string actor;       // "reclaim", "change_prot[1]"; empty for a user CPU.
  std::optional<u64> cpu;  // Of a user CPU. Neither: what no CPU of the trace does ("others").
  friend bool operator==(const Column&, const Column&) = default;
};

struct Columns {
  std::vector<Column> all;   // Actors in order of appearance, then user CPUs, then others.
  std::vector<unsigned> of;  // By step: index into `all`.
};

/// A rule without a CPU stands with the CPU that next does something about the same page, else with the last
/// that did. A CPU that does nothing but serve an actor's requests has no column: the actor waits for it.
Columns columns_of(const Trace& trace, const Voice& voice = {});

/// How often the column changes from one step to the next.
unsigned context_switches(const Columns& columns);

}  // namespace ptmc
