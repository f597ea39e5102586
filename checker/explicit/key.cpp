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

KeyLayout::KeyLayout(const Shape& shape, [[maybe_unused]] bool portable) : live_(shape.live) {
  if (live_.size() != shape.words) throw std::invalid_argument("Shape::live must have one mask per word");
  for (unsigned w = 0; w < live_.size(); ++w) {
    if (live_[w] != 0) pieces_.push_back({live_[w], w, static_cast<unsigned>(std::popcount(live_[w]))});
    for (u64 rest = live_[w]; rest != 0;) {
      const auto shift = static_cast<unsigned>(std::countr_zero(rest));
      const auto width = static_cast<unsigned>(std::countr_one(rest >> shift));
      runs_.push_back({w, shift, width, bits_});
      bits_ += width;
      rest = shift + width == 64 ? 0 : rest & (~u64{0} << (shift + width));
    }
  }
  const bool dense = live_.size() == 1 && (live_[0] & (live_[0] + 1)) == 0;
  identity_ = dense || (live_.size() > 1 && live_.size() == key_words());
#ifdef __x86_64__
  if (!portable && __builtin_cpu_supports("bmi2")) {
    pack_ = &KeyLayout::pack_pext;
    unpack_ = &KeyLayout::unpack_pdep;
  }
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

void KeyLayout::unpack_runs(const u64* key, u64* state) const {
  std::fill_n(state, state_words(), 0);
  for (const Run& r : runs_) state[r.word] |= take(key, r.at, r.width) << r.shift;
}

#ifdef __x86_64__
[[gnu::target("bmi2")]] void KeyLayout::pack_pext(const u64* states, u32 count, u64* keys) const {
  for (u32 i = 0; i < count; ++i, states += state_words(), keys += key_words()) {
    u64* key = keys;
    u64 word = 0;
    unsigned at = 0;
    for (const Piece& p : pieces_) {
      const u64 value = _pext_u64(states[p.word], p.mask);
      word |= value << at;
      if (at + p.width >= 64) {
        *key++ = word;
        word = at == 0 ? 0 : value >> (64 - at);
        at -= 64;
      }
      at += p.width;
    }
    if (at != 0 || pieces_.empty()) *key = word;
  }
}
[[gnu::target("bmi2")]] void KeyLayout::unpack_pdep(const u64* key, u64* state) const {
  std::fill_n(state, state_words(), 0);
  unsigned at = 0;
  for (const Piece& p : pieces_) {
    state[p.word] = _pdep_u64(take(key, at, p.width), p.mask);
    at += p.width;
  }
}
#else
void KeyLayout::pack_pext(const u64* states, u32 count, u64* keys) const { pack_runs(states, count, keys); }
void KeyLayout::unpack_pdep(const u64* key, u64* state) const { unpack_runs(key, state); }
#endif

}  // namespace ptmc::explicit_engine
