// Lowers a typed model to SymbolicTables: the only templates between a model and the proof engine.
#pragma once
#include "checker/lower/collect.hpp"
#include "checker/lower/live.hpp"
#include "checker/lower/symbolic_tables.hpp"
#include "checker/lower/symbolic_where.hpp"
#include "checker/symbolic/domain.hpp"

namespace ptmc {

inline z3::expr truth(bool b, z3::context& context) { return context.bool_val(b); }
inline z3::expr truth(const sym::Bool& b, z3::context&) { return b.e; }

/// Model::init(s, config) says which states are initial. A model without it starts from its seeds.
template <class Model, class S>
concept HasInit = requires(const S& s, const Config& config) {
  Model::init(s, config);
};

template <class Model>
struct SymbolicLowering {
  using State = typename Model::template State<Symbolic>;

  template <class R, class S>
  static z3::expr guard(const void* state, const Ctx& x, z3::context& context) {
    const State& s = *static_cast<const State*>(state);
    auto&& r = R{}(s, x.self);
    return truth(call_step<typename S::Guard>(s, r, x), context);
  }
  template <class R, class S>
  static void effect(void* state, const Ctx& x) {
    State& s = *static_cast<State*>(state);
    auto&& r = R{}(s, x.self);
    if constexpr (S::kind == StepKind::compute)
      call_private<typename S::Effect>(r, x);
    else
      call_step<typename S::Effect>(s, r, x);
  }
  template <class R, class C>
  static z3::expr test(const void* state, const Ctx& x, z3::context& context) {
    const State& s = *static_cast<const State*>(state);
    auto&& r = R{}(s, x.self);
    return truth(call_private<C>(r, x), context);
  }

  struct Collector {
    std::vector<SymbolicStep> steps;
    template <class R, class S>
    void step() {
      if constexpr (std::is_same_v<typename S::Guard, AlwaysOn>)
        steps.push_back({nullptr, &effect<R, S>, nullptr});
      else
        steps.push_back({&guard<R, S>, &effect<R, S>, nullptr});
    }
    template <class R, class C>
    void condition() {
      steps.push_back({nullptr, nullptr, &test<R, C>});
    }
  };

  template <class R>
  static z3::expr rule_guard(const void* state, u64 a, u64 b, const Ctx& x, z3::context& context) {
    return truth(call_rule<typename R::Guard>(*static_cast<const State*>(state), a, b, x), context);
  }
  template <class R>
  static void rule_effect(void* state, u64 a, u64 b, const Ctx& x) {
    call_rule<typename R::Effect>(*static_cast<State*>(state), a, b, x);
  }
  template <class P>
  static z3::expr claim(const void* state, const SymbolicWhere& where, z3::context& context) {
    return truth(call_claim<typename P::Claim>(*static_cast<const State*>(state), where), context);
  }

  static z3::expr from_seeds(const State& s, const Config& config, z3::context& context) {
    z3::expr any = context.bool_val(false);
    typename Model::template State<Plain> seed{};
    for (u64 k = 0; Model::seed(seed, k, config); ++k) {
      z3::expr equal = context.bool_val(true);
      for_each_leaf_pair(s, seed, [&](const auto& x, const auto& y) { equal = equal && (x == load(y)).e; });
      any = any || equal;
      seed = {};
    }
    return any;
  }
  static z3::expr initial(const void* state, const Config& config, z3::context& context) {
    const State& s = *static_cast<const State*>(state);
    if constexpr (HasInit<Model, State>)
      return truth(Model::init(s, config), context);
    else
      return from_seeds(s, config, context);
  }

  static State build(const std::vector<z3::expr>& terms) {
    auto next = [&, k = std::size_t{0}]<class L>() mutable { return L(terms.at(k++)); };
    return sym::build<State>(next);
  }

  /// Names and widths come from a state whose leaves are placeholders.
  static State blank(z3::context& context) {
    auto next = [&]<class L>() {
      if constexpr (std::is_same_v<L, sym::Bool>)
        return L(context.bool_val(false));
      else
        return L(context.bv_val(0, L::width));
    };
    return sym::build<State>(next);
  }

  static void add_leaves(SymbolicTables& tables) {
    z3::context context;
    State s = blank(context);
    std::vector<PathIndex> path;
    for_each_named_leaf(s, "", path,
                        [&](const std::string& name, auto& leaf, const std::vector<PathIndex>& indices) {
                          using L = std::remove_cvref_t<decltype(leaf)>;
                          tables.leaves.push_back({name, L::width, std::is_same_v<L, sym::Bool>, indices});
                        });
    tables.registers = register_leaves<Model>(s);
  }
};

/// Everything but claims. Takes most of the time to compile; a file of its own spares that when lemmas
/// change.
template <class Model>
void symbolic_actors(SymbolicTables& tables) {
  using Lowering = SymbolicLowering<Model>;
  using State = typename Lowering::State;
  Lowering::add_leaves(tables);
  typename Lowering::Collector collector;
  collect_actors<Model>(collector);
  tables.steps = std::move(collector.steps);
  hana::for_each(Model::environment, [&]<class R>(const R&) {
    tables.rules.push_back({&Lowering::template rule_guard<R>, &Lowering::template rule_effect<R>});
  });
  tables.initial = &Lowering::initial;
  tables.make = [](const std::vector<z3::expr>& terms) -> std::shared_ptr<void> {
    return std::make_shared<State>(Lowering::build(terms));
  };
  tables.copy = [](const void* s) -> std::shared_ptr<void> {
    return std::make_shared<State>(*static_cast<const State*>(s));
  };
  tables.words = [](const void* s) { return sym::leaves(*static_cast<const State*>(s)); };
}

/// Names and claims, of a model with the same State, actors and environment.
template <class Model>
void symbolic_claims(SymbolicTables& tables) {
  using Lowering = SymbolicLowering<Model>;
  tables.text = text_of<Model>();
  auto claim = [&]<class P>(const P&) { tables.claims.push_back(&Lowering::template claim<P>); };
  hana::for_each(Model::predicates, claim);
  hana::for_each(Model::lemmas, claim);
}

template <class Model>
SymbolicTables symbolic_tables() {
  SymbolicTables tables;
  symbolic_actors<Model>(tables);
  symbolic_claims<Model>(tables);
  return tables;
}

}  // namespace ptmc
