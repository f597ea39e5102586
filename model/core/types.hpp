// The numbers that every part of ptmc shares.
#pragma once
#include <cstdint>

namespace ptmc {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// The word with only bit `n` set, 0 <= n < 64.
constexpr u64 bit(unsigned n) { return u64{1} << n; }

/// The word with bits low..high set, both inclusive, 0 <= low <= high < 64 (the kernel's GENMASK_ULL).
constexpr u64 bits(unsigned high, unsigned low) { return (~u64{0} >> (63 - high)) & (~u64{0} << low); }

/// The fewest bits that can hold every value in [0, count); at least 1.
constexpr unsigned bits_for(u64 count) {
  unsigned n = 1;
  while (n < 64 && (u64{1} << n) < count) ++n;
  return n;
}

}  // namespace ptmc
