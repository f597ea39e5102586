#include "checker/agreement.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "checker/symbolic/evaluate.hpp"
#include "checker/verdict.hpp"
#include "model/core/domain.hpp"

namespace ptmc {
namespace {

using Values = std::vector<u64>;
/// What can be done in a state: by action, the state it leads to.
using Moves = std::map<std::string, Values>;
constexpr std::size_t disagreements_max = 10;

Values values(const DecodedState& state) {
  Values out;
  for (const Field& f : state) out.push_back(f.value);
  return out;
}

std::string name_of(const Action& a) { return a.actor + "/" + a.step + "(" + a.instance + ")"; }

struct Comparison {
  const System& system;
  const Stepper* naive;
  std::unique_ptr<SymbolicEvaluator> symbolic;
  Agreement out;
  DecodedState form;  // Names and widths.

  Comparison(const System& s, const Stepper* n, const SymbolicSource* source) : system(s), naive(n) {
    if (source != nullptr) symbolic = std::make_unique<SymbolicEvaluator>(*source);
    std::vector<u64> first;
    system.initial(first);
    if (first.empty()) throw std::invalid_argument("the system has no initial state");
    form = system.describe(first.data());
    std::vector<std::string> names;
    for (const Field& f : form) names.push_back(f.name);
    if (symbolic && symbolic->names() != names)
      throw InternalError("packed and symbolic states have different fields");
  }

  DecodedState decoded(const Values& state) const {
    DecodedState d = form;
    for (std::size_t k = 0; k < d.size(); ++k) d[k].value = state[k];
    return d;
  }
  void differ(const std::string& what, const Values& state) {
    if (out.disagreements.size() >= disagreements_max) return;
    std::string text = what + " in";
    for (std::size_t k = 0; k < state.size(); ++k)
      if (state[k] != 0) text += " " + form[k].name + "=" + std::to_string(state[k]);
    out.disagreements.push_back(text);
  }
  bool full() const { return out.disagreements.size() >= disagreements_max; }

  /// Actions that the naive stepper refuses for a value or index out of range are left out and noted.
  Moves moves_of_naive(const Values& state, std::set<std::string>& refused) const {
    Moves moves;
    const DecodedState d = decoded(state);
    for (const Action& a : system.actions()) try {
        if (auto next = naive->apply(d, a)) moves[name_of(a)] = values(*next);
      } catch (const WidthError&) {
        refused.insert(name_of(a));
      } catch (const std::out_of_range&) {
        refused.insert(name_of(a));
      }
    return moves;
  }

  /// `refused`: what the other side refuses must not be safe. What only the terms refuse (they know no
  /// short-circuit) is not compared.
  void compare_symbolic(const Values& state, Moves other, const std::set<std::string>& refused) {
    std::set<std::string> unsafe;
    Moves moves;
    for (auto& step : symbolic->steps(state)) {
      if (step.safe)
        moves[name_of(step.action)] = std::move(step.after);
      else
        unsafe.insert(name_of(step.action));
    }
    for (const std::string& a : refused)
      if (!unsafe.contains(a)) differ("a step that is no proof obligation fails: " + a, state);
    out.refused += unsafe.size();
    for (const std::string& a : unsafe) other.erase(a);
    compare("terms", moves, other, state);
  }

  void compare(const char* who, const Moves& a, const Moves& b, const Values& state) {
    if (a == b) return;
    for (const auto& [action, next] : a) {
      const auto found = b.find(action);
      if (found == b.end())
        differ(std::string(who) + " alone allow " + action, state);
      else if (found->second != next)
        differ(std::string(who) + " lead elsewhere by " + action, state);
    }
    for (const auto& [action, next] : b)
      if (!a.contains(action)) differ(std::string(who) + " do not allow " + action, state);
  }

  using Truths = std::map<std::string, bool>;
  Truths packed_truths(const u64* packed) const {
    const u64 news = system.check(packed);
    Truths truths;
    for (std::size_t k = 0; k < system.predicates().size(); ++k) {
      const Predicate& p = system.predicates()[k];
      truths[p.name] = ((news >> k & 1) != 0) == (p.kind == Predicate::Kind::sometimes);
    }
    return truths;
  }
  /// Predicates that the naive stepper refuses, or does not have, are left out; the former are noted.
  Truths naive_truths(const std::vector<Predicate>& asked, const Values& state,
                      std::set<std::string>& refused) const {
    Truths truths;
    const DecodedState d = decoded(state);
    for (const Predicate& p : asked) try {
        if (const auto value = naive->holds(d, p.name)) truths[p.name] = *value;
      } catch (const WidthError&) {
        refused.insert(p.name);
      } catch (const std::out_of_range&) {
        refused.insert(p.name);
      }
    return truths;
  }

  /// Of predicates that both have; `refused` as with steps.
  void compare_terms(const Values& state, const Truths& other, const std::set<std::string>& refused) {
    const auto truths = symbolic->truths(state);
    for (std::size_t k = 0; k < truths.size(); ++k) {
      const std::string& name = symbolic->predicates()[k].name;
      if (!truths[k].safe) {
        ++out.refused;
        continue;
      }
      if (refused.contains(name)) differ("a claim that is no proof obligation fails: " + name, state);
      const auto found = other.find(name);
      if (found != other.end() && found->second != truths[k].holds) differ("term of " + name, state);
    }
  }
  void compare_predicates(const u64* packed, const Values& state) {
    const Truths truths = packed_truths(packed);
    std::set<std::string> refused;
    if (naive != nullptr && naive_truths(system.predicates(), state, refused) != truths)
      for (const auto& [name, value] : truths)
        if (naive->holds(decoded(state), name) != value) differ("naive value of " + name, state);
    if (symbolic) compare_terms(state, truths, {});
  }

  void compare_initial(const std::set<Values>& states) {
    if (naive != nullptr) {
      std::set<Values> other;
      for (const DecodedState& d : naive->initial()) other.insert(values(d));
      if (other != states) differ("the naive stepper starts elsewhere than", *states.begin());
    }
    for (const Values& s : states)
      if (symbolic && !symbolic->initial(s)) differ("not initial by its term, but a seed", s);
  }
};

/// Reachable states in breadth-first order, up to a limit; visit(packed, values, moves) for each.
template <class Visit>
bool walk(const System& system, u64 states_max, const Visit& visit) {
  const Shape& shape = system.shape();
  std::vector<u64> queue;
  std::set<Values> seen;
  std::vector<u64> words(std::size_t{shape.words} * shape.fan_out_max);
  std::vector<u32> actions(shape.fan_out_max), lengths(shape.fan_out_max);
  system.initial(queue);
  for (std::size_t k = 0; k < queue.size(); k += shape.words) seen.insert(values(system.describe(&queue[k])));
  u64 done = 0;
  for (std::size_t at = 0; at < queue.size(); at += shape.words) {
    if (done++ == states_max) return false;
    const std::vector<u64> state(queue.begin() + static_cast<long>(at),
                                 queue.begin() + static_cast<long>(at + shape.words));
    const u32 n = system.successors(state.data(), {words.data(), actions.data(), lengths.data()});
    Moves moves;
    for (u32 k = 0; k < n; ++k) {
      const u64* next = &words[std::size_t{k} * shape.words];
      Values v = values(system.describe(next));
      if (seen.insert(v).second) queue.insert(queue.end(), next, next + shape.words);
      moves[name_of(system.actions()[actions[k]])] = std::move(v);
    }
    if (!visit(state.data(), values(system.describe(state.data())), moves)) return false;
  }
  return true;
}

}  // namespace

Agreement agree_on_reachable(const System& system, const Stepper* naive, const SymbolicSource* symbolic,
                             const AgreementOptions& options) {
  Comparison c(system, naive, symbolic);
  std::vector<u64> first;
  system.initial(first);
  std::set<Values> initial;
  for (std::size_t k = 0; k < first.size(); k += system.shape().words)
    initial.insert(values(system.describe(&first[k])));
  c.compare_initial(initial);
  c.out.complete =
      walk(system, options.states_max, [&](const u64* packed, const Values& state, Moves& moves) {
        ++c.out.states;
        c.out.edges += moves.size();
        std::set<std::string> refused;
        if (naive != nullptr) c.compare("naive steps", c.moves_of_naive(state, refused), moves, state);
        if (c.symbolic) c.compare_symbolic(state, moves, refused);
        c.compare_predicates(packed, state);
        return !c.full();
      });
  return std::move(c.out);
}

Agreement agree_on_random(const System& system, const Stepper& naive, const SymbolicSource& symbolic,
                          const AgreementOptions& options) {
  Comparison c(system, &naive, &symbolic);
  std::vector<Values> reachable;
  walk(system, options.states_max, [&](const u64*, const Values& state, const Moves&) {
    reachable.push_back(state);
    return true;
  });
  std::mt19937_64 random(options.seed);
  auto below = [&](u64 n) { return random() % n; };
  const auto& variables = c.symbolic->variables();
  for (; c.out.states < options.states_max && !c.full(); ++c.out.states) {
    Values state = reachable[below(reachable.size())];
    for (u64 changes = 1 + below(4); changes-- > 0;) {
      const std::size_t k = below(state.size());
      const Variable& v = variables[k];
      if (!v.values.empty())
        state[k] = below(v.values.size());
      else if (v.word && below(2) == 0)
        state[k] = random();
      else if (v.word)
        state[k] ^= bit(static_cast<unsigned>(below(64)));
      else
        state[k] = v.width >= 64 ? random() : below(bit(v.width));
    }
    std::set<std::string> refused;
    const Moves moves = c.moves_of_naive(state, refused);
    c.out.edges += moves.size();
    c.compare_symbolic(state, moves, refused);
    refused.clear();
    const auto truths = c.naive_truths(c.symbolic->predicates(), state, refused);
    c.compare_terms(state, truths, refused);
  }
  return std::move(c.out);
}

}  // namespace ptmc
