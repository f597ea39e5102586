#include "counterexamples/shortest.hpp"

#include <map>
#include <unordered_map>

namespace ptmc {
namespace {

constexpr u32 nobody = ~0u;

struct StateHash {
  std::size_t operator()(const std::vector<u64>& state) const {
    u64 h = 0x9E3779B97F4A7C15u;
    for (const u64 w : state) h = (h ^ w) * 0xff51afd7ed558ccdu, h ^= h >> 32;
    return h;
  }
};

/// Who makes each action, as a small number; nobody: a step of the hardware that belongs to no CPU, or that a
/// CPU does on an actor's behalf.
std::vector<u32> columns_of(const System& system, const Voice& voice) {
  std::map<std::string, u32> numbers;
  std::vector<u32> column;
  for (const Action& a : system.actions()) {
    std::string who = a.actor;
    if (who == "hw") {
      const auto cpu = Moment::index_of(a.instance, "cpu");
      const bool serves = voice.served != nullptr && !voice.served(a).empty();
      who = cpu && !serves ? "cpu " + std::to_string(*cpu) : "";
    }
    column.push_back(who.empty() ? nobody
                                 : numbers.try_emplace(who, static_cast<u32>(numbers.size())).first->second);
  }
  return column;
}

class Search {
 public:
  Search(const System& system, const std::string& claim, const Voice& voice, u64 nodes_max)
      : system_(system), column_(columns_of(system, voice)), nodes_max_(nodes_max) {
    const auto& all = system.predicates();
    for (unsigned k = 0; k < all.size(); ++k)
      if (all[k].name == claim) ending_ = bit(k);
  }

  /// The last node of the best run of that many steps; nobody if there is none.
  u32 run(std::size_t steps) {
    begin();
    std::size_t from = 0;
    for (std::size_t level = 0; level < steps && !full(); ++level) {
      level_end_ = states_.size();
      for (std::size_t s = from; s < level_end_; ++s) expand(s);
      from = level_end_;
    }
    u32 best = nobody;
    for (std::size_t s = from; s < states_.size() && !full(); ++s)
      if ((system_.check(states_[s]->data()) & ending_) != 0)
        for (const auto& [column, n] : best_[s])
          if (best == nobody || nodes_[n].switches < nodes_[best].switches) best = n;
    return best;
  }
  bool full() const { return nodes_.size() > nodes_max_; }
  u64 size() const { return nodes_.size(); }
  u32 switches(u32 node) const { return nodes_[node].switches; }

  Trace trace(u32 last, const Trace& subject) const {
    Trace t{subject.subject, subject.ending, subject.predicate, subject.sentence, {}, {}};
    for (u32 n = last; n != nobody; n = nodes_[n].parent) {
      t.states.insert(t.states.begin(), system_.describe(states_[nodes_[n].state]->data()));
      if (nodes_[n].parent != nobody)
        t.steps.insert(t.steps.begin(), {nodes_[n].action, system_.actions()[nodes_[n].action]});
    }
    return t;
  }

 private:
  struct Node {
    u32 parent, action, switches;
    std::size_t state;
  };

  void begin() {
    const u64 words = system_.shape().words;
    std::vector<u64> initial;
    system_.initial(initial);
    for (u64 at = 0; at < initial.size(); at += words) {
      const auto first = initial.begin() + static_cast<std::ptrdiff_t>(at);
      const std::size_t s = number({first, first + static_cast<std::ptrdiff_t>(words)});
      offer(s, nobody, {nobody, 0, 0, s});
    }
  }
  std::size_t number(std::vector<u64> state) {
    const auto [at, fresh] = number_.try_emplace(std::move(state), states_.size());
    if (fresh) {
      states_.push_back(&at->first);
      best_.emplace_back();
    }
    return at->second;
  }
  void offer(std::size_t state, u32 column, const Node& node) {
    const auto at = best_[state].find(column);
    if (at == best_[state].end()) {
      best_[state].emplace(column, static_cast<u32>(nodes_.size()));
      nodes_.push_back(node);
    } else if (node.switches < nodes_[at->second].switches) {
      nodes_[at->second] = node;
    }
  }
  void expand(std::size_t s) {
    const Shape& shape = system_.shape();
    words_.resize(u64{shape.fan_out_max} * shape.words);
    actions_.resize(shape.fan_out_max), lengths_.resize(shape.fan_out_max);
    const u32 n = system_.successors(states_[s]->data(), {words_.data(), actions_.data(), lengths_.data()});
    for (u32 k = 0; k < n; ++k) {
      const auto first = words_.begin() + static_cast<std::ptrdiff_t>(u64{k} * shape.words);
      const std::size_t to = number({first, first + shape.words});
      if (to < level_end_) continue;  // Reached before: no shortest run comes here this late.
      const std::map<u32, u32> nodes = best_[s];
      for (const auto& [was, node] : nodes) {
        const u32 now = column_[actions_[k]] == nobody ? was : column_[actions_[k]];
        const bool switched = was != nobody && now != was;
        offer(to, now, {node, actions_[k], nodes_[node].switches + u32{switched}, to});
      }
    }
  }

  const System& system_;
  std::vector<u32> column_;
  u64 nodes_max_, ending_ = 0;
  std::unordered_map<std::vector<u64>, std::size_t, StateHash> number_;
  std::vector<const std::vector<u64>*> states_;  // Keys of number_, in the order of first visits.
  std::vector<std::map<u32, u32>> best_;         // By state: column to node.
  std::vector<Node> nodes_;
  std::vector<u64> words_;
  std::vector<u32> actions_, lengths_;
  std::size_t level_end_ = 0;  // One past the last state of the level that is expanded.
};

}  // namespace

Shortest shortest_with_fewest_switches(const Trace& subject, const System& system, std::size_t steps,
                                       const Voice& voice, u64 nodes_max) {
  Search search(system, subject.predicate, voice, nodes_max);
  const u32 last = search.run(steps);
  if (search.full()) return {Shortest::Found::limit, {}, 0, search.size()};
  if (last == nobody) return {Shortest::Found::none, {}, 0, search.size()};
  return {Shortest::Found::yes, search.trace(last, subject), search.switches(last), search.size()};
}

}  // namespace ptmc
