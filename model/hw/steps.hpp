// What each operation of a litmus program does in the world of model/hw/world.hpp.
// Sources: as cited at each operation; Linux's own sequences: arch/{x86,arm64}/include/asm/tlbflush.h (6.12).
// Claim: an operation is one step; what hardware does between steps is in model/hw/litmus.hpp.
// Omitted: see model/hw/world.hpp.
#pragma once
#include "model/core/language.hpp"
#include "model/hw/world.hpp"

namespace ptmc::litmus {

template <class Arch, const auto& programs>
struct Steps {
  using W = World<Arch>;
  static constexpr const Program& program(const Config& config) {
    return programs[config.choice(Rule::program)];
  }
  static constexpr const Instr& instr(const Ctx& x) { return program(*x.config).code[x.self][x.i]; }
  static constexpr auto is_access = [](const auto&, Ctx x) {
    return instr(x).op == Op::load || instr(x).op == Op::store || instr(x).op == Op::fetch;
  };

  static constexpr bool has_bbm2(const Ctx& x) {
    if constexpr (Arch::tlbi_is_posted) return x.has(arm::Feature::bbm2);
    return false;
  }
  static constexpr bool has_keys(const Ctx& x) {
    if constexpr (Arch::tlbi_is_posted) return x.has(arm::Feature::poe);
    return true;
  }

  // ---- accesses ----
  // Choice bit 0: a walk starts at the walk cache; 1: it faults on the word before a lagging store (that it
  // succeeds with that word is `fill_before`, then a hit); 2: the key register that was.
  static constexpr auto access_guard = [](const auto& s, const auto&, Ctx x) {
    const Instr& in = instr(x);
    const auto hit = W::matches(s, x.self, in.page, x);
    const auto cached = W::from_cache(s, x.self), root = W::from_root(s, x.self);
    const auto walks = !hit || in.op == Op::store;
    const auto start = (x.k & 1) == 0 || (walks && cached.upper.present);
    const auto& entry = at(s.leaf, root.table)[in.page];
    const auto stale = (x.k & 2) == 0 || ((x.k & 1) == 0 && !hit && root.upper.present &&
                                          hw::has_before(entry) && !W::walker(x).can_fill_before(entry));
    return start && stale && ((x.k & 4) == 0 || load(s.cpu[x.self].key_pending));
  };
  static constexpr auto access = [](auto& s, auto& r, Ctx x) {
    const Instr& in = instr(x);
    const u64 c = x.self, v = in.page;
    hw::drop_if(!W::matches(s, c, v, x), s.tlb[c][v]);  // Room for one entry a page.
    const auto path = (x.k & 1) != 0 ? W::from_cache(s, c) : W::from_root(s, c);
    const auto valid = load(s.tlb[c][v].valid);
    const auto key =
        ite(valid, load(s.tlb[c][v].key), Arch::hw_pkey(hw::load_entry(at(s.leaf, path.table)[v])));
    const auto keys = (x.k & 4) != 0 ? load(s.cpu[c].key_before) : load(s.cpu[c].key);
    const u64 denies = !has_keys(x) ? 0 : in.op == Op::store ? no_stores : in.op == Op::load ? no_loads : 0;
    const auto denied = (key == 1 && (keys & denies) != 0) || (x.k & 2) != 0;
    when(!denied, s, [&](auto&& live) {
      auto&& t = live.tlb[c][v];
      update(live.leaf, path.table, [&](auto&& row) {
        const auto walker = W::walker(x);
        const auto a = in.op == Op::store ? walker.access_store(t, row[v], path.upper)
                                          : walker.access_load(t, row[v], path.upper);
        live.local[c].r[in.reg] =
            ite(a.faulted || !t.user || (in.op == Op::fetch && !t.exec), u64{1}, 2 + wide(t.frame));
        when(!a.faulted && a.walked, live, [&](auto&& walked) { W::tag(walked, c, v); });
      });
    });
    when(denied, r, [&](auto&& regs) { regs.r[in.reg] = u64{1}; });
    when(r.r[in.reg] == u64{1}, s, [&](auto&& live) {
      if (W::walker(x).fault_drops) {  // SDM 4.10.4.1: a page fault invalidates that address' entries.
        hw::drop(live.tlb[c][v]);
        hw::drop(live.walk[c]);
      }
      W::settle_key(live, c);  // Exception entry is a context synchronisation event (Arm ARM, glossary).
    });
  };

  // ---- software on entries ----
  static constexpr void record(auto& r, const auto& word) {
    r.read = true;
    r.seen = word;
  }
  /// A store reaches walkers later than other observers (model/hw/visibility.hpp).
  static constexpr void change(auto& s, auto&& entry, const Instr& in, Ctx x) {
    const auto old = hw::load_entry(entry);
    const bool free = turned(x, Rule::live_change), bbm2 = has_bbm2(x);
    auto broken = hw::needs_break<Arch>(old, in.value, bbm2);
    if constexpr (Arch::tlbi_is_posted) {
      broken = broken || (hw::has_before(entry) && hw::needs_break<Arch>(load(entry.before), in.value, bbm2));
      for (u64 c = 0; c < x.count(By::cpu); ++c)
        broken = broken || hw::clashes<Arch>(s.tlb[c][in.page], in.value, bbm2);
    }
    s.no_break = (s.no_break || broken) && !free;
    hw::store_entry(entry, x.self, in.value);
    if (turned(x, Rule::walkers_see)) hw::drain(entry);
  }
  static constexpr auto read = [](auto& s, auto& r, Ctx x) {
    record(r, hw::load_entry(s.leaf[0][instr(x).page]));
  };
  static constexpr auto exchange = [](auto& s, auto& r, Ctx x) {
    auto&& entry = s.leaf[0][instr(x).page];
    record(r, hw::load_entry(entry));
    change(s, entry, instr(x), x);
  };
  static constexpr auto write = [](auto& s, auto&, Ctx x) {
    change(s, s.leaf[0][instr(x).page], instr(x), x);
  };
  static constexpr auto write_top = [](auto& s, auto&, Ctx x) {
    hw::store_entry(s.top[0], x.self, instr(x).value);
    if (turned(x, Rule::walkers_see)) hw::drain(s.top[0]);
  };

  // ---- invalidation and barriers ----
  /// SDM 4.10.4.1: INVLPG and MOV CR3 act on this CPU, at once.
  static constexpr auto invalidate_local = [](auto& s, auto&, Ctx x) {
    W::invalidate(s, x.self, W::covers(instr(x), load(s.cpu[x.self].space), x), x);
  };
  /// x86 (SDM 4.10.5): an IPI to every other CPU but lazy ones. arm64 (D8.17): TLBI ...IS to every PE.
  static constexpr auto post = [](auto& s, auto&, Ctx x) {
    const auto mask = W::covers(instr(x), load(s.cpu[x.self].space), x);
    for (u64 c = 0; c < x.count(By::cpu); ++c) {
      if (c == x.self ? !Arch::tlbi_is_posted : x.operand == Operand::local_only) continue;
      auto&& due = s.posted.pages[x.self][c];
      const bool skips = !Arch::tlbi_is_posted && !turned(x, Rule::idle_cpus);
      due = ite(s.cpu[c].lazy && skips, wide(due), due | mask);
    }
  };
  /// x86: all targets have acknowledged. arm64: DSB ISH, which waits for this PE's own TLBIs only (RYNJCP).
  static constexpr auto wait_guard = [](const auto& s, const auto&, Ctx x) {
    return for_all<cpus_max>([&](u64 issuer) {
      const bool waits = issuer == x.self || turned(x, Rule::completion);
      return !waits || hw::complete(s.posted, issuer);
    });
  };
  /// Arm ARM RDDMVT: this PE's earlier entry stores have reached every walker. DSB ISH includes DSB ISHST.
  static constexpr auto publish = [](auto& s, auto&, Ctx x) {
    for (u64 k = 0; k < x.count(By::table); ++k) {
      for (u64 v = 0; v < x.count(By::page); ++v) hw::publish(s.leaf[k][v], x.self);
      hw::publish(s.top[k], x.self);
    }
  };
  /// SDM 4.6.2: WRPKRU takes effect at once. arm64: each access before the next context synchronisation event
  /// may use either value.
  static constexpr auto set_key = [](auto& s, auto&, Ctx x) {
    auto&& cpu = s.cpu[x.self];
    if (Arch::tlbi_is_posted != turned(x, Rule::key_register)) {
      cpu.key_before = load(cpu.key);
      cpu.key_pending = true;
    }
    cpu.key = instr(x).value;
  };
  /// With PCIDs MOV CR3 may keep everything (bit 63); without, it drops all but globals (SDM 4.10.4.1).
  static constexpr auto switch_space = [](auto& s, auto&, Ctx x) {
    if constexpr (!Arch::tlbi_is_posted)
      if (!x.has(x86::Feature::pcid)) {
        const Instr drop{.op = Op::invalidate, .scope = Scope::space};
        W::invalidate(s, x.self, W::covers(drop, load(s.cpu[x.self].space), x), x);
      }
    s.cpu[x.self].space = instr(x).space != 0;
  };

  static constexpr auto flag_is_set = [](const auto& s, const auto&, Ctx x) {
    return load(s.flag[instr(x).page]);
  };
  static constexpr auto peek_flag = [](auto& s, auto& r, Ctx x) {
    r.r[instr(x).reg] = ite(s.flag[instr(x).page], u64{3}, u64{2});
  };
};

}  // namespace ptmc::litmus
