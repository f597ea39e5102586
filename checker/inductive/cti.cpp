// Counterexamples to induction that a person can read: as little as possible differs from zero.
#include <algorithm>

#include "checker/inductive/query.hpp"

namespace ptmc {
namespace inductive {
namespace {

u64 number(const z3::expr& value) {
  if (value.is_bool()) return value.is_true();
  return value.get_numeral_uint64();
}

struct Reducer {
  Solving s;
  explicit Reducer(const Query& query, unsigned rlimit) : s(query, rlimit, Solving::Asked::again) {}

  bool keep(const z3::expr& condition) {
    s.solver.push();
    s.solver.add(condition);
    if (s.solver.check() == z3::sat) return true;
    s.solver.pop();
    return false;
  }
  /// Zero if possible, else as few bits as clearing one after the other leaves.
  void reduce(const z3::expr& x) {
    if (x.is_bool()) {
      keep(!x);
      return;
    }
    const unsigned width = x.get_sort().bv_size();
    if (keep(x == s.context.bv_val(0, width)) || width == 1) return;
    for (unsigned k = width; k-- > 0;) keep(x.extract(k, k) == s.context.bv_val(0, 1));
  }
};

}  // namespace

Cti work_out(const Bench& bench, const Query& query, const SymbolicRule* rule, unsigned rlimit) {
  const auto& variables = bench.model.variables;
  Reducer reducer(query, rlimit);
  // Positions first: actors that play no part stand at their first step.
  for (const bool positions : {true, false})
    for (const Variable& v : variables)
      if (v.values.empty() != positions) reducer.reduce(reducer.s.bring(v.term));
  if (reducer.s.solver.check() != z3::sat) throw InternalError("a counterexample to induction got lost");
  const z3::model m = reducer.s.solver.get_model();
  auto value = [&](const z3::expr& term) { return number(m.eval(reducer.s.bring(term), true)); };

  Cti cti;
  for (const Variable& v : variables) {
    const u64 now = value(v.term);
    cti.before.push_back({v.name, now, v.width, v.word});
    if (!v.values.empty())
      cti.places.push_back(v.name.substr(0, v.name.size() - 3) + " at " +
                           (now < v.values.size() ? v.values[now] : "no step"));
  }
  if (rule != nullptr) {
    cti.action = rule->action;
    cti.after = cti.before;
    for (const Write& w : rule->writes) cti.after[w.variable].value = value(w.value);
  }
  for (std::size_t k = 0; k < query.show.size(); ++k)
    if (m.eval(reducer.s.goals[k], true).is_false()) cti.broken.push_back(query.show[k].name);
  return cti;
}

}  // namespace inductive

std::string to_text(const Cti& cti) {
  auto hex = [](u64 v) {
    std::string text;
    do text.insert(text.begin(), "0123456789abcdef"[v % 16]);
    while ((v /= 16) != 0);
    return "0x" + text;
  };
  std::string text = cti.action.step.empty() ? "" : "step    " + label(cti.action) + "\n";
  for (std::size_t k = 0; k < cti.broken.size(); ++k) text += (k == 0 ? "breaks  " : ", ") + cti.broken[k];
  text += "\n";
  for (std::size_t k = 0; k < cti.places.size(); ++k) text += (k == 0 ? "where   " : ", ") + cti.places[k];
  if (!cti.places.empty()) text += "\n";
  for (std::size_t k = 0; k < cti.before.size(); ++k) {
    const Field& f = cti.before[k];
    const u64 after = cti.after.empty() ? f.value : cti.after[k].value;
    if ((f.value == 0 && after == 0) || f.name.ends_with(".pc")) continue;
    text += "        " + f.name + " = " + hex(f.value) + (after != f.value ? " -> " + hex(after) : "") + "\n";
  }
  if (cti.reachable)
    text += *cti.reachable ? "the state before is reachable: the design is wrong or a lemma is false\n"
                           : "the state before is not reachable within the bound: a lemma is missing\n";
  return text;
}

}  // namespace ptmc
