// The set of seen states whose keys have at most 64 bits: exact, about 9 bytes a key, one cache line a probe.
//
// A key is mixed by a bijection of its own width; the quotient of the mixed key is the bucket it belongs to
// and the remainder is all that is stored, so that equal entries mean equal keys. A bucket is a cache line of
// `slots` low parts of 32 bits (bit 31: occupied; the value 1: being written), then as many high parts of
// `extra` bytes. A full bucket overflows into the next ones; the entry counts how far it went.
#pragma once
#include <functional>
#include <vector>

#include "checker/explicit/line.hpp"
#include "checker/explicit/pages.hpp"

namespace ptmc::explicit_engine {

enum class Insert : u8 { old, fresh, full };

class QuotientSet {
 public:
  /// For keys of `key_bits` <= 64 bits. The table never outgrows `bytes_max`. With `threads` > 1 insert() may
  /// be called by several threads at once.
  QuotientSet(unsigned key_bits, u64 bytes_max, unsigned threads);

  /// The bijection; insert() and prefetch() take its result.
  u64 mix(u64 key) const {
    key ^= key >> half_;
    key = (key * factor_a) & mask_;
    key ^= key >> half_;
    key = (key * factor_b) & mask_;
    return key ^ (key >> half_);
  }
  /// Inlined by force: gcc 12 takes a function that only prefetches for one without effect, and drops calls.
  [[gnu::always_inline]] void prefetch(u64 mixed) const {
    u64 rest;
    __builtin_prefetch(line(bucket(now_, mixed, rest)), 1);
  }
  /// `full`: nothing was done, the set must grow first.
  Insert insert(u64 mixed) {
    switch (now_.extra) {
      case 0:
        return put<0>(mixed);
      case 1:
        return put<1>(mixed);
      case 2:
        return put<2>(mixed);
      default:
        return put<4>(mixed);
    }
  }

  u64 bytes() const { return line_bytes * now_.buckets; }
  u64 capacity() const { return u64{now_.slots} * now_.buckets; }

  /// Growing in place: the order of mixed keys is the order of buckets at every size, so that going down each
  /// entry moves up into space already left. grow_begin (one thread; false: more than bytes_max), then
  /// grow_share by all threads with their numbers and a barrier of theirs, then grow_end (one thread; false:
  /// repeat all three).
  bool grow_begin(double factor, u64 bytes_max);
  void grow_share(unsigned thread, const std::function<void()>& barrier);
  bool grow_end();

  static constexpr u64 factor_a = 0x9E3779B97F4A7C15u, factor_b = 0xD6E8FEB86659FD93u;  // Odd: invertible.

 private:
  static constexpr u64 line_bytes = 64;
  /// One size of the table. `magic` divides by `width` (keys a bucket); `shift` bits count the displacement.
  struct Geometry {
    u64 width, magic, buckets;
    unsigned extra, shift, slots;
  };
  struct Range {
    u64 low, high;
  };

  Geometry geometry(u64 width) const;
  static u64 bucket(const Geometry& g, u64 mixed, u64& rest) {
    u64 b = static_cast<u64>((static_cast<unsigned __int128>(mixed) * g.magic) >> 64);
    rest = mixed - b * g.width;
    const bool up = rest >= g.width;
    b += up;
    rest -= up ? g.width : 0;
    return b;
  }
  u8* line(u64 b) const { return base_ + b * line_bytes; }
  u32* lows(u64 b) const { return reinterpret_cast<u32*>(line(b)); }

  template <unsigned extra>
  static u64 high(const u8* line, unsigned slot);
  template <unsigned extra>
  static void set_high(u8* line, unsigned slot, u64 value);
  template <unsigned extra>
  Insert put(u64 mixed);
  template <unsigned extra>
  bool claim(u8* at, unsigned slot, u32 low_part, u64 high_part);

  static u64 any_high(const Geometry& g, const u8* line, unsigned slot);
  unsigned take(u64 b, u64* mixed);
  bool place(u64 mixed, Range allowed);
  void move_range(Range from, std::vector<u64>& left_over);

  unsigned half_, threads_;
  u64 mask_;
  unsigned __int128 keys_;  // 2^bits.
  Pages pages_;
  u8* base_;
  Geometry now_, before_;
  std::vector<u8> fill_;       // Entries a bucket while growing: no line just written is read back.
  std::vector<Range> rounds_;  // Old buckets of one round move to space that earlier rounds left.
  std::vector<std::vector<u64>> left_over_;  // Per thread: entries that belong outside the thread's range.
};

template <unsigned extra>
inline u64 QuotientSet::high(const u8* line, unsigned slot) {
  if constexpr (extra == 1) return line[48 + slot];
  if constexpr (extra == 2) return reinterpret_cast<const u16*>(line + 40)[slot];
  if constexpr (extra == 4) return reinterpret_cast<const u32*>(line + 32)[slot];
  return 0;
}

template <unsigned extra>
inline void QuotientSet::set_high(u8* line, unsigned slot, u64 value) {
  if constexpr (extra == 1) line[48 + slot] = static_cast<u8>(value);
  if constexpr (extra == 2) reinterpret_cast<u16*>(line + 40)[slot] = static_cast<u16>(value);
  if constexpr (extra == 4) reinterpret_cast<u32*>(line + 32)[slot] = static_cast<u32>(value);
}

/// False: another thread was faster. Slots fill in order, so an equal entry of another thread is in a slot
/// that the caller saw empty, and the caller looks again.
template <unsigned extra>
inline bool QuotientSet::claim(u8* at, unsigned slot, u32 low_part, u64 high_part) {
  u32* const q = reinterpret_cast<u32*>(at) + slot;
  if (threads_ == 1) {
    set_high<extra>(at, slot, high_part);
    *q = low_part;
    return true;
  }
  u32 zero = 0;
  if constexpr (extra == 0)
    return __atomic_compare_exchange_n(q, &zero, low_part, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  if (!__atomic_compare_exchange_n(q, &zero, 1u, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return false;
  set_high<extra>(at, slot, high_part);
  __atomic_store_n(q, low_part, __ATOMIC_RELEASE);
  return true;
}

template <unsigned extra>
inline Insert QuotientSet::put(u64 mixed) {
  constexpr unsigned slots = slots_of(extra);
  u64 rest, b = bucket(now_, mixed, rest);
  for (u64 moved = 0; moved < u64{1} << now_.shift; ++moved, b = b + 1 == now_.buckets ? 0 : b + 1) {
    const u64 entry = rest << now_.shift | moved;
    const u32 low_part = static_cast<u32>(entry) | 0x80000000u;
    u8* const at = line(b);
    for (;;) {
      const Line<slots> seen(at);
      unsigned same = seen.equal(low_part);
      if constexpr (extra == 0) {
        if (same != 0) return Insert::old;
      } else {
        for (; same != 0; same &= same - 1)
          if (high<extra>(at, static_cast<unsigned>(__builtin_ctz(same))) == entry >> 31) return Insert::old;
        if (threads_ > 1 && seen.equal(1) != 0) {  // Perhaps this very key is being written.
          pause();
          continue;
        }
      }
      const unsigned free = seen.equal(0);
      if (free == 0) break;
      if (claim<extra>(at, static_cast<unsigned>(__builtin_ctz(free)), low_part, entry >> 31))
        return Insert::fresh;
    }
  }
  return Insert::full;
}

}  // namespace ptmc::explicit_engine
