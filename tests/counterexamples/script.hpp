// A toy made of a list of steps: each may be done once, after the steps it needs.
#pragma once
#include "checker/explicit.hpp"
#include "tests/checker/toys.hpp"

namespace ptmc::script {

struct Step {
  const char *actor, *step, *instance;
  std::vector<unsigned> needs;  // Numbers of steps.
};

/// State: bit k says that step k is done. "all" is violated when every step of `bad` is done, "half" reached
/// when step 0 is.
inline toys::Toy system(std::vector<Step> steps, u64 bad) {
  toys::Toy t;
  const unsigned n = static_cast<unsigned>(steps.size());
  t.form = {1, {bits(n - 1, 0)}, n, false};
  for (const Step& s : steps) t.names.push_back({s.actor, s.step, s.instance});
  t.claims = {{"all", "something is left to do", Predicate::Kind::always},
              {"half", "the first step is done", Predicate::Kind::sometimes}};
  t.starts = {{0}};
  t.moves = [steps, n](const toys::Words& s, std::vector<toys::Move>& out) {
    for (u32 k = 0; k < n; ++k) {
      bool ready = (s[0] & bit(k)) == 0;
      for (const unsigned need : steps[k].needs) ready = ready && (s[0] & bit(need)) != 0;
      if (ready) out.push_back({k, {s[0] | bit(k)}});
    }
  };
  t.news = [bad](const toys::Words& s) { return u64{(s[0] & bad) == bad} | (s[0] & 1) << 1; };
  t.decoded = [n](const toys::Words& s) {
    std::vector<Field> fields;
    for (unsigned k = 0; k < n; ++k)
      fields.push_back({"step[" + std::to_string(k) + "].done", s[0] >> k & 1, 1});
    return fields;
  };
  return t;
}

/// The trace that does the steps of these numbers in this order, whether or not they are enabled.
inline Trace trace(const toys::Toy& t, const std::vector<unsigned>& order) {
  Trace trace;
  trace.subject = {"toy/all", "script", "none", {}, {}};
  trace.predicate = "all";
  trace.sentence = t.claims[0].sentence;
  u64 s = 0;
  trace.states.push_back(t.describe(&s));
  for (const unsigned k : order) {
    s |= bit(k);
    trace.states.push_back(t.describe(&s));
    trace.steps.push_back({k, t.names[k]});
  }
  return trace;
}

inline std::string steps(const Trace& t) {
  std::string text;
  for (const TraceStep& s : t.steps) text += (text.empty() ? "" : " ") + s.action.step;
  return text;
}

}  // namespace ptmc::script
