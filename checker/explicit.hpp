// The explicit engine: exact, exhaustive, breadth-first exploration of a System on all cores.
//
// Levels are processed one after the other and as sets do not depend on threads, so that everything reported
// does not either: counts, depth, findings, traces. Counts are of complete levels: where a search ends early,
// states are those of the levels 0..depth, all of them checked, and edges, firings and deadlocks those of
// expanding 0..depth-1.
#pragma once
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "checker/trace.hpp"

namespace ptmc {

constexpr u64 no_limit = ~u64{0};

enum class Toggle : u8 { off, on };

struct ExploreOptions {
  unsigned threads = 0;  // 0: one a core.
  u64 states_max = no_limit;
  u64 memory_max_bytes = u64{8} << 30;  // Of the state store; the process needs a few MiB more.
  u64 time_max_ms = no_limit;
  Toggle symmetry = Toggle::on;       // Keep one state of each orbit, where the system has_symmetry().
  Toggle stop_at_first = Toggle::on;  // End at the level of the first violation; off: count all violations.
  Toggle coverage = Toggle::on;       // Count firings per action.
  Toggle cover_traces = Toggle::off;  // A trace to each cover that is reached.
  const std::atomic<bool>* cancel = nullptr;  // Becomes true: end soon. Not owned.
};

enum class Outcome : u8 {
  exhausted,  // Every reachable state was visited and none violates a predicate.
  violated,   // Also if a limit ended the search later.
  limit_states,
  limit_memory,
  limit_time,
  cancelled
};

/// An `always` or `lemma` that some state violates.
struct Violation {
  u32 predicate;  // Index into System::predicates().
  u32 level;      // The first; the length of the trace.
  u64 states;     // How many states violate it.
  Trace trace;
};

struct Cover {
  u32 predicate;
  bool reached;
  u32 level;  // The first, if reached.
  std::optional<Trace> trace;
};

struct Exploration {
  Outcome outcome = Outcome::exhausted;
  bool complete = true;  // Every reachable state was expanded.
  u64 states = 0, edges = 0;
  u32 depth = 0;                      // The deepest complete level; level 0 are the initial states.
  std::vector<Violation> violations;  // In order of predicates.
  std::vector<Cover> covers;          // All `sometimes`, in order of predicates.
  std::vector<u64> fired;             // Per action; empty without coverage.
  std::vector<u32> never_fired;       // Indices of actions.
  u64 deadlocks = 0;                  // States without a successor.
  std::optional<Trace> deadlock;      // To the least of the first level with one.

  // Not the same from run to run.
  unsigned threads = 0;
  u64 peak_bytes = 0;  // Of the state store.
  double wall_s = 0, cpu_s = 0, serial_s = 0;
};

struct Progress {
  u64 states = 0, frontier = 0;  // Frontier: states of the level being expanded.
  u32 level = 0;
  double states_per_s = 0;
  std::optional<double> eta_s;  // A guess from how fast levels shrink; none while they grow.
};

/// Called by one thread of the engine at a time, at most 5 times a second.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void progress(const Progress& now) = 0;
};

/// Throws std::invalid_argument for a limit of 0 and for a system without initial states, std::system_error
/// if memory is refused, and whatever the system throws.
Exploration explore(const System& system, const ExploreOptions& options, Observer* observer = nullptr);

/// A shortest trace to the cover of that name; nothing if it is not reached within the limits. Throws
/// std::invalid_argument also for a name that is no `sometimes` of the system.
std::optional<Trace> trace_to(const System& system, const std::string& cover, ExploreOptions options,
                              Observer* observer = nullptr);

}  // namespace ptmc
