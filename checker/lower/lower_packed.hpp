// Lowers a typed model to PackedTables: the only templates between a model and the explicit engine.
#pragma once
#include "checker/lower/collect.hpp"
#include "checker/lower/packed.hpp"
#include "checker/lower/packed_tables.hpp"
#include "checker/lower/packed_total.hpp"

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
  PTMC_FLATTEN static bool fire(const u64* in, u64* out, unsigned n, const Ctx& x, Instr::Guard guard) {
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

  template <class R, class C>
  PTMC_FLATTEN static bool test(const u64* in, const Ctx& x) {
    const State s = read(in);
    auto&& r = R{}(s, x.self);
    return call_private<C>(r, x);
  }

  struct Collector {
    std::vector<PackedStep> steps;
    template <class R, class S>
    void step() {
      steps.push_back({&fire<R, S>, nullptr});
    }
    template <class R, class C>
    void condition() {
      steps.push_back({nullptr, &test<R, C>});
    }
  };

  /// The instances whose guard holds: bit a * columns + b. No branch between the guards: which instances are
  /// enabled is what a processor predicts worst.
  template <class R, u64 rows, u64 columns>
  PTMC_INLINE static u64 enabled(const State& s, const RulePlan& p, const Ctx& x) {
    u64 mask = 0;
#pragma GCC unroll 8
    for (u64 a = 0; a < rows; ++a)
#pragma GCC unroll 8
      for (u64 b = 0; b < columns; ++b) {
        if (a >= p.first || b >= p.second) continue;
        const bool on = !p.guarded || static_cast<bool>(call_rule<typename R::Guard>(s, a, b, x));
        mask |= u64{on} << (a * columns + b);
      }
    return mask;
  }

  /// All rules in one function: rules in text order, instances by index.
  PTMC_FLATTEN static u32 environment(const u64* in, unsigned n, const Batch& out, const RulePlan* plan,
                                      const Ctx& x) {
    u32 count = 0;
    const State s = read(in);
    hana::for_each(Model::environment, [&](const auto& rule) PTMC_INLINE_LAMBDA {
      using R = std::remove_cvref_t<decltype(rule)>;
      constexpr u64 rows = packed::extent<State>(R::first), columns = packed::extent<State>(R::second);
      static_assert(rows * columns <= 64, "a rule has at most 64 instances");
      const RulePlan& p = *plan++;
      for (u64 mask = enabled<R, rows, columns>(s, p, x); mask != 0; mask &= mask - 1) {
        const u64 k = static_cast<u64>(__builtin_ctzll(mask)), a = k / columns, b = k % columns;
        u64* to = out.words + count * n;
        copy(in, to, n);
        State t = packed::view<State>(to, 0);
        call_rule<typename R::Effect>(t, a, b, x);
        out.action[count++] = p.action + static_cast<u32>(a * p.second + b);
      }
    });
    return count;
  }

  /// Instance (a, b) of a rule, for states of one word: writes its successor in any case and counts it if the
  /// guard holds, so that nothing branches on what is enabled.
  template <class R, u64 a, u64 b>
  PTMC_INLINE static u32 run_ahead(u64 word, u64* to, const Ctx& x) {
    using Total = typename Model::template State<PackedTotal>;
    u32 on = static_cast<bool>(call_rule<typename R::Guard>(read(&word), a, b, x));
    asm("" : "+r"(on));  // A number from here on: gcc would branch on it.
    u64 next[2] = {word, 0};
    Total t = packed::view<Total>(next, 0);
    call_rule<typename R::Effect>(t, a, b, x);
    if (__builtin_expect((on & (next[1] != 0)) != 0, 0)) {  // Once more, for the error.
      State failing = packed::view<State>(next, 0);
      next[0] = word;
      call_rule<typename R::Effect>(failing, a, b, x);
    }
    *to = next[0];
    return on;
  }
  /// environment() for states of one word, if each rule has its guard and is off or at the model's full
  /// bounds.
  PTMC_FLATTEN static u32 environment_of_one_word(const u64* in, unsigned, const Batch& out,
                                                  const RulePlan* plan, const Ctx& x) {
    const u64 word = in[0];
    u64* const to = out.words;
    u32* const action = out.action;
    u32 count = 0;
    hana::for_each(Model::environment, [&]<class R>(const R&) PTMC_INLINE_LAMBDA {
      constexpr u64 rows = packed::extent<State>(R::first), columns = packed::extent<State>(R::second);
      const RulePlan& p = *plan++;
      if (p.first == 0) return;
      const u32 first_action = p.action;
      [&]<u64... k>(std::integer_sequence<u64, k...>) PTMC_INLINE_LAMBDA {
        ((action[count] = first_action + static_cast<u32>(k),
          count += run_ahead<R, k / columns, k % columns>(word, to + count, x)),
         ...);
      }
      (std::make_integer_sequence<u64, rows * columns>{});
    });
    return count;
  }

  /// Those of `claims` that are wanted and have news; the first has number `first`. Each has its own view, so
  /// that one whose calls were not all inlined does not cost the others.
  template <class Claims>
  PTMC_INLINE static u64 news(const Claims& claims, unsigned first, const u64* in, const Where& where,
                              u64 wanted) {
    u64 news = 0;
    unsigned k = first;
    hana::for_each(claims, [&]<class P>(const P&) PTMC_INLINE_LAMBDA {
      constexpr bool cover = requires(P p) { p.is_cover; };
      if ((wanted >> k & 1) != 0 && call_claim<typename P::Claim>(read(in), where) == cover) news |= bit(k);
      ++k;
    });
    return news;
  }
  static constexpr unsigned predicate_count = decltype(hana::length(Model::predicates))::value;
  static_assert(predicate_count < 64, "their news are bits of a word");
  /// Lemmas are many, and explored by few: inlined, they are most of what there is to compile.
  [[gnu::noinline]] static u64 check_lemmas(const u64* in, const Where& where, u64 wanted) {
    return news(Model::lemmas, predicate_count, in, where, wanted);
  }
  PTMC_FLATTEN static u64 check(const u64* in, const Where& where, u64 wanted) {
    const u64 by_predicates = news(Model::predicates, 0, in, where, wanted);
    return wanted >> predicate_count == 0 ? by_predicates : by_predicates | check_lemmas(in, where, wanted);
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
  hana::for_each(Model::environment, [&](const auto& rule) {
    using R = std::remove_cvref_t<decltype(rule)>;
    using State = typename Lowering::State;
    tables.rule_extents.emplace_back(packed::extent<State>(R::first), packed::extent<State>(R::second));
  });
  tables.environment = &Lowering::environment;
  if constexpr (packed::one_plain_word<typename Lowering::State>())
    tables.environment_of_one_word = &Lowering::environment_of_one_word;
  tables.check = &Lowering::check;
  tables.seed = &Lowering::seed;
  return tables;
}

}  // namespace ptmc
