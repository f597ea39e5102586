// Litmus programs in the world of model/hw/world.hpp: one actor a CPU, and what hardware may do at any time.
// Sources: Intel SDM vol. 3 (253668) 4.10; Arm ARM (DDI 0487) D8.7, D8.16, D8.17.
// Claim: of each program, the allowed outcome is reachable and the forbidden one is not.
// Omitted: see model/hw/world.hpp.
#pragma once
#include "model/hw/steps.hpp"

namespace ptmc::litmus {

inline constexpr auto never = [](const auto&) { return false; };
inline constexpr auto no_effect = [](auto&) {};

/// `programs`: a constexpr array of Program; Rule::program chooses one.
template <class Arch_, const auto& programs>
struct Litmus : Steps<Arch_, programs> {
  using Arch = Arch_;
  using S = Steps<Arch, programs>;
  using W = typename S::W;
  template <class D>
  using State = litmus::State<Arch, D>;
  static constexpr auto knobs = rules<Arch>();
  static constexpr auto operand_absent = &hw::operand_absent<Arch>;
  template <Op op>
  static constexpr auto is = [](const auto&, Ctx x) { return S::instr(x).op == op; };

  // ---- one CPU ----
  static constexpr bool posts = Arch::tlbi_is_posted;
  static constexpr auto own_steps = [] {
    if constexpr (posts)
      return block("", if_(is<Op::dsb_ishst>, step("dsb_ishst", S::publish)),
                   if_(is<Op::isb>, step("isb", [](auto& s, auto&, Ctx x) { W::settle_key(s, x.self); })));
    else
      return block(
          "", if_(is<Op::invalidate>, step("invalidate", S::invalidate_local)),
          if_(is<Op::lazy>, step("enter_lazy", [](auto& s, auto&, Ctx x) { s.cpu[x.self].lazy = true; })));
  }();
  static constexpr auto cpu = sequence<cpus_max>(
      "cpu", [](auto& s, u64 self) -> decltype(auto) { return s.local[self]; },
      loop<By::slot>(
          if_(S::is_access, choose<8>("access", S::access_guard, S::access)),
          if_(is<Op::read>, step("read_pte", S::read)), if_(is<Op::write>, step("write_pte", S::write)),
          if_(is<Op::exchange>, step("xchg_pte", S::exchange)),
          if_(is<Op::write_top>, step("write_pmd", S::write_top)),
          if_(is<Op::post>, step(posts ? "tlbi" : "ipi", S::post)),
          if_(is<Op::wait_posted>, step(posts ? "dsb_ish" : "ipi_wait", S::wait_guard, S::publish)),
          own_steps, if_(is<Op::set_key>, step("set_key", S::set_key)),
          if_(is<Op::switch_to>, step("switch_to", S::switch_space)),
          if_(is<Op::irqs_off>,
              step("irqs_off", [](auto& s, auto&, Ctx x) { s.cpu[x.self].irqs_off = true; })),
          if_(is<Op::irqs_on>,
              step("irqs_on", [](auto& s, auto&, Ctx x) { s.cpu[x.self].irqs_off = false; })),
          if_(is<Op::set_flag>,
              step("set_flag", [](auto& s, auto&, Ctx x) { s.flag[S::instr(x).page] = true; })),
          if_(is<Op::wait_flag>, step("wait_flag", S::flag_is_set, no_effect)),
          if_(is<Op::peek>, step("peek_flag", S::peek_flag)),
          if_(is<Op::end>, step("end", never, no_effect))));
  static constexpr auto actors = hana::make_basic_tuple(cpu);

  // ---- what hardware may do at any time ----
  /// A speculative walk begins: it reads the upper level, and what it read may be used for any later leaf
  /// (SDM 4.10.2.3, 4.10.3.2; Arm ARM D8.16, RRVJDB).
  static constexpr auto start_walk = ruleset<By::cpu>(
      "start_walk", [](const auto& s, u64 c) { return W::from_root(s, c).upper.present; },
      [](auto& s, u64 c) { W::cache_walk(s, c, W::from_root(s, c)); });
  /// The same before a store to the upper level has reached the walkers.
  static constexpr auto start_walk_before = ruleset<By::cpu>(
      "start_walk_before",
      [](const auto& s, u64 c) {
        const auto& top = at(s.top, load(s.cpu[c].space));
        return hw::has_before(top) && W::path_through(hw::load_before(top)).upper.present;
      },
      [](auto& s, u64 c) {
        W::cache_walk(s, c, W::path_through(hw::load_before(at(s.top, load(s.cpu[c].space)))));
      });
  /// It ends: reads the leaf, marks it accessed, caches it.
  static constexpr auto fill = ruleset<By::cpu, By::page>(
      "fill",
      [](const auto& s, u64 c, u64 v, Ctx x) {
        const auto path = W::from_cache(s, c);
        return path.upper.present && W::walker(x).can_fill(at(s.leaf, path.table)[v]);
      },
      [](auto& s, u64 c, u64 v, Ctx x) {
        const auto path = W::from_cache(s, c);
        update(s.leaf, path.table, [&](auto&& row) { W::walker(x).fill(s.tlb[c][v], row[v], path.upper); });
        W::tag(s, c, v);
      });
  /// The same before a store to the leaf has reached the walkers.
  static constexpr auto fill_before = ruleset<By::cpu, By::page>(
      "fill_before",
      [](const auto& s, u64 c, u64 v, Ctx x) {
        const auto path = W::from_cache(s, c);
        return path.upper.present && W::walker(x).can_fill_before(at(s.leaf, path.table)[v]);
      },
      [](auto& s, u64 c, u64 v, Ctx x) {
        const auto path = W::from_cache(s, c);
        update(s.leaf, path.table,
               [&](auto&& row) { W::walker(x).fill_before(s.tlb[c][v], row[v], path.upper); });
        W::tag(s, c, v);
      });
  /// Arm ARM D8.7.1: a CONT block may be cached as one entry, with the attributes of any of its descriptors.
  static constexpr auto fill_block = ruleset<By::cpu, By::page>(
      "fill_block",
      [](const auto& s, u64 c, u64 v, Ctx x) {
        const auto path = W::from_cache(s, c);
        const auto& entry = at(s.leaf, path.table)[v];
        return path.upper.present && W::walker(x).can_fill(entry) && Arch::hw_cont(hw::load_entry(entry)) &&
               x.count(By::page) == pages_max;
      },
      [](auto& s, u64 c, u64 v, Ctx x) {
        const auto path = W::from_cache(s, c);
        update(s.leaf, path.table, [&](auto&& row) { W::walker(x).fill(s.tlb[c][v], row[v], path.upper); });
        W::tag(s, c, v);
        auto&& t = s.tlb[c][v];
        t.block = true;
        auto&& sibling = s.tlb[c][1 - v];
        assign(sibling, t);
        sibling.frame = (load(t.frame) & ~u64{1}) | (1 - v);  // A block is contiguous and aligned.
      });
  /// Anything cached may be dropped at any time. Walk-cache entries need no such rule: no access has to use
  /// one. Nor do lagging stores need a rule that ends the lag: a walker may read either word until it ends.
  static constexpr auto evict = ruleset<By::cpu, By::page>(
      "evict", [](const auto& s, u64 c, u64 v) { return load(s.tlb[c][v].valid); },
      [](auto& s, u64 c, u64 v) { hw::drop(s.tlb[c][v]); });
  /// CPU `c` does what `issuer` has posted.
  static constexpr auto deliver = ruleset<By::actor, By::cpu>(
      "deliver",
      [](const auto& s, u64 issuer, u64 c) {
        return hw::can_deliver<Arch>(s.posted, issuer, c, load(s.cpu[c].irqs_off));
      },
      [](auto& s, u64 issuer, u64 c, Ctx x) {
        auto&& due = s.posted.pages[issuer][c];
        W::invalidate(s, c, load(due), x);
        due = u64{0};
      });
  static constexpr auto environment = [] {
    if constexpr (Arch::tlbi_is_posted)
      return hana::make_basic_tuple(start_walk, fill, evict, deliver, start_walk_before, fill_before,
                                    fill_block);
    else
      return hana::make_basic_tuple(start_walk, fill, evict, deliver);
  }();

  // ---- outcomes ----
  static constexpr auto met(const auto& s, const Expect& e) {
    auto&& r = s.local[e.cpu];
    const auto fate = load(r.r[e.reg]), seen = load(r.seen);
    switch (e.what) {
      case Expect::What::reached:
      case Expect::What::flag:
        return fate == 2 + e.value;
      case Expect::What::faulted:
        return fate == 1;
      case Expect::What::has:
        return r.read && (seen & e.value) == e.value;
      case Expect::What::lacks:
        return r.read && (seen & e.value) == 0;
      case Expect::What::bbm:
        return load(s.no_break);
      default:
        return true;
    }
  }
  static constexpr auto all_met(const auto& s, const Expect (&outcome)[3]) {
    return met(s, outcome[0]) && met(s, outcome[1]) && met(s, outcome[2]);
  }
  static constexpr auto predicates = hana::make_basic_tuple(
      always("forbidden", "the outcome that the manual forbids does not happen",
             [](const auto& s, const auto& w) { return !all_met(s, S::program(w.config()).forbidden); }),
      sometimes("allowed", "the outcome that the manual allows happens",
                [](const auto& s, const auto& w) { return all_met(s, S::program(w.config()).allowed); }));
  static constexpr auto lemmas = hana::make_basic_tuple();

  static bool seed(State<Plain>& s, u64 k, const Config& config) {
    const Program& p = S::program(config);
    for (u64 t = 0; t < p.tables; ++t) {
      for (u64 v = 0; v < p.pages; ++v) hw::settle_entry(s.leaf[t][v], p.leaf[t][v]);
      hw::settle_entry(s.top[t], p.top[t] != 0 ? p.top[t] : W::table_entry(t));
    }
    return k == 0;
  }
};

}  // namespace ptmc::litmus
