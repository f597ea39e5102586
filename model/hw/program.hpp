// Litmus programs as data: a few instructions for up to three CPUs, an outcome that must be possible and one
// that must not. They run in the world of model/hw/world.hpp; model/hw/litmus.hpp gives each operation its
// meaning.
#pragma once
#include <algorithm>
#include <array>

#include "model/core/types.hpp"

namespace ptmc::litmus {

enum class Op : u8 {
  end,
  load,
  store,
  fetch,  // An access by user code to `page`; its fate goes to register `reg`.
  read,
  write,
  exchange,     // Software on the leaf of `page` in table 0; what it held goes to `seen`.
  write_top,    // Software on the entry of address space 0 that leads to its table.
  invalidate,   // x86: INVLPG and MOV CR3 on this CPU, at once.
  post,         // x86: IPI to the others. arm64: TLBI ...IS.
  wait_posted,  // x86: all acknowledged. arm64: DSB ISH.
  dsb_ishst,    // arm64: this CPU's entry stores have reached the walkers.
  set_key,
  isb,        // WRPKRU; MSR POR_EL0 and its synchronisation.
  switch_to,  // MOV CR3 with bit 63 set, MSR TTBR0: another address space.
  irqs_off,
  irqs_on,
  lazy,  // The context this CPU runs in.
  set_flag,
  wait_flag,
  peek  // Ordinary memory that orders the CPUs of a program; peek: to register `reg`.
};

/// How much an invalidation covers. The address space is the one that the CPU runs in.
enum class Scope : u8 {
  path,         // One page and the walk caches on the way to it: INVLPG, TLBI VAE1IS.
  leaf,         // TLBI VALE1IS.
  range,        // TLBI RVAE1IS: both pages.
  wrong_level,  // TLBI VAE1IS whose TTL is not the leaf's level.
  space,        // All but global ones: MOV CR3, TLBI ASIDE1IS.
  all,          // Toggling CR4.PGE, TLBI VMALLE1IS.
};

constexpr u64 cpus_max = 3, pages_max = 2, tables_max = 2, frames_max = 4, regs_max = 3, code_max = 12;
constexpr u64 no_loads = 1, no_stores = 2;  // Values of the key register, for key 1.

struct Instr {
  Op op = Op::end;
  u8 page = 0;  // Or which flag.
  u8 space = 0;
  u8 reg = 0;
  Scope scope = Scope::path;
  u64 value = 0;  // An entry, a key register.
};

/// One conjunct of an outcome.
struct Expect {
  enum class What : u8 { nothing, reached, faulted, flag, has, lacks, bbm } what = What::nothing;
  u8 cpu = 0, reg = 0;
  u64 value = 0;  // reached: a frame; flag: its value; has, lacks: bits of `seen`.
};

struct Program {
  const char* name;
  const char* manual;
  u64 features = 0;           // As Config::features.
  u64 pages = 1, tables = 1;  // Tables and address spaces alike: space k starts with table k.
  u64 leaf[tables_max][pages_max] = {};
  u64 top[tables_max] = {};
  Instr code[cpus_max][code_max] = {};
  Expect allowed[3] = {}, forbidden[3] = {};

  constexpr u64 cpus() const {
    u64 n = 1;
    for (u64 c = 1; c < cpus_max; ++c)
      if (code[c][0].op != Op::end) n = c + 1;
    return n;
  }
};

template <std::size_t n, std::size_t m>
constexpr std::array<Program, n + m> join(const Program (&a)[n], const Program (&b)[m]) {
  std::array<Program, n + m> all{};
  std::copy(b, b + m, std::copy(a, a + n, all.begin()));
  return all;
}

// ---- the notation of the tables in properties/litmus ----
constexpr Instr on_page(Op op, u64 page, u64 reg) {
  return {.op = op, .page = static_cast<u8>(page), .reg = static_cast<u8>(reg)};
}
constexpr Instr ld(u64 page, u64 reg) { return on_page(Op::load, page, reg); }
constexpr Instr st(u64 page, u64 reg) { return on_page(Op::store, page, reg); }
constexpr Instr fetch(u64 page, u64 reg) { return on_page(Op::fetch, page, reg); }
constexpr Instr read_pte(u64 page) { return on_page(Op::read, page, 0); }
constexpr Instr write_pte(u64 page, u64 entry) {
  return {.op = Op::write, .page = static_cast<u8>(page), .value = entry};
}
constexpr Instr xchg_pte(u64 page, u64 entry) {
  return {.op = Op::exchange, .page = static_cast<u8>(page), .value = entry};
}
constexpr Instr write_top(u64 entry) { return {.op = Op::write_top, .value = entry}; }
constexpr Instr invalidate(u64 page, Scope scope = Scope::path) {
  return {.op = Op::invalidate, .page = static_cast<u8>(page), .scope = scope};
}
constexpr Instr post(u64 page, Scope scope = Scope::path) {
  return {.op = Op::post, .page = static_cast<u8>(page), .scope = scope};
}
constexpr Instr wait_posted{.op = Op::wait_posted}, dsb_ishst{.op = Op::dsb_ishst}, isb{.op = Op::isb};
constexpr Instr irqs_off{.op = Op::irqs_off}, irqs_on{.op = Op::irqs_on}, lazy{.op = Op::lazy};
constexpr Instr set_key(u64 value) { return {.op = Op::set_key, .value = value}; }
constexpr Instr switch_to(u64 space) { return {.op = Op::switch_to, .space = static_cast<u8>(space)}; }
constexpr Instr signal(u64 flag) { return on_page(Op::set_flag, flag, 0); }
constexpr Instr await(u64 flag) { return on_page(Op::wait_flag, flag, 0); }
constexpr Instr peek(u64 flag, u64 reg) { return on_page(Op::peek, flag, reg); }

constexpr Expect expect(Expect::What what, u64 cpu, u64 reg, u64 value) {
  return {what, static_cast<u8>(cpu), static_cast<u8>(reg), value};
}
constexpr Expect reached(u64 cpu, u64 reg, u64 frame) {
  return expect(Expect::What::reached, cpu, reg, frame);
}
constexpr Expect faulted(u64 cpu, u64 reg) { return expect(Expect::What::faulted, cpu, reg, 0); }
constexpr Expect peeked(u64 cpu, u64 reg, u64 value) { return expect(Expect::What::flag, cpu, reg, value); }
/// `cpu` has read a leaf and found all of these bits set / clear.
constexpr Expect saw(u64 cpu, u64 mask) { return expect(Expect::What::has, cpu, 0, mask); }
constexpr Expect missed(u64 cpu, u64 mask) { return expect(Expect::What::lacks, cpu, 0, mask); }
/// Somebody changed a live entry without break-before-make.
constexpr Expect no_break = expect(Expect::What::bbm, 0, 0, 0);

}  // namespace ptmc::litmus
