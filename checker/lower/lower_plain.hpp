// Lowers a typed model to PlainTables.
#pragma once
#include "checker/lower/collect.hpp"
#include "checker/lower/stepper_plain.hpp"

namespace ptmc {

template <class Model>
struct PlainLowering {
  using State = typename Model::template State<Plain>;
  static const State& in(const void* s) { return *static_cast<const State*>(s); }
  static State& in(void* s) { return *static_cast<State*>(s); }

  template <class R, class S>
  static bool guard(const void* state, const Ctx& x) {
    auto&& r = R{}(in(state), x.self);
    return call_step<typename S::Guard>(in(state), r, x);
  }
  template <class R, class S>
  static void effect(void* state, const Ctx& x) {
    auto&& r = R{}(in(state), x.self);
    if constexpr (S::kind == StepKind::compute)
      call_private<typename S::Effect>(r, x);
    else
      call_step<typename S::Effect>(in(state), r, x);
  }
  template <class R, class C>
  static bool test(const void* state, const Ctx& x) {
    auto&& r = R{}(in(state), x.self);
    return call_private<C>(r, x);
  }
  static bool always(const void*, const Ctx&) { return true; }

  struct Collector {
    std::vector<PlainStep> steps;
    template <class R, class S>
    void step() {
      if constexpr (std::is_same_v<typename S::Guard, AlwaysOn>)
        steps.push_back({&always, &effect<R, S>, nullptr});
      else
        steps.push_back({&guard<R, S>, &effect<R, S>, nullptr});
    }
    template <class R, class C>
    void condition() {
      steps.push_back({nullptr, nullptr, &test<R, C>});
    }
  };

  template <class R>
  static bool rule_guard(const void* state, u64 a, u64 b, const Ctx& x) {
    return call_rule<typename R::Guard>(in(state), a, b, x);
  }
  template <class R>
  static void rule_effect(void* state, u64 a, u64 b, const Ctx& x) {
    call_rule<typename R::Effect>(in(state), a, b, x);
  }
  template <class P>
  static bool claim(const void* s, const PlainWhere& where) {
    return call_claim<typename P::Claim>(in(s), where);
  }
  static std::vector<u64> read(const void* s) {
    std::vector<u64> values;
    for_each_leaf(in(s), [&](const auto& leaf) { values.push_back(static_cast<u64>(load(leaf))); });
    return values;
  }
  static void write(void* s, const std::vector<u64>& values) {
    std::size_t k = 0;
    for_each_leaf(in(s), [&](auto& leaf) {
      if constexpr (std::is_same_v<decltype(load(leaf)), bool>)
        leaf = values.at(k++) != 0;
      else
        leaf = values.at(k++);
    });
  }
};

template <class Model>
PlainTables plain_tables() {
  using Lowering = PlainLowering<Model>;
  using State = typename Lowering::State;
  PlainTables tables;
  tables.text = text_of<Model>();
  State s{};
  std::vector<PathIndex> path;
  for_each_named_leaf(s, "", path,
                      [&](const std::string& name, auto& leaf, const std::vector<PathIndex>& indices) {
                        using L = std::remove_cvref_t<decltype(leaf)>;
                        tables.leaves.push_back({name, L::width, std::is_same_v<L, plain::Word>, indices});
                      });
  tables.registers = register_leaves<Model>(s);
  typename Lowering::Collector collector;
  collect_actors<Model>(collector);
  tables.steps = std::move(collector.steps);
  hana::for_each(Model::environment, [&]<class R>(const R&) {
    tables.rules.push_back({&Lowering::template rule_guard<R>, &Lowering::template rule_effect<R>});
  });
  auto claim = [&]<class P>(const P&) { tables.claims.push_back(&Lowering::template claim<P>); };
  hana::for_each(Model::predicates, claim);
  hana::for_each(Model::lemmas, claim);
  tables.make = []() -> std::shared_ptr<void> { return std::make_shared<State>(); };
  tables.read = &Lowering::read;
  tables.write = &Lowering::write;
  tables.seed = [](void* state, u64 k, const Config& config) {
    return Model::seed(*static_cast<State*>(state), k, config);
  };
  return tables;
}

}  // namespace ptmc
