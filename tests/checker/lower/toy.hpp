// A toy in the modelling language: two workers take a lock and add one to a shared word; hardware toggles
// flags per CPU.
#pragma once
#include "model/core/program.hpp"
#include "model/core/reflect.hpp"

namespace ptmc::toy {

template <class D>
struct Worker {
  using Number = Bits<D, 3>;
  BOOST_HANA_DEFINE_STRUCT(Worker, (Number, seen), (Number, rounds));
};
template <class D>
struct State {
  using Owner = Bits<D, 2>;
  using Entry = Word<D>;
  using Workers = Array<D, Worker<D>, 2, By::actor>;
  using Lit = Array<D, Flag<D>, 3, By::cpu>;
  using Pages = Array<D, Entry, 2, By::page>;
  BOOST_HANA_DEFINE_STRUCT(State, (Owner, lock), (Entry, total), (Workers, worker), (Lit, lit),
                           (Pages, pages));
};

/// Never above the number of additions done: broken if the lock is dropped.
struct Model {
  template <class D>
  using State = toy::State<D>;
  static constexpr u64 limit = 2;
  static constexpr std::array<Knob, 1> knobs{{{"increment", {"one", "two"}}}};
  static constexpr auto worker = sequence<2>(
      "worker", [](auto& s, u64 self) -> decltype(auto) { return s.worker[self]; },
      if_([](const auto& r) { return r.rounds < limit; },
          block("add",
                step(
                    "lock", [](const auto& s) { return s.lock == 0u; },
                    [](auto& s, auto&, Ctx x) { s.lock = x.self + 1; }),
                step("read", [](auto& s, auto& r) { r.seen = load(s.total) >> 12; }),
                compute("increase", [](auto& r, Ctx x) { r.seen = r.seen + 1 + x.knob(0); }),
                step("write", [](auto& s, auto& r) { s.total = wide(load(r.seen)) << 12; }),
                step("unlock", [](auto& s) { s.lock = 0; })),
          compute("count",
                  [](auto& r) {
                    r.rounds = r.rounds + 1;
                    r.seen = 0;
                  })),
      if_([](const auto& r) { return !(r.rounds < limit); },
          step(
              "rest", [](const auto&) { return false; }, [](auto&) {})));
  static constexpr auto actors = hana::make_basic_tuple(worker);
  static constexpr auto environment = hana::make_basic_tuple(ruleset<By::cpu>(
      "switch_on", [](const auto& s, u64 c) { return !s.lit[c]; }, [](auto& s, u64 c) { s.lit[c] = true; }));
  static constexpr auto predicates = hana::make_basic_tuple(
      always("sum", "the total is what the workers added",
             [](const auto& s) { return implies(s.lock == 0u, (load(s.total) >> 12) <= 2 * limit); }),
      sometimes("full", "both workers have added all",
                [](const auto& s) { return s.worker[0].rounds == limit && s.worker[1].rounds == limit; }));
  static constexpr auto lemmas = hana::make_basic_tuple(lemma("locked", [](const auto& s, const auto& w) {
    return (s.lock == 1u) == w.in("worker", "lock", "unlock", 0, 0);
  }));
  static bool seed(State<Plain>&, u64 k, const Config&) { return k == 0; }
};

}  // namespace ptmc::toy
