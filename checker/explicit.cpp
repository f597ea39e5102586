#include "checker/explicit.hpp"

#include <stdexcept>

#include "checker/explicit/narrow.hpp"
#include "checker/explicit/search_levels.hpp"
#include "checker/explicit/search_threads.hpp"
#include "checker/explicit/wide.hpp"

namespace ptmc {
namespace {

using namespace explicit_engine;

u64 kinds(const System& system, bool covers) {
  u64 mask = 0;
  for (unsigned k = 0; k < system.predicates().size(); ++k)
    if ((system.predicates()[k].kind == Predicate::Kind::sometimes) == covers) mask |= bit(k);
  return mask;
}

void check_options(const ExploreOptions& options) {
  if (options.states_max == 0)
    throw std::invalid_argument("the limit on states is 0: nothing would be explored");
  if (options.memory_max_bytes == 0)
    throw std::invalid_argument("the limit on memory is 0: nothing would be explored");
  if (options.time_max_ms == 0)
    throw std::invalid_argument("the limit on time is 0: nothing would be explored");
}

Outcome outcome_of(Halt halt, bool violated) {
  if (violated) return Outcome::violated;
  switch (halt) {
    case Halt::states:
      return Outcome::limit_states;
    case Halt::memory:
      return Outcome::limit_memory;
    case Halt::time:
      return Outcome::limit_time;
    case Halt::cancelled:
      return Outcome::cancelled;
    default:
      return Outcome::exhausted;
  }
}

/// Counts of a search that has ended, and the traces that are wanted, as a result.
template <class Store>
class Report {
 public:
  Report(const System& system, Search<Store>& search, unsigned threads, u64 witness)
      : system_(system), search_(search), threads_(threads), witness_(witness) {}

  Exploration operator()(Halt halt) {
    Exploration result;
    Counted& counted = search_.counted();
    result.states = search_.states();
    result.edges = counted.total.edges;
    result.depth = search_.depth();
    result.fired = counted.total.fired;
    for (u32 a = 0; a < result.fired.size(); ++a)
      if (result.fired[a] == 0) result.never_fired.push_back(a);
    for (u32 k = 0; k < system_.predicates().size(); ++k) add_predicate(k, result);
    result.deadlocks = counted.total.deadlocks;
    if (counted.deadlock_level)
      result.deadlock =
          trace(*counted.total.least_deadlock, *counted.deadlock_level, Trace::Ending::deadlock);
    result.outcome = outcome_of(halt, !result.violations.empty());
    result.complete = halt == Halt::none;
    result.threads = threads_;
    result.peak_bytes = counted.peak_bytes;
    result.cpu_s = counted.cpu_s;
    result.serial_s = counted.serial_s;
    return result;
  }

 private:
  void add_predicate(u32 k, Exploration& result) {
    const Counted& counted = search_.counted();
    const Predicate& predicate = system_.predicates()[k];
    const bool cover = predicate.kind == Predicate::Kind::sometimes;
    const std::optional<u32> level = counted.level[k];
    std::optional<Trace> to;
    if (level && (witness_ & bit(k)) != 0) {
      to = trace(*counted.total.least[k], *level, cover ? Trace::Ending::reached : Trace::Ending::violated);
      to->predicate = predicate.name;
      to->sentence = predicate.sentence;
    }
    if (cover)
      result.covers.push_back({k, level.has_value(), level.value_or(0), std::move(to)});
    else if (level)
      result.violations.push_back({k, *level, counted.total.states[k], to ? std::move(*to) : Trace{}});
  }

  Trace trace(const Found& target, u32 level, Trace::Ending ending) {
    Trace t = rebuild(system_, search_, target, level, search_.symmetric(), threads_);
    t.ending = ending;
    return t;
  }

  const System& system_;
  Search<Store>& search_;
  unsigned threads_;
  u64 witness_;
};

template <class Store>
Exploration run(const System& system, const ExploreOptions& options, u64 stop, u64 witness,
                Observer* observer) {
  const Stopwatch watch;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const unsigned threads = options.threads == 0 ? cores : options.threads;
  Search<Store> search(system, options, threads, stop, witness, observer);
  const Halt halt = search.run();
  const double cpu_before_s = thread_cpu_s();
  Exploration result = Report<Store>(system, search, threads, witness)(halt);
  result.cpu_s += thread_cpu_s() - cpu_before_s;
  result.wall_s = watch.wall_s();
  return result;
}

Exploration dispatch(const System& system, const ExploreOptions& options, u64 stop, u64 witness,
                     Observer* observer) {
  check_options(options);
  const Shape& shape = system.shape();
  if (!shape.variable && KeyLayout(shape).key_words() == 1)
    return run<NarrowStore>(system, options, stop, witness, observer);
  return run<WideStore>(system, options, stop, witness, observer);
}

}  // namespace

Exploration explore(const System& system, const ExploreOptions& options, Observer* observer) {
  const u64 always = kinds(system, false);
  const u64 witness = options.cover_traces == Toggle::on ? ~u64{0} : always;
  return dispatch(system, options, options.stop_at_first == Toggle::on ? always : 0, witness, observer);
}

std::optional<Trace> trace_to(const System& system, const std::string& cover, ExploreOptions options,
                              Observer* observer) {
  u64 goal = 0;
  for (unsigned k = 0; k < system.predicates().size(); ++k)
    if (system.predicates()[k].name == cover && system.predicates()[k].kind == Predicate::Kind::sometimes)
      goal = bit(k);
  if (goal == 0) throw std::invalid_argument("no cover named \"" + cover + "\"");
  options.coverage = Toggle::off;
  Exploration result = dispatch(system, options, goal, goal, observer);
  for (Cover& c : result.covers)
    if (bit(c.predicate) == goal) return std::move(c.trace);
  return {};
}

}  // namespace ptmc
