#include "checker/explicit/key.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace ptmc::explicit_engine {
namespace {

/// Puts the low `width` bits of `value` at bit `at` of a key whose bits from there on are zero.
inline void put(u64* key, unsigned at, unsigned width, u64 value) {
  const unsigned low = at % 64;
  key[at / 64] |= value << low;
  if (low + width > 64) key[at / 64 + 1] |= value >> (64 - low);
}

inline u64 take(const u64* key, unsigned at, unsigned width) {
  const unsigned low = at % 64;
  u64 value = key[at / 64] >> low;
  if (low + width > 64) value |= key[at / 64 + 1] << (64 - low);
  return value & bits(width - 1, 0);
}

}  // namespace

KeyLayout::KeyLayout(const Shape& shape) : live_(shape.live) {
  if (live_.size() != shape.words) throw std::invalid_argument("Shape::live must have one mask per word");
  for (unsigned w = 0; w < live_.size(); ++w) {
    identity_ = identity_ && (w + 1 < live_.size() ? live_[w] == ~u64{0} : (live_[w] & (live_[w] + 1)) == 0);
    for (u64 rest = live_[w]; rest != 0;) {
      const auto shift = static_cast<unsigned>(std::countr_zero(rest));
      const auto width = static_cast<unsigned>(std::countr_one(rest >> shift));
      runs_.push_back({w, shift, width, bits_});
      bits_ += width;
      rest = shift + width == 64 ? 0 : rest & (~u64{0} << (shift + width));
    }
  }
  identity_ = identity_ && key_words() == live_.size();
#ifdef __x86_64__
  if (runs_.size() > live_.size() && __builtin_cpu_supports("bmi2")) pack_ = &KeyLayout::pack_pext;
#endif
}

void KeyLayout::pack_runs(const u64* states, u32 count, u64* keys) const {
  const unsigned from = state_words(), to = key_words();
  std::fill_n(keys, u64{count} * to, 0);
  for (u32 i = 0; i < count; ++i)
    for (const Run& r : runs_)
      put(keys + u64{i} * to, r.at, r.width,
          (states[u64{i} * from + r.word] >> r.shift) & ptmc::bits(r.width - 1, 0));
}

#ifdef __x86_64__
[[gnu::target("bmi2")]] void KeyLayout::pack_pext(const u64* states, u32 count, u64* keys) const {
  const unsigned from = state_words(), to = key_words();
  std::fill_n(keys, u64{count} * to, 0);
  for (u32 i = 0; i < count; ++i) {
    unsigned at = 0;
    for (unsigned w = 0; w < from; ++w) {
      const u64 mask = live_[w];
      if (mask == 0) continue;
      const auto width = static_cast<unsigned>(std::popcount(mask));
      put(keys + u64{i} * to, at, width, _pext_u64(states[u64{i} * from + w], mask));
      at += width;
    }
  }
}
#else
void KeyLayout::pack_pext(const u64* states, u32 count, u64* keys) const { pack_runs(states, count, keys); }
#endif

void KeyLayout::unpack(const u64* key, u64* state) const {
  std::fill_n(state, state_words(), 0);
  for (const Run& r : runs_) state[r.word] |= take(key, r.at, r.width) << r.shift;
}

}  // namespace ptmc::explicit_engine
