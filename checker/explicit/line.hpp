// A snapshot of the 32-bit lanes of a cache line that other threads may be writing.
#pragma once
#include "model/core/types.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace ptmc::explicit_engine {

/// Entries a 64-byte bucket holds, with 4 + extra bytes each.
constexpr unsigned slots_of(unsigned extra) {
  return extra == 0 ? 16 : extra == 1 ? 12 : extra == 2 ? 10 : 8;
}

inline void pause() {
#ifdef __SSE2__
  _mm_pause();
#endif
}

#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
/// Every lane is read once: what equal() says about two values is true of one moment. SSE2 is part of every
/// x86-64.
template <unsigned lanes>
class Line {
 public:
  explicit Line(const void* line) {
    const auto* p = static_cast<const __m128i*>(line);
#pragma GCC unroll 4
    for (unsigned i = 0; i < quads; ++i) {
      quad_[i] = _mm_load_si128(p + i);
      asm volatile("" : "+x"(quad_[i])::"memory");  // Keep the snapshot: never load the lane again.
    }
  }
  /// Bit i: lane i has this value.
  unsigned equal(u32 value) const {
    const __m128i v = _mm_set1_epi32(static_cast<int>(value));
    __m128i same[4] = {};
#pragma GCC unroll 4
    for (unsigned i = 0; i < quads; ++i) same[i] = _mm_cmpeq_epi32(quad_[i], v);
    const __m128i low = _mm_packs_epi32(same[0], same[1]), high = _mm_packs_epi32(same[2], same[3]);
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(low, high))) & ((1u << lanes) - 1);
  }

 private:
  static constexpr unsigned quads = (lanes + 3) / 4;
  __m128i quad_[quads];
};
#else
template <unsigned lanes>
class Line {
 public:
  explicit Line(const void* line) {
    for (unsigned i = 0; i < lanes; ++i)
      lane_[i] = __atomic_load_n(static_cast<const u32*>(line) + i, __ATOMIC_ACQUIRE);
  }
  unsigned equal(u32 value) const {
    unsigned mask = 0;
    for (unsigned i = 0; i < lanes; ++i) mask |= static_cast<unsigned>(lane_[i] == value) << i;
    return mask;
  }

 private:
  u32 lane_[lanes];
};
#endif

}  // namespace ptmc::explicit_engine
