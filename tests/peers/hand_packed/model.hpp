// The benchmark's protocol packed by hand: what a person would write for this one model and machine.
//
// A state is one word of at most 64 bits. Guarded commands as in gen_spin.py; the lock is implied by the
// program counters, a freed page is a pte of 5, and its flush pending flag is "mprotect is not at 0".
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#ifndef BUG
#define BUG 0
#endif

using u64 = std::uint64_t;
using u32 = std::uint32_t;

constexpr int cpus = CPUS, pages = PAGES, index_bits = pages <= 4 ? 2 : 3;
constexpr int tlb_at = 0, pte_at = 2 * cpus * pages, dirty_at = pte_at + 3 * pages, rip_at = dirty_at + pages,
              mip_at = rip_at + cpus, vma_at = mip_at + cpus, ri_at = vma_at + 2, mi_at = ri_at + index_bits,
              rpc_at = mi_at + index_bits, mpc_at = rpc_at + 3, accessible_at = mpc_at + 4,
              pending_at = accessible_at + 1, batched_at = pending_at + 1, changed_at = batched_at + 1,
              key_bits = changed_at + 1;
static_assert(key_bits < 64);

constexpr u64 one = 1;
constexpr u64 ones(int n) { return (one << n) - 1; }
/// `n` copies of the value, `width` bits apart.
constexpr u64 repeat(int width, int n, u64 value) {
  u64 r = 0;
  for (int i = 0; i < n; ++i) r |= value << (width * i);
  return r;
}
constexpr u64 row_mask = ones(2 * pages), all_cpus = ones(cpus), key_mask = ones(key_bits);
constexpr u64 initial = (repeat(3, pages, 2) << pte_at) | (u64{2} << vma_at);

template <int at, int width>
inline u64 get(u64 s) {
  return (s >> at) & ones(width);
}
template <int at, int width>
inline u64 set(u64 s, u64 value) {
  return (s & ~(ones(width) << at)) | (value << at);
}
inline int pte_shift(u64 i) { return pte_at + 3 * static_cast<int>(i); }
inline u64 pte(u64 s, u64 i) { return (s >> pte_shift(i)) & 7; }
inline u64 set_pte(u64 s, u64 i, u64 v) { return (s & ~(u64{7} << pte_shift(i))) | (v << pte_shift(i)); }
inline u64 page_entries(u64 i) { return repeat(2 * pages, cpus, 3) << (2 * i); }

[[noreturn]] inline void fail(const char* what) {
  std::printf("violated: %s\n", what);
  std::fflush(stdout);
  std::_Exit(2);
}

/// What the hardware and faults may do, without a branch that depends on the state; returns how many.
inline int environment(u64 s, u64* out, bool fault) {
  int n = 0;
  const u64 vma = get<vma_at, 2>(s);
#pragma GCC unroll 8
  for (int i = 0; i < pages; ++i) {
    const u64 p = pte(s, static_cast<u64>(i));
    const bool clean = ((s >> (dirty_at + i)) & 1) == 0, valid = p - 1 < 2;
#pragma GCC unroll 4
    for (int c = 0; c < cpus; ++c) {
      const int at = 2 * (c * pages + i);
      const u64 entry = (s >> at) & 3, without = s & ~(u64{3} << at);
      out[n] = without | (p << at);
      n += valid & (entry != p);
      out[n] = without;
      n += entry != 0;
      out[n] = s | (one << (dirty_at + i));
      n += (entry == 2) & clean;
    }
    out[n] = set_pte(s, static_cast<u64>(i), vma);
    n += fault & (p == 5) & (vma != 0);
    out[n] = set_pte(s, static_cast<u64>(i), 2);
    n += fault & (p == 1) & (vma == 2);
  }
  for (u64 ipi = get<rip_at, 2 * cpus>(s); ipi != 0; ipi &= ipi - 1) {
    const int b = __builtin_ctzll(ipi), c = b < cpus ? b : b - cpus;
    out[n++] = s & ~(one << (rip_at + b)) & ~(row_mask << (2 * pages * c));
  }
  return n;
}

/// The next step of reclaim.
inline int reclaim(u64 s, u64* out, bool lock_free) {
  const u64 i = get<ri_at, index_bits>(s), p = pte(s, i);
  const auto go = [&](u64 x, u64 pc) { return *out = set<rpc_at, 3>(x, pc), 1; };
  const auto next_page = [&](u64 again, u64 then) {
    return i < pages - 1 ? go(s + (one << ri_at), again) : go(set<ri_at, index_bits>(s, 0), then);
  };
  switch (get<rpc_at, 3>(s)) {
    case 0:
      return lock_free ? go(s, 1) : 0;
    case 1: {
      if (p >= 4) return go(s, 3);
      const bool accessible = p == 1 || p == 2 || (p == 3 && get<mpc_at, 4>(s) != 0 && BUG != 1);
      return go(set_pte(s, i, 4) | u64{accessible} << accessible_at, 2);
    }
    case 2: {
      const u64 owed = get<accessible_at, 1>(s);
      return go((s & ~(one << accessible_at)) | owed << pending_at | owed << batched_at, 3);
    }
    case 3:
      return next_page(0, 4);
    case 4:
      if (get<pending_at, 1>(s) == 0) return go(s, 6);
      return go((s & ~(one << pending_at)) | (all_cpus << rip_at), 5);
    case 5:
      return get<rip_at, cpus>(s) == 0 ? go(s, 6) : 0;
    default:
      if (p == 4) {
        if ((s & page_entries(i)) != 0) fail("a page is freed that a TLB holds");
        s = set_pte(s, i, 5) & ~(one << (dirty_at + static_cast<int>(i)));
      }
      return next_page(6, 0);
  }
}

/// The next step of mprotect, or all that it may start with.
inline int mprotect(u64 s, u64* out, bool lock_free) {
  const u64 i = get<mi_at, index_bits>(s), p = pte(s, i), vma = get<vma_at, 2>(s);
  const bool clean = ((s >> (dirty_at + static_cast<int>(i))) & 1) == 0;
  const u64 wanted = vma == 0 ? 3 : vma == 1 || clean ? 1 : 2;
  const auto go = [&](u64 x, u64 pc) { return *out = set<mpc_at, 4>(x, pc), 1; };
  const auto next_page = [&](u64 x) {
    return i < pages - 1 ? go(x + (one << mi_at), 3) : go(set<mi_at, index_bits>(x, 0), 5);
  };
  int n = 0;
  switch (get<mpc_at, 4>(s)) {
    case 0:
      for (u64 to = 0; to < 3; ++to)
        if (to != vma) out[n++] = set<mpc_at, 4>(set<vma_at, 2>(s, to), 1);
      return n;
    case 1:
      if (!lock_free) return 0;
      if (get<batched_at, 1>(s) == 0 || BUG == 2) return go(s, 3);
      return go((s & ~(one << batched_at)) | (all_cpus << mip_at), 2);
    case 2:
      return get<mip_at, cpus>(s) == 0 ? go(s, 3) : 0;
    case 3: {
      if (p - 1 >= 3 || p == wanted) return next_page(s);
      const bool lowered = wanted == 3 || (p == 2 && wanted == 1);
      return go(set_pte(s, i, 0) | u64{lowered} << changed_at, 4);
    }
    case 4:
      return next_page(set_pte(s, i, wanted));
    case 5:
      return go(s, 6);
    case 6:
      if (get<changed_at, 1>(s) == 0) return go(s, 8);
      return go((s & ~(one << changed_at)) | (all_cpus << mip_at), 7);
    case 7:
      return get<mip_at, cpus>(s) == 0 ? go(s, 8) : 0;
    default: {
      const u64 writable = s & repeat(2, cpus * pages, 2), any = s & ones(2 * cpus * pages);
      if ((vma == 0 && any != 0) || (vma == 1 && writable != 0)) fail("a TLB grants more than the VMA");
      return go(s, 0);
    }
  }
}

/// All successors of `s`, into room for 96.
inline int successors(u64 s, u64* out) {
  const u64 rpc = get<rpc_at, 3>(s), mpc = get<mpc_at, 4>(s);
  const bool lock_free = rpc - 1 >= 3 && mpc - 2 >= 4;
  int n = environment(s, out, lock_free && mpc == 0);
  n += reclaim(s, out + n, lock_free);
  return n + mprotect(s, out + n, lock_free);
}

/// A bijection on keys.
inline u64 mix(u64 x) {
  constexpr int half = (key_bits + 1) / 2;
  x ^= x >> half;
  x = (x * 0x9E3779B97F4A7C15u) & key_mask;
  x ^= x >> half;
  x = (x * 0xD6E8FEB86659FD93u) & key_mask;
  return x ^ (x >> half);
}
