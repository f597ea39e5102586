#include "checker/replay.hpp"

#include <algorithm>
#include <stdexcept>

namespace ptmc {
namespace {

Replay differs(std::size_t state, std::string what) {
  return {Replay::Agreement::differs, state, std::move(what)};
}

/// The first field in which two states differ, as "tlb[0] is 3, not 1".
std::string first_difference(const DecodedState& expected, const DecodedState& actual) {
  for (std::size_t i = 0; i < std::min(expected.size(), actual.size()); ++i) {
    const Field &e = expected[i], &a = actual[i];
    if (e.name != a.name) return "field " + std::to_string(i) + " is named " + a.name + ", not " + e.name;
    if (e.value != a.value)
      return e.name + " is " + std::to_string(a.value) + ", not " + std::to_string(e.value);
  }
  return "it has " + std::to_string(actual.size()) + " fields, not " + std::to_string(expected.size());
}

/// By name and value: widths and kinds are for printing.
bool same_values(const DecodedState& a, const DecodedState& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Field& x, const Field& y) { return x.name == y.name && x.value == y.value; });
}

std::string names(std::vector<Action> actions) {
  std::string text;
  for (const Action& action : actions) text += (text.empty() ? "" : ", ") + label(action);
  return text.empty() ? "none" : text;
}

/// Whether `state` ends the trace as claimed; `why` receives the reason if it does not.
bool ends(const Trace& trace, const DecodedState& state, const Stepper& stepper, std::string& why) {
  if (trace.ending == Trace::Ending::deadlock) {
    const std::vector<Action> enabled = stepper.enabled(state);
    why = "it is no deadlock, enabled: " + names(enabled);
    return enabled.empty();
  }
  const std::optional<bool> holds = stepper.holds(state, trace.predicate);
  if (!holds) {
    why = "no predicate is named \"" + trace.predicate + "\"";
    return false;
  }
  const bool violated = trace.ending == Trace::Ending::violated;
  why = "predicate \"" + trace.predicate + (violated ? "\" holds in the last state" : "\" is not reached");
  return *holds != violated;
}

Replay run(const Trace& trace, const Stepper& stepper) {
  if (trace.states.size() != trace.steps.size() + 1)
    return differs(0, std::to_string(trace.states.size()) + " states do not fit " +
                          std::to_string(trace.steps.size()) + " steps");
  const std::vector<DecodedState> initial = stepper.initial();
  const auto is_first = [&](const DecodedState& s) { return same_values(s, trace.states[0]); };
  if (std::none_of(initial.begin(), initial.end(), is_first))
    return differs(0, initial.size() == 1
                          ? "not initial: " + first_difference(initial[0], trace.states[0])
                          : "not one of " + std::to_string(initial.size()) + " initial states");
  std::string why;
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    const Action& action = trace.steps[k].action;
    if (ends(trace, trace.states[k], stepper, why))
      return differs(k, "the trace could have ended here, before step " + label(action));
    const std::optional<DecodedState> next = stepper.apply(trace.states[k], action);
    if (!next)
      return differs(k,
                     label(action) + " is not enabled; enabled: " + names(stepper.enabled(trace.states[k])));
    if (!same_values(*next, trace.states[k + 1]))
      return differs(k + 1, "after " + label(action) + ": " + first_difference(*next, trace.states[k + 1]));
  }
  if (!ends(trace, trace.states.back(), stepper, why)) return differs(trace.steps.size(), why);
  return {};
}

}  // namespace

Replay replay(const Trace& trace, const Stepper& stepper) {
  try {
    return run(trace, stepper);
  } catch (const std::exception& error) {
    return differs(0, std::string("the interpreter refuses a state: ") + error.what());
  }
}

}  // namespace ptmc
