// Which bits of a state make its key, and the two ways between them.
#pragma once
#include <vector>

#include "checker/system.hpp"

namespace ptmc::explicit_engine {

/// The live bits of a state, close together: key_words() words instead of Shape::words. A bijection on the
/// states of one system, because dead bits are zero.
class KeyLayout {
 public:
  explicit KeyLayout(const Shape& shape);

  unsigned bits() const { return bits_; }
  unsigned key_words() const { return bits_ == 0 ? 1 : (bits_ + 63) / 64; }
  unsigned state_words() const { return static_cast<unsigned>(live_.size()); }
  /// State and key are the same words.
  bool identity() const { return identity_; }

  /// `count` states of state_words() words each to as many keys of key_words() words each; no overlap.
  void pack(const u64* states, u32 count, u64* keys) const { (this->*pack_)(states, count, keys); }
  void unpack(const u64* key, u64* state) const;

 private:
  /// `width` bits from bit `shift` of word `word` of the state lie at bit `at` of the key.
  struct Run {
    unsigned word, shift, width, at;
  };
  void pack_runs(const u64* states, u32 count, u64* keys) const;
  void pack_pext(const u64* states, u32 count, u64* keys) const;

  std::vector<u64> live_;
  std::vector<Run> runs_;
  unsigned bits_ = 0;
  bool identity_ = true;
  void (KeyLayout::*pack_)(const u64*, u32, u64*) const = &KeyLayout::pack_runs;
};

}  // namespace ptmc::explicit_engine
