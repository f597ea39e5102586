#include "counterexamples/same_trace.hpp"

#include <optional>

#include "counterexamples/runner.hpp"

namespace ptmc {
namespace {

/// Counters say where an actor stands in other code, and may have other widths.
bool begins_alike(const DecodedState& a, const DecodedState& b) {
  const auto value = [](const DecodedState& s, const std::string& name) {
    for (const Field& f : s)
      if (f.name == name) return std::optional(f.value);
    return std::optional<u64>();
  };
  for (const Field& f : a)
    if (!f.name.ends_with(".pc") && value(b, f.name) != f.value) return false;
  return a.size() == b.size();
}

/// The trace's first state as `system` has it.
Trace beginning(const Trace& trace, const System& system) {
  Trace t{trace.subject, trace.ending, trace.predicate, trace.sentence, {}, {}};
  std::vector<u64> initial;
  system.initial(initial);
  for (std::size_t at = 0; at < initial.size() && t.states.empty(); at += system.shape().words)
    if (DecodedState s = system.describe(&initial[at]); begins_alike(trace.states.at(0), s))
      t.states.push_back(std::move(s));
  return t;
}

class SameTrace {
 public:
  SameTrace(const Trace& trace, const System& system, const Candidate& c)
      : trace_(trace),
        system_(system),
        candidate_(c),
        properties_(properties_of(system)),
        begin_(beginning(trace, system)),
        runner_(begin_, system),
        state_(runner_.first()) {}

  bool violates() {
    for (const TraceStep& step : trace_.steps) {
      if (broken()) return true;
      while (!take([&](const Action& a) { return label(a) == label(step.action); })) {
        if (is_candidate(step.action)) break;  // It comes elsewhere now.
        const auto here = [&](const Action& a) { return a.actor == step.action.actor && is_candidate(a); };
        if (!take(here) || ++extra_ > trace_.steps.size()) return false;
      }
    }
    return broken();
  }

 private:
  bool is_candidate(const Action& a) const {
    const std::string actor = a.actor.substr(0, a.actor.find('['));
    return actor == candidate_.actor && actor + "/" + a.step == candidate_.step;
  }
  template <class Wanted>
  bool take(Wanted wanted) {
    for (Runner::Next& next : runner_.successors(state_))
      if (wanted(system_.actions()[next.action])) {
        state_ = std::move(next.state);
        return true;
      }
    return false;
  }
  bool broken() const { return (system_.check(state_.data()) & properties_) != 0; }

  const Trace& trace_;
  const System& system_;
  const Candidate& candidate_;
  const u64 properties_;
  const Trace begin_;
  const Runner runner_;
  Runner::State state_;
  std::size_t extra_ = 0;
};

}  // namespace

bool same_trace_violates(const Trace& trace, const System& system, const Candidate& candidate) {
  return SameTrace(trace, system, candidate).violates();
}

u64 properties_of(const System& system) {
  u64 mask = 0;
  for (unsigned k = 0; k < system.predicates().size(); ++k)
    if (system.predicates()[k].kind != Predicate::Kind::sometimes) mask |= bit(k);
  return mask;
}

}  // namespace ptmc
