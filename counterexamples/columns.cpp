#include "counterexamples/columns.hpp"

#include <algorithm>
#include <set>

namespace ptmc {
namespace {

constexpr const char* hardware = "hw";

std::string served(const Action& a, const Voice& voice) {
  return voice.served == nullptr ? "" : voice.served(a);
}

// CPUs that do something of their own.
std::set<u64> busy_cpus(const Trace& t, const Voice& voice) {
  std::set<u64> busy;
  for (const TraceStep& s : t.steps)
    if (s.action.actor == hardware && served(s.action, voice).empty())
      if (const auto cpu = Moment::index_of(s.action.instance, "cpu")) busy.insert(*cpu);
  return busy;
}

// The CPU that the rule of step `k`, which names none, belongs to.
std::optional<u64> nearest_cpu(const Trace& t, std::size_t k, const std::set<u64>& busy) {
  const auto page = Moment::index_of(t.steps[k].action.instance, "page");
  if (!page) return std::nullopt;
  std::optional<u64> found;
  for (std::size_t j = 0; j < t.steps.size(); ++j) {
    const std::string& instance = t.steps[j].action.instance;
    const auto cpu = Moment::index_of(instance, "cpu");
    if (!cpu || !busy.contains(*cpu) || Moment::index_of(instance, "page") != page) continue;
    found = cpu;
    if (j > k) break;
  }
  return found;
}

Column column_of(const Trace& t, std::size_t k, const Voice& voice, const std::set<u64>& busy) {
  const Action& a = t.steps[k].action;
  if (a.actor != hardware) return {a.actor, {}};
  const auto cpu = Moment::index_of(a.instance, "cpu");
  if (!cpu) return {"", nearest_cpu(t, k, busy)};
  if (busy.contains(*cpu)) return {"", cpu};
  const std::string actor = served(a, voice);
  for (const TraceStep& s : t.steps) {
    const bool copy = s.action.actor.starts_with(actor + "[");
    if (copy && s.action.actor !=
                    actor + "[" + std::to_string(Moment::index_of(a.instance, "actor").value_or(0)) + "]")
      continue;
    if (copy || s.action.actor == actor) return {s.action.actor, {}};
  }
  return {"", cpu};
}

// Actors, user CPUs by number, others.
auto rank(const Column& c) { return !c.actor.empty() ? u64{0} : c.cpu ? 1 + *c.cpu : ~u64{0}; }

}  // namespace

Columns columns_of(const Trace& trace, const Voice& voice) {
  const std::set<u64> busy = busy_cpus(trace, voice);
  std::vector<Column> by_step;
  Columns columns;
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    by_step.push_back(column_of(trace, k, voice, busy));
    if (std::count(columns.all.begin(), columns.all.end(), by_step.back()) == 0)
      columns.all.push_back(by_step.back());
  }
  std::stable_sort(columns.all.begin(), columns.all.end(),
                   [](const Column& a, const Column& b) { return rank(a) < rank(b); });
  for (const Column& c : by_step)
    columns.of.push_back(
        static_cast<unsigned>(std::find(columns.all.begin(), columns.all.end(), c) - columns.all.begin()));
  return columns;
}

unsigned context_switches(const Columns& columns) {
  unsigned n = 0;
  for (std::size_t k = 1; k < columns.of.size(); ++k) n += unsigned{columns.of[k] != columns.of[k - 1]};
  return n;
}

}  // namespace ptmc
