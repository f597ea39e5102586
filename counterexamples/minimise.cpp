#include "counterexamples/minimise.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <stdexcept>

#include "counterexamples/one_claim.hpp"
#include "counterexamples/runner.hpp"
#include "counterexamples/shortest.hpp"

namespace ptmc {
namespace {

using Clock = std::chrono::steady_clock;

/// The trace's steps run again: states are what the system says. Throws where a step does not run.
Trace executed(const Trace& t, const System& system) {
  const Runner runner(t, system);
  std::vector<Runner::State> states{runner.first()};
  std::vector<u32> actions;
  for (std::size_t k = 0; k < t.steps.size() && !runner.ends(states.back()); ++k) {
    auto next = runner.successors(states.back());
    const auto found = std::find_if(next.begin(), next.end(), [&](const Runner::Next& n) {
      return label(system.actions()[n.action]) == label(t.steps[k].action);
    });
    if (found == next.end()) throw NotARun(k, "step " + label(t.steps[k].action) + " cannot run here");
    actions.push_back(found->action);
    states.push_back(std::move(found->state));
  }
  if (!runner.ends(states.back()))
    throw NotARun(t.steps.size(), "the last state does not violate " + t.predicate);
  return runner.trace(actions, states);
}

/// Without the laps between two visits of the same state.
Trace without_laps(const Trace& t) {
  Trace out = t;
  out.states = {t.states[0]};
  out.steps.clear();
  for (std::size_t k = 0; k < t.steps.size(); ++k) {
    out.steps.push_back(t.steps[k]);
    out.states.push_back(t.states[k + 1]);
    const auto same = std::find_if(out.states.begin(), out.states.end() - 1,
                                   [&](const DecodedState& s) { return equal(s, t.states[k + 1]); });
    out.steps.resize(static_cast<std::size_t>(same - out.states.begin()));
    out.states.resize(out.steps.size() + 1);
  }
  return out;
}

class Minimiser {
 public:
  Minimiser(const Trace& given, const MachineOf& machine_of, const MinimiseOptions& options)
      : machine_of_(machine_of), options_(options), predicate_(given.predicate), begin_(Clock::now()) {}

  Minimised run(const Trace& given, const Dimensions& dimensions) {
    out_.dimensions = dimensions;
    system_ = machine_of_(dimensions);
    if (!system_) throw std::invalid_argument("there is no such machine");
    const Trace executed_ = executed(given, *system_);
    out_.trace = without_laps(executed_);
    if (given.ending == Trace::Ending::deadlock || !search(dimensions)) {
      out_.trace = without_needless_steps(out_.trace, *system_, options_.voice);
      out_.steps = Optimum::minimal;
    } else {
      shrink();
    }
    tell_well();
    return std::move(out_);
  }

 private:
  enum class Answer : u8 { violated, longer, clean, limit };

  u64 left_ms() const {
    const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin_).count();
    return static_cast<u64>(spent) >= options_.time_max_ms ? 0
                                                           : options_.time_max_ms - static_cast<u64>(spent);
  }

  /// Breadth first: what it finds is a shortest run. Adopts it.
  bool search(const Dimensions& dimensions) { return answer(dimensions) == Answer::violated; }
  Answer answer(const Dimensions& dimensions) {
    const auto system = machine_of_(dimensions);
    if (!system) return Answer::clean;
    if (left_ms() == 0) return Answer::limit;
    ++out_.machines;
    ExploreOptions o;
    o.threads = options_.threads;
    o.states_max = options_.states_max;
    o.time_max_ms = left_ms();
    o.cancel = options_.cancel;
    o.coverage = Toggle::off;
    const OneClaim one(*system, predicate_);
    Exploration e = explore(one, o, options_.observer);
    out_.states += e.states;
    if (e.violations.empty()) return e.outcome == Outcome::exhausted ? Answer::clean : Answer::limit;
    Trace& found = e.violations[0].trace;
    if (out_.steps == Optimum::optimal && found.steps.size() > out_.trace.steps.size()) {
      if (out_.smaller_steps == 0) out_.smaller = dimensions, out_.smaller_steps = found.steps.size();
      return Answer::longer;
    }
    found.subject = out_.trace.subject;
    found.ending = out_.trace.ending;
    found.sentence = out_.trace.sentence;
    out_.trace = std::move(found);
    out_.dimensions = dimensions;
    out_.steps = Optimum::optimal;
    system_ = system;
    return Answer::violated;
  }

  /// Each dimension as small as it may be, again until none can go further.
  void shrink() {
    std::map<std::vector<u64>, Answer> known;
    bool limited = false;
    for (bool again = true; again;) {
      again = false;
      limited = false;
      for (std::size_t k = 0; k < out_.dimensions.size() && !again; ++k)
        for (u64 v = out_.dimensions[k].least; v < out_.dimensions[k].value && !again; ++v) {
          Dimensions fewer = out_.dimensions;
          fewer[k].value = v;
          std::vector<u64> key;
          for (const Dimension& d : fewer) key.push_back(d.value);
          const auto at = known.find(key);
          const Answer found = at != known.end() ? at->second : known[key] = answer(fewer);
          again = found == Answer::violated;
          limited = limited || found == Answer::limit;
        }
    }
    out_.machine = limited ? Optimum::unknown : Optimum::minimal;
  }

  void tell_well() {
    const StraightenOptions o{.voice = options_.voice};
    Straightened best = straighten(out_.trace, *system_, o);
    out_.switching = best.optimum == Straightened::Optimum::proved ? Optimum::minimal : Optimum::unknown;
    if (out_.steps == Optimum::optimal && out_.trace.ending != Trace::Ending::deadlock) {
      const Shortest found = shortest_with_fewest_switches(out_.trace, *system_, out_.trace.steps.size(),
                                                           options_.voice, options_.states_max);
      if (found.found == Shortest::Found::yes) {
        Straightened other = straighten(found.trace, *system_, o);
        if (other.switches < best.switches) best = std::move(other);
        if (best.switches <= found.switches) out_.switching = Optimum::optimal;
      }
    }
    out_.trace = std::move(best.trace);
    out_.switches = best.switches;
  }

  const MachineOf& machine_of_;
  const MinimiseOptions& options_;
  const std::string predicate_;
  const Clock::time_point begin_;
  std::shared_ptr<const System> system_;
  Minimised out_;
};

}  // namespace

Minimised minimise(const Trace& trace, const Dimensions& dimensions, const MachineOf& machine_of,
                   const MinimiseOptions& options) {
  return Minimiser(trace, machine_of, options).run(trace, dimensions);
}

}  // namespace ptmc
