#include "counterexamples/runner.hpp"

#include <algorithm>
#include <stdexcept>

namespace ptmc {

Runner::Runner(const Trace& trace, const System& system) : subject_(trace), system_(system) {
  if (trace.states.empty()) throw std::invalid_argument("the trace has no states");
  std::vector<u64> initial;
  system.initial(initial);
  const u64 words = system.shape().words;
  for (u64 at = 0; at < initial.size() && first_.empty(); at += words)
    if (equal(system.describe(&initial[at]), trace.states[0]))
      first_.assign(initial.begin() + static_cast<std::ptrdiff_t>(at),
                    initial.begin() + static_cast<std::ptrdiff_t>(at + words));
  if (first_.empty()) throw std::invalid_argument("the trace does not begin in an initial state");
  if (trace.ending == Trace::Ending::deadlock) return;
  const auto& all = system.predicates();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Predicate& p) { return p.name == trace.predicate; });
  if (found == all.end()) throw std::invalid_argument("no predicate is named " + trace.predicate);
  ending_ = bit(static_cast<unsigned>(found - all.begin()));
}

std::vector<Runner::Next> Runner::successors(const State& state) const {
  const Shape& shape = system_.shape();
  std::vector<u64> words(u64{shape.fan_out_max} * shape.words);
  std::vector<u32> actions(shape.fan_out_max), lengths(shape.fan_out_max);
  const u32 n = system_.successors(state.data(), {words.data(), actions.data(), lengths.data()});
  std::vector<Next> all;
  for (u32 k = 0; k < n; ++k) {
    const auto begin = words.begin() + static_cast<std::ptrdiff_t>(u64{k} * shape.words);
    all.push_back({actions[k], State(begin, begin + shape.words)});
  }
  return all;
}

bool Runner::ends(const State& state) const {
  return ending_ == 0 ? successors(state).empty() : (system_.check(state.data()) & ending_) != 0;
}

std::optional<Trace> Runner::run(const std::vector<Action>& steps) const {
  std::vector<u32> actions;
  std::vector<State> states{first_};
  for (const Action& step : steps) {
    if (ends(states.back())) break;
    const std::string wanted = label(step);
    auto next = successors(states.back());
    const auto found = std::find_if(next.begin(), next.end(), [&](const Next& n) {
      return label(system_.actions()[n.action]) == wanted;
    });
    if (found == next.end()) return std::nullopt;
    actions.push_back(found->action);
    states.push_back(std::move(found->state));
  }
  if (!ends(states.back())) return std::nullopt;
  return trace(actions, states);
}

Trace Runner::trace(const std::vector<u32>& actions, const std::vector<State>& states) const {
  Trace t{subject_.subject, subject_.ending, subject_.predicate, subject_.sentence, {}, {}};
  for (const State& s : states) t.states.push_back(system_.describe(s.data()));
  for (const u32 a : actions) t.steps.push_back({a, system_.actions()[a]});
  return t;
}

}  // namespace ptmc
