// A toy with a proof: workers take a lock, pick a slot by a register and count it up to a limit.
#pragma once
#include "model/core/program.hpp"
#include "model/core/reflect.hpp"

namespace ptmc::slots {

template <class D>
struct Worker {
  using Number = Bits<D, 3>;
  using Index = Bits<D, 2>;
  using Inside = Flag<D>;
  BOOST_HANA_DEFINE_STRUCT(Worker, (Number, seen), (Index, slot), (Inside, inside));
};
template <class D>
struct State {
  using Owner = Bits<D, 2>;
  using Entry = Word<D>;
  using Slots = Array<D, Bits<D, 3>, 3>;
  using Workers = Array<D, Worker<D>, 2, By::actor>;
  using Lit = Array<D, Flag<D>, 3, By::cpu>;
  BOOST_HANA_DEFINE_STRUCT(State, (Owner, lock), (Slots, count), (Entry, mark), (Workers, worker),
                           (Lit, lit));
};

struct Model {
  template <class D>
  using State = slots::State<D>;
  static constexpr u64 limit = 5, nr_slots = 3;
  static constexpr std::array<Knob, 1> knobs{{{"limit", {"five", "none"}}}};
  static constexpr auto worker = sequence<2>(
      "worker", [](auto& s, u64 self) -> decltype(auto) { return s.worker[self]; },
      step(
          "lock", [](const auto& s) { return s.lock == 0u; },
          [](auto& s, auto& r, Ctx x) {
            s.lock = x.self + 1;
            r.inside = true;
          }),
      choose<nr_slots>("pick", always_on, [](auto&, auto& r, Ctx x) { r.slot = x.k; }),
      block("add", step("read", [](auto& s, auto& r) { r.seen = at(s.count, r.slot); }),
            if_([](const auto& r, Ctx x) { return x.knob(0) == 1 || r.seen < limit; },
                compute("increase", [](auto& r) { r.seen = r.seen + 1; }),
                step("write",
                     [](auto& s, auto& r) { update(s.count, r.slot, [&](auto& n) { n = load(r.seen); }); }),
                step("mark",
                     [](auto& s, auto& r) {
                       when(s.mark == 0u || r.seen == limit, s,
                            [&](auto& t) { t.mark = (wide(load(r.slot)) << 12) | 1u; });
                     }))),
      compute("leave",
              [](auto& r) {
                r.seen = 0;
                r.slot = 0;
                r.inside = false;
              }),
      step("unlock", [](auto& s) { s.lock = 0; }));
  static constexpr auto actors = hana::make_basic_tuple(worker);
  static constexpr auto environment = hana::make_basic_tuple(ruleset<By::cpu>(
      "toggle", [](const auto& s, u64) { return s.lock == 0u; },
      [](auto& s, u64 c) { s.lit[c] = !load(s.lit[c]); }));

  static constexpr auto predicates = hana::make_basic_tuple(
      always("mutex", "one worker is inside",
             [](const auto& s) { return !(s.worker[0].inside && s.worker[1].inside); }),
      always("bounded", "no slot counts above the limit",
             [](const auto& s) { return for_all<nr_slots>([&](u64 k) { return s.count[k] <= limit; }); }),
      always("marked", "a mark names a slot",
             [](const auto& s) { return s.mark == 0u || ((s.mark & 1) == 1u && (s.mark >> 12) < nr_slots); }),
      sometimes("full", "a slot is full", [](const auto& s) { return s.count[2] == limit; }));
  static constexpr auto lemmas = hana::make_basic_tuple(
      lemma("owner",
            [](const auto& s, const auto& w) {
              return for_all<2>([&](u64 k) {
                return (s.lock == k + 1) == w.in("worker", "lock", "unlock", 0, k) && s.lock != 3u;
              });
            }),
      lemma("inside",
            [](const auto& s, const auto& w) {
              return for_all<2>(
                  [&](u64 k) { return s.worker[k].inside == w.in("worker", "lock", "leave", 0, k); });
            }),
      lemma("slot_exists",
            [](const auto& s, const auto&) {
              return for_all<2>([&](u64 k) { return s.worker[k].slot < nr_slots; });
            }),
      lemma("seen_is_fresh", [](const auto& s, const auto& w) {
        return for_all<2>([&](u64 k) {
          return s.worker[k].seen <= limit &&
                 implies(!w.in("worker", "read", "leave", 0, k), s.worker[k].seen == 0u);
        });
      }));
  static bool seed(State<Plain>&, u64 k, const Config&) { return k == 0; }
  static auto init(const auto& s, const Config& config) {
    auto idle = for_all<2>(
        [&](u64 k) { return s.worker[k].seen == 0u && s.worker[k].slot == 0u && !s.worker[k].inside; });
    auto dark = for_all<3>([&](u64 c) { return c >= config.count(By::cpu) || !s.lit[c]; });
    return idle && dark && s.lock == 0u && s.mark == 0u &&
           for_all<nr_slots>([&](u64 k) { return s.count[k] == 0u; });
  }
};

}  // namespace ptmc::slots
