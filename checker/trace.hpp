// Counterexamples and witnesses as plain data.
#pragma once
#include <string>
#include <vector>

#include "checker/system.hpp"

namespace ptmc {

using DecodedState = std::vector<Field>;

/// One thing of which a machine may have more or less: copies of an actor, CPUs, pages, a hardware feature.
struct Dimension {
  std::string name;  // "reclaim", "user_cpus", "HA"
  u64 value = 0;
  u64 least = 0;  // Fewer make no machine.
};
using Dimensions = std::vector<Dimension>;
/// Those that are not zero: "1 reclaim, 1 user_cpu, 2 frames".
std::string to_text(const Dimensions& dimensions);

/// What the trace is a trace of; filled by whoever knows, not by an engine.
struct TraceSubject {
  std::string claim;                   // "seed-004/reach"
  std::string instance;                // "reclaim+mprotect"
  std::string arch;                    // "x86_64", "arm64"
  std::vector<std::string> features;   // "PCID"
  std::vector<std::string> mutations;  // "drop:reclaim/flush"
  Dimensions machine{};                // Where it differs from the instance; empty: nowhere.
};

struct TraceStep {
  u32 index = 0;  // Into System::actions() of the run that found it; names are what replay goes by.
  Action action;
};

struct Trace {
  enum class Ending { violated, reached, deadlock };
  TraceSubject subject;
  Ending ending = Ending::violated;
  std::string predicate;  // The one that the last state violates or reaches; empty for a deadlock.
  std::string sentence;
  std::vector<DecodedState> states;  // One more than steps; steps[k] leads from states[k] to states[k + 1].
  std::vector<TraceStep> steps;
};

/// Lexicographic by value, in declaration order; then a shorter state first, then by name.
bool less(const DecodedState& a, const DecodedState& b);
bool equal(const DecodedState& a, const DecodedState& b);

/// "reclaim/flush(cpu=1)": the step as a person names it.
std::string label(const Action& action);

}  // namespace ptmc
