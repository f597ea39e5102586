// Hardware: CPUs with TLBs and walk caches over two-level tables of real entries, invalidations under way,
// contexts. Sources: Intel SDM vol. 3 (253668) 4.10; Arm ARM (DDI 0487) D8.16, D8.17; each rule cites its
// own. Claim: what one CPU can hold and use of two pages, two tables and two address spaces, whatever
// speculation does. Omitted: two entries for one page in one TLB, or two prefixes in one walk cache: space
// k's table maps pages 0
//   and 1 under one prefix; levels above the second; A in table entries (Linux creates them with A set); a
//   CONT block has two pages here, not 16 (D8.7.1).
#pragma once
#include "model/arch/entry.hpp"
#include "model/core/language.hpp"
#include "model/hw/break_before_make.hpp"
#include "model/hw/invalidate.hpp"
#include "model/hw/program.hpp"
#include "model/hw/walker.hpp"

namespace ptmc::litmus {

/// A paging-structure cache entry (SDM 4.10.3), a walk in flight, an intermediate cache (Arm ARM RRVJDB).
template <class D>
struct WalkEntry {
  using F = Flag<D>;
  using Table = Bits<D, bits_for(tables_max)>;
  BOOST_HANA_DEFINE_STRUCT(WalkEntry, (F, valid), (F, tag),    // Address space.
                           (Table, table),                     // What the entry led to when it was read.
                           (F, store), (F, user), (F, exec));  // Rights of the levels it stands for.
};

template <class D>
struct Cpu {
  using F = Flag<D>;
  using KeyRegister = Bits<D, 2>;
  BOOST_HANA_DEFINE_STRUCT(Cpu, (F, space),  // Address space that runs here: its tag and its root.
                           (F, irqs_off), (F, lazy),
                           (KeyRegister, key),         // PKRU or POR_EL0, for key 1: no_loads, no_stores.
                           (KeyRegister, key_before),  // Its value before the last MSR...
                           (F, key_pending));          // ...which may be in effect until an ISB (arm64).
};

/// What a program has observed: 0 nothing yet, 1 a fault, 2 + n frame n (or flag value n).
template <class D>
struct Registers {
  using F = Flag<D>;
  using Fate = Bits<D, 3>;
  using Fates = Array<D, Fate, regs_max>;
  using Entry = Word<D>;
  BOOST_HANA_DEFINE_STRUCT(Registers, (Fates, r), (F, read), (Entry, seen));
};

/// A mask of invalidations has, for each space, a bit a page, the walk caches, and "all that is not global".
constexpr u64 walk_bit = bit(2), space_bit = bit(3), global_bit = bit(8), mask_bits = 9;

template <class Arch, class D>
struct State {
  using Pte = hw::Entry<Arch, D, cpus_max>;
  using Table = Array<D, Pte, pages_max, By::page>;
  using Tables = Array<D, Table, tables_max, By::table>;
  using Tops = Array<D, Pte, tables_max, By::table>;
  using Tlb = Array<D, hw::WideTlbEntry<D, frames_max>, pages_max, By::page>;
  using Tlbs = Array<D, Tlb, cpus_max, By::cpu>;
  using Walks = Array<D, WalkEntry<D>, cpus_max, By::cpu>;
  using Posts = hw::Posted<D, cpus_max, cpus_max, mask_bits>;
  using Cpus = Array<D, Cpu<D>, cpus_max, By::cpu>;
  using Locals = Array<D, Registers<D>, cpus_max, By::actor>;
  using Flags = Array<D, Flag<D>, 2>;
  using F = Flag<D>;
  BOOST_HANA_DEFINE_STRUCT(State, (Tables, leaf),  // [table][page]
                           (Tops, top),            // [space]
                           (Tlbs, tlb),            // [cpu][page]
                           (Walks, walk), (Posts, posted), (Cpus, cpu), (Locals, local), (Flags, flag),
                           (F, no_break));  // Observer: a live entry was changed without break-before-make.
};

/// The variation points of the contract; value 0 is the architecture's.
enum class Rule : u8 {
  accessed,
  speculative_dirty,
  clean_store,
  dirty_store,
  fault,
  upper_rights,
  tags,
  globals,
  walk_invalidation,
  level_hint,
  block_invalidation,
  walkers_see,
  completion,
  idle_cpus,
  key_register,
  live_change,
  program
};
template <class Arch>
constexpr std::array<Knob, 17> rules() {
  const char* arm = Arch::tlbi_is_posted ? nullptr : "x86-64 has no such rule";
  const char* x86 = Arch::tlbi_is_posted ? "arm64 has no such rule" : nullptr;
  return {{{"accessed", {"set-first", "not-set"}},
           {"speculative_dirty", {"never-set", "set"}},
           {"clean_store", {"rewalks", "uses-entry"}},
           {"dirty_store", {"uses-entry", "rewalks"}},
           {"fault", {"architecture", "other-architecture"}},  // Drops the entry (x86) or keeps it (arm64).
           {"upper_rights", {"combined", "ignored"}},
           {"tags", {"compared", "ignored"}},
           {"globals", {"any-tag", "own-tag", "flushed-with-space"}},
           {"walk_invalidation", {"path", "none"}},
           {"level_hint", {"honoured", "ignored"}, arm},
           {"block_invalidation", {"any-page", "own-page"}, arm},
           {"walkers_see", {"late", "at-once"}, arm},
           {"completion", {"issuer", "anyone"}, arm},
           {"idle_cpus", {"skipped", "interrupted"}, x86},
           {"key_register", {"architecture", "other-architecture"}},  // At once (x86) or by an ISB (arm64).
           {"live_change", {"needs-break", "free"}, arm},
           {"program", {}}}};  // Which one of the table runs; not for turning.
}
constexpr bool turned(const Ctx& x, Rule rule, u64 value = 1) { return x.knob(rule) == value; }

template <class Arch>
struct World {
  static constexpr hw::Walker<Arch> walker(const Ctx& x) {
    hw::Walker<Arch> w(x);
    w.marks_accessed = !turned(x, Rule::accessed);
    w.marks_dirty = turned(x, Rule::speculative_dirty);
    w.clean_rewalks = !turned(x, Rule::clean_store);
    w.dirty_rewalks = turned(x, Rule::dirty_store);
    w.fault_drops = w.fault_drops != turned(x, Rule::fault);
    w.combines_upper = !turned(x, Rule::upper_rights);
    return w;
  }

  // ---- walks ----
  /// What leads to table `k`, with all rights.
  static constexpr u64 table_entry(u64 k) {
    if constexpr (Arch::tlbi_is_posted)
      return Arch::type_page | k << arch::page_shift;
    else
      return Arch::page_table | k << arch::page_shift;
  }
  template <class B, class W>
  struct Path {
    W table;
    hw::Upper<B> upper;
  };
  static constexpr auto path_through(const auto& top) {
    const auto present = Arch::hw_table(top, Level::pmd);
    using B = decltype(!present);
    const auto table = ite(present, Arch::hw_table_pfn(top), u64{0});
    return Path<B, decltype(wide(table))>{
        table, {present, Arch::hw_table_store(top), Arch::hw_table_user(top), Arch::hw_table_exec(top)}};
  }
  static constexpr auto from_root(const auto& s, u64 c) {
    return path_through(hw::load_entry(at(s.top, load(s.cpu[c].space))));
  }
  static constexpr auto from_cache(const auto& s, u64 c) {
    auto&& cached = s.walk[c];
    const auto present = cached.valid && cached.tag == s.cpu[c].space;
    using B = decltype(!present);
    return Path<B, decltype(wide(cached.table))>{
        wide(cached.table), {present, load(cached.store), load(cached.user), load(cached.exec)}};
  }
  static constexpr void cache_walk(auto& s, u64 c, const auto& path) {
    auto&& w = s.walk[c];
    w.valid = true;
    w.tag = load(s.cpu[c].space);
    w.table = path.table;
    w.store = path.upper.store;
    w.user = path.upper.user;
    w.exec = path.upper.exec;
  }
  /// After a walk has filled `t`: whose it is.
  static constexpr void tag(auto& s, u64 c, u64 v) {
    auto&& t = s.tlb[c][v];
    t.tag = s.cpu[c].space && !t.global;
  }
  /// SDM 4.10.2.4, Arm ARM D8.16: an entry serves its own address space, or every one if it is global.
  static constexpr auto matches(const auto& s, u64 c, u64 v, const Ctx& x) {
    auto&& t = s.tlb[c][v];
    const auto any = t.global && !turned(x, Rule::globals);
    return t.valid && (any || t.tag == s.cpu[c].space || turned(x, Rule::tags));
  }

  /// A context synchronisation event: the key register is what was written last.
  static constexpr void settle_key(auto& s, u64 c) {
    s.cpu[c].key_pending = false;
    s.cpu[c].key_before = u64{0};
  }

  // ---- invalidation ----
  /// What an invalidation covers if the CPU that asks for it runs in `space`, after any operand mutation.
  static constexpr auto covers(const Instr& in, const auto& space, const Ctx& x) {
    const u64 page = hw::leaves_of<Arch>(bit(in.page), pages_max, x.operand);
    const bool walk = x.operand == Operand::as_written || x.operand == Operand::walk_only;
    u64 mask = page | (walk && !turned(x, Rule::walk_invalidation) ? walk_bit : 0);
    if (in.scope == Scope::leaf) mask = page;
    if (in.scope == Scope::wrong_level && !turned(x, Rule::level_hint)) mask = 0;  // RSQXYZ
    if (in.scope == Scope::space) mask = space_bit;
    if (in.scope == Scope::range)
      mask = walk_bit | hw::leaves_of<Arch>(bits(pages_max - 1, 0), pages_max, x.operand);
    const u64 other = mask << 4, everything = bits(mask_bits - 1, 0);
    return in.scope == Scope::all ? ite(space, everything, everything) : ite(space, other, mask);
  }
  /// CPU `c` drops what `mask` covers.
  static constexpr void invalidate(auto& s, u64 c, const auto& mask, const Ctx& x) {
    auto has = [&](u64 what, const auto& space) { return (mask & ite(space, what << 4, what)) != 0; };
    for (u64 v = 0; v < x.count(By::page); ++v) {
      auto&& t = s.tlb[c][v];
      auto page = [&](u64 what) { return has(what, t.tag) || (t.global && has(what, true)); };
      // Arm ARM D8.7.1: an address of a CONT block reaches the entry that stands for the block.
      const auto block = t.block && page(bits(pages_max - 1, 0)) && !turned(x, Rule::block_invalidation);
      const auto spared = t.global && !turned(x, Rule::globals, 2);
      const auto flushed = (has(space_bit, t.tag) && !spared) || (mask & global_bit) != 0;
      hw::drop_if(page(bit(static_cast<unsigned>(v))) || block || flushed, t);
    }
    auto&& w = s.walk[c];
    hw::drop_if(has(walk_bit | space_bit, w.tag), w);
  }
};

}  // namespace ptmc::litmus
