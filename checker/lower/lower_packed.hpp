// Lowers a typed model to PackedTables: the only templates between a model and the explicit engine.
#pragma once
#include "checker/lower/collect.hpp"
#include "checker/lower/packed.hpp"
#include "checker/lower/packed_tables.hpp"

namespace ptmc {

template <class Model>
struct PackedLowering {
  using State = typename Model::template State<Packed>;
  static constexpr unsigned words = (packed::Layout<State>::bits + 63) / 64;

  PTMC_INLINE static const State read(const u64* p) { return packed::view<State>(const_cast<u64*>(p), 0); }
  PTMC_INLINE static void copy(const u64* from, u64* to, unsigned n) {
    for (unsigned k = 0; k < words; ++k) to[k] = from[k];
    for (unsigned k = words; k < n; ++k) to[k] = from[k];  // Program counters that did not fit.
  }

  template <class R, class S>
  [[gnu::flatten]] static bool fire(const u64* in, u64* out, unsigned n, const Ctx& x, Instr::Guard guard) {
    if (guard == Instr::Guard::never) return false;
    if constexpr (!std::is_same_v<typename S::Guard, AlwaysOn>)
      if (guard == Instr::Guard::as_written) {
        const State s = read(in);
        auto&& r = R{}(s, x.self);
        if (!call_step<typename S::Guard>(s, r, x)) return false;
      }
    copy(in, out, n);
    State s = packed::view<State>(out, 0);
    auto&& r = R{}(s, x.self);
    if constexpr (S::kind == StepKind::compute)
      call_private<typename S::Effect>(r, x);
    else
      call_step<typename S::Effect>(s, r, x);
    return true;
  }

  struct Collector {
    std::vector<PackedStep> steps;
    template <class R, class S>
    void step() {
      steps.push_back({&fire<R, S>, nullptr});
    }
    template <class R, class C>
    void condition() {
      steps.push_back({nullptr, [](const u64* in, const Ctx& x) -> bool {
                         const State s = read(in);
                         auto&& r = R{}(s, x.self);
                         return call_private<C>(r, x);
                       }});
    }
  };

  /// All rules in one function: rules in text order, instances by index.
  [[gnu::flatten]] static u32 environment(const u64* in, unsigned n, const Batch& out, const RulePlan* plan,
                                          const Ctx& x) {
    u32 count = 0;
    const State s = read(in);
    hana::for_each(
        Model::environment, [&](const auto& rule) __attribute__((always_inline)) {
          using R = std::remove_cvref_t<decltype(rule)>;
          const RulePlan& p = *plan++;
          u32 action = p.action;
          for (u64 a = 0; a < p.first; ++a)
            for (u64 b = 0; b < p.second; ++b, ++action) {
              if (p.guarded && !call_rule<typename R::Guard>(s, a, b, x)) continue;
              u64* to = out.words + count * n;
              copy(in, to, n);
              State t = packed::view<State>(to, 0);
              call_rule<typename R::Effect>(t, a, b, x);
              out.action[count++] = action;
            }
        });
    return count;
  }

  [[gnu::flatten]] static u64 check(const u64* in, const Where& where, u64 wanted) {
    const State s = read(in);
    u64 news = 0;
    unsigned k = 0;
    auto one = [&]<class P>(const P&) __attribute__((always_inline)) {
      constexpr bool cover = requires(P p) { p.is_cover; };
      if ((wanted >> k & 1) != 0 && call_claim<typename P::Claim>(s, where) == cover) news |= bit(k);
      ++k;
    };
    hana::for_each(Model::predicates, one);
    hana::for_each(Model::lemmas, one);
    return news;
  }

  static bool seed(u64* state, u64 k, const Config& config) {
    typename Model::template State<Plain> s;
    if (!Model::seed(s, k, config)) return false;
    State t = packed::view<State>(state, 0);
    for_each_leaf_pair(t, s, [](auto& to, const auto& from) { to = load(from); });
    return true;
  }

  static void add_leaves(PackedTables& tables) {
    u64 buffer[words + 1] = {};
    State s = packed::view<State>(buffer, 0);
    std::vector<PathIndex> indices;
    for_each_named_leaf(s, "", indices,
                        [&](const std::string& name, auto& leaf, const std::vector<PathIndex>& path) {
                          using L = std::remove_cvref_t<decltype(leaf)>;
                          constexpr bool word = std::is_same_v<L, packed::Word>;
                          tables.leaves.push_back(
                              {name, packed::offset(leaf), packed::Layout<L>::bits, word, L::width, path});
                        });
    hana::for_each(Model::actors, [&](const auto& a) {
      using A = std::remove_cvref_t<decltype(a)>;
      auto& copies = tables.registers.emplace_back(A::copies_max);
      for (u64 self = 0; self < A::copies_max; ++self) {
        auto&& r = typename A::Registers{}(s, self);
        for_each_leaf(r, [&](auto& leaf) { copies[self].push_back(packed::offset(leaf)); });
      }
    });
  }
};

template <class Model>
PackedTables packed_tables() {
  using Lowering = PackedLowering<Model>;
  PackedTables tables;
  tables.text = text_of<Model>();
  tables.state_bits = packed::Layout<typename Lowering::State>::bits;
  Lowering::add_leaves(tables);
  typename Lowering::Collector collector;
  collect_actors<Model>(collector);
  tables.steps = std::move(collector.steps);
  tables.environment = &Lowering::environment;
  tables.check = &Lowering::check;
  tables.seed = &Lowering::seed;
  return tables;
}

}  // namespace ptmc
