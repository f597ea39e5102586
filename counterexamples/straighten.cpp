#include "counterexamples/straighten.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <stdexcept>

#include "counterexamples/runner.hpp"

namespace ptmc {
namespace {

std::vector<Action> actions_of(const Trace& t) {
  std::vector<Action> all;
  for (const TraceStep& s : t.steps) all.push_back(s.action);
  return all;
}

Trace checked(const Runner& runner, const Trace& t) {
  auto run = runner.run(actions_of(t));
  if (!run) throw std::invalid_argument("the trace is no run that ends with " + t.predicate);
  return std::move(*run);
}

// Over how far each column has come, the state and the column of the last step: cheapest first, and first
// come first served among equals.
class Search {
 public:
  Search(const Trace& t, const System& system, const Columns& columns, const StraightenOptions& options)
      : system_(system), runner_(t, system), options_(options), steps_(columns.all.size()) {
    for (std::size_t k = 0; k < t.steps.size(); ++k) steps_[columns.of[k]].push_back(t.steps[k].action);
  }

  /// The last node of the best order; nothing if the budget ends first.
  std::optional<Straightened> run() {
    add({none, {}, none, {std::vector<unsigned>(steps_.size()), none, runner_.first()}});
    while (!open_.empty()) {
      if (nodes_.size() > options_.nodes_max) return std::nullopt;
      std::deque<unsigned>& cheapest = open_.begin()->second;
      const unsigned n = cheapest.front();
      cheapest.pop_front();
      if (cheapest.empty()) open_.erase(open_.begin());
      if (visit(n)) return result(n);
    }
    throw std::logic_error("a trace is an order of its own steps");
  }

 private:
  static constexpr unsigned none = ~0u;
  struct Key {
    std::vector<unsigned> done;  // Steps of each column.
    unsigned column;             // Of the last step.
    Runner::State state;
    auto operator<=>(const Key&) const = default;
  };
  struct Cost {
    unsigned switches = 0;
    unsigned odd = 0;  // Steps that have plainer words, which did not fit.
    auto operator<=>(const Cost&) const = default;
  };
  struct Node {
    unsigned parent;
    Cost cost;
    u32 action;
    Key key;
  };

  // Whether this completes an order.
  bool visit(unsigned n) {
    const Node node = nodes_[n];
    if (!visited_.insert(node.key).second) return false;
    bool complete = true;
    for (std::size_t c = 0; c < steps_.size(); ++c)
      complete = complete && node.key.done[c] == steps_[c].size();
    if (runner_.ends(node.key.state)) return complete;
    const auto next = runner_.successors(node.key.state);
    for (unsigned c = 0; c < steps_.size(); ++c)
      if (node.key.done[c] < steps_[c].size()) advance(n, node, c, next);
    return false;
  }

  void advance(unsigned n, const Node& node, unsigned column, const std::vector<Runner::Next>& next) {
    const Action& wanted = steps_[column][node.key.done[column]];
    const auto plainer = options_.voice.plainer;
    const std::string plain = plainer == nullptr ? "" : plainer(wanted);
    Cost cost = node.cost;
    cost.switches += unsigned{node.key.column != none && node.key.column != column};
    for (const Runner::Next& to : next) {
      const Action& a = system_.actions()[to.action];
      const bool same = label(a) == label(wanted);
      if (!same && label(a) != label({wanted.actor, plain, wanted.instance})) continue;
      Node after{n, cost, to.action, {node.key.done, column, to.state}};
      after.cost.odd += unsigned{same && !plain.empty()};
      ++after.key.done[column];
      if (!visited_.contains(after.key)) add(std::move(after));
    }
  }

  void add(Node node) {
    open_[node.cost].push_back(static_cast<unsigned>(nodes_.size()));
    nodes_.push_back(std::move(node));
  }

  Straightened result(unsigned last) const {
    Straightened s;
    std::vector<u32> actions;
    std::vector<Runner::State> states;
    s.switches = nodes_[last].cost.switches;
    for (unsigned n = last; n != none; n = nodes_[n].parent) {
      states.insert(states.begin(), nodes_[n].key.state);
      if (nodes_[n].parent == none) break;
      actions.insert(actions.begin(), nodes_[n].action);
      s.columns.of.insert(s.columns.of.begin(), nodes_[n].key.column);
    }
    s.trace = runner_.trace(actions, states);
    s.nodes = nodes_.size();
    return s;
  }

  const System& system_;
  const Runner runner_;
  const StraightenOptions& options_;
  std::vector<std::vector<Action>> steps_;  // By column.
  std::vector<Node> nodes_;
  std::set<Key> visited_;
  std::map<Cost, std::deque<unsigned>> open_;
};

}  // namespace

Straightened straighten(const Trace& trace, const System& system, const StraightenOptions& options) {
  const Trace given = checked(Runner(trace, system), trace);
  const Columns columns = columns_of(given, options.voice);
  Search search(given, system, columns, options);
  if (auto found = search.run()) {
    found->columns.all = columns.all;
    return std::move(*found);
  }
  return {given, columns, context_switches(columns), Straightened::Optimum::unknown, options.nodes_max};
}

Trace without_needless_steps(const Trace& trace, const System& system, const Voice& voice) {
  const Runner runner(trace, system);
  Trace best = checked(runner, trace);
  // Long sections first, so that a whole lap of an actor goes at once; then again, until nothing goes.
  for (std::size_t length = best.steps.size(); length > 0;) {
    const Columns columns = columns_of(best, voice);
    bool shorter = false;
    for (unsigned c = 0; c < columns.all.size() && !shorter; ++c) {
      std::vector<std::size_t> mine;
      for (std::size_t k = 0; k < columns.of.size(); ++k)
        if (columns.of[k] == c) mine.push_back(k);
      for (std::size_t from = 0; from + length <= mine.size() && !shorter; ++from) {
        std::vector<Action> rest;
        for (std::size_t k = 0; k < best.steps.size(); ++k)
          if (!std::binary_search(mine.begin() + static_cast<std::ptrdiff_t>(from),
                                  mine.begin() + static_cast<std::ptrdiff_t>(from + length), k))
            rest.push_back(best.steps[k].action);
        if (auto run = runner.run(rest)) {
          best = std::move(*run);
          shorter = true;
        }
      }
    }
    length = shorter ? best.steps.size() : length - 1;
  }
  return best;
}

}  // namespace ptmc
