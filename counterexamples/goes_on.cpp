#include "counterexamples/goes_on.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "checker/trace.hpp"

namespace ptmc {
namespace {

u64 hash_of(const u64* state, unsigned words) {
  u64 h = 0x9e3779b97f4a7c15;
  for (unsigned k = 0; k < words; ++k) {
    h = (h ^ state[k]) * 0xbf58476d1ce4e5b9;
    h ^= h >> 31;
  }
  return h;
}

/// Every reachable state and every edge, in the order of a breadth-first search.
class Graph {
 public:
  struct Edge {
    u32 to, action;
  };

  explicit Graph(const System& system) : system_(system), words_(system.shape().words), slots_(1024, none) {
    if (system.shape().variable) throw std::invalid_argument("states of one length only");
  }

  bool build(u64 states_max, const std::function<bool()>& stop) {
    std::vector<u64> initial;
    system_.initial(initial);
    for (std::size_t at = 0; at < initial.size(); at += words_) static_cast<void>(id_of(&initial[at]));
    const Shape& shape = system_.shape();
    std::vector<u64> next(u64{shape.fan_out_max} * words_), state(words_);
    std::vector<u32> actions(shape.fan_out_max);
    for (u32 n = 0; n < count(); ++n) {
      if (count() > states_max || (n % 1024 == 0 && stop())) return false;
      begin_.push_back(edges_.size());
      std::copy_n(&states_[u64{n} * words_], words_, state.begin());
      const u32 found = system_.successors(state.data(), {next.data(), actions.data(), nullptr});
      for (u32 k = 0; k < found; ++k) edges_.push_back({id_of(&next[u64{k} * words_]), actions[k]});
    }
    begin_.push_back(edges_.size());
    return true;
  }
  u32 count() const { return static_cast<u32>(states_.size() / words_); }
  std::span<const Edge> edges(u32 state) const {
    return {edges_.data() + begin_[state], edges_.data() + begin_[state + 1]};
  }

 private:
  static constexpr u32 none = ~u32{0};

  u32 id_of(u64* state) {
    system_.canonical(state);
    if (u64{count()} * 2 >= slots_.size()) grow();
    u32& slot = slots_[find(state)];
    if (slot == none) {
      slot = count();
      states_.insert(states_.end(), state, state + words_);
    }
    return slot;
  }
  std::size_t find(const u64* state) const {
    std::size_t at = hash_of(state, words_) & (slots_.size() - 1);
    while (slots_[at] != none && !std::equal(state, state + words_, &states_[u64{slots_[at]} * words_]))
      at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    slots_.assign(slots_.size() * 4, none);
    for (u32 n = 0; n < count(); ++n) slots_[find(&states_[u64{n} * words_])] = n;
  }

  const System& system_;
  const unsigned words_;
  std::vector<u64> states_;
  std::vector<u32> slots_;  // Open addressing, a power of two of them.
  std::vector<Edge> edges_;
  std::vector<u64> begin_;
};

struct Groups {
  std::vector<std::string> names;
  std::vector<unsigned> of;  // By action.

  explicit Groups(const System& system) {
    for (const Action& a : system.actions()) {
      const std::string name = a.actor == "hw" ? label({a.actor, a.step, ""}) : a.actor;
      const auto at = std::find(names.begin(), names.end(), name);
      of.push_back(static_cast<unsigned>(at - names.begin()));
      if (at == names.end()) names.push_back(name);
    }
    if (names.size() > 64) throw std::length_error("a machine has at most 64 actors and rules");
  }
};

/// By state: bit g says that group g can still act.
std::vector<u64> can_act(const Graph& graph, const Groups& groups) {
  std::vector<u64> can(graph.count());
  for (bool changed = true; changed;) {
    changed = false;
    for (u32 n = graph.count(); n-- > 0;) {
      u64 now = can[n];
      for (const Graph::Edge& e : graph.edges(n)) now |= can[e.to] | bit(groups.of[e.action]);
      changed = changed || now != can[n];
      can[n] = now;
    }
  }
  return can;
}

}  // namespace

GoesOn goes_on(const System& system, u64 states_max, const std::function<bool()>& stop) {
  GoesOn result;
  Graph graph(system);
  try {
    if (!graph.build(states_max, stop)) return result;
  } catch (const std::exception&) {  // A broken machine may leave its fields' widths behind the violation.
    return result;
  }
  const Groups groups(system);
  const std::vector<u64> can = can_act(graph, groups);
  u64 always = ~u64{0};
  for (const u64 c : can) always &= c;
  for (unsigned g = 0; g < groups.names.size(); ++g)
    if ((always >> g & 1) != 0) result.again.insert(groups.names[g]);
  for (u32 n = 0; n < graph.count(); ++n)
    for (const Graph::Edge& e : graph.edges(n))
      if (const unsigned g = groups.of[e.action]; (can[e.to] >> g & 1) == 0)
        result.last[groups.names[g]].insert(system.actions()[e.action].step);
  result.known = true;
  return result;
}

std::set<std::string> stuck(const GoesOn& before, const GoesOn& now, const std::set<std::string>& ends) {
  std::set<std::string> groups;
  if (!before.known || !now.known) return groups;
  for (const std::string& g : before.again)
    if (!now.again.contains(g)) groups.insert(g);
  for (const auto& [g, steps] : now.last) {
    if (g.starts_with("hw/")) continue;
    const auto usual = before.last.find(g);
    if (usual == before.last.end()) continue;  // As above, or it never acted before.
    for (const std::string& step : steps)
      if (!usual->second.contains(step) && !ends.contains(step)) groups.insert(g);
  }
  return groups;
}

}  // namespace ptmc
