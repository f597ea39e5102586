// Which bits of a state make its key, and the two ways between them.
#pragma once
#include <vector>

#include "checker/system.hpp"

namespace ptmc::explicit_engine {

/// The live bits of a state, close together: key_words() words instead of Shape::words. A bijection on the
/// states of one system, because dead bits are zero.
class KeyLayout {
 public:
  /// `portable`: as on a processor without BMI2, with equal results.
  explicit KeyLayout(const Shape& shape, bool portable = false);

  unsigned bits() const { return bits_; }
  unsigned key_words() const { return bits_ == 0 ? 1 : (bits_ + 63) / 64; }
  unsigned state_words() const { return static_cast<unsigned>(live_.size()); }
  /// State and key are the same words: one whose live bits are its lowest, or several of which packing would
  /// spare none.
  bool identity() const { return identity_; }

  /// `count` states of state_words() words each to as many keys of key_words() words each; no overlap.
  void pack(const u64* states, u32 count, u64* keys) const { (this->*pack_)(states, count, keys); }
  void unpack(const u64* key, u64* state) const { (this->*unpack_)(key, state); }

 private:
  /// `width` bits from bit `shift` of word `word` of the state lie at bit `at` of the key.
  struct Run {
    unsigned word, shift, width, at;
  };
  /// A word of the state that is not all dead, for processors with BMI2.
  struct Piece {
    u64 mask;
    unsigned word, width;
  };
  void pack_runs(const u64* states, u32 count, u64* keys) const;
  void unpack_runs(const u64* key, u64* state) const;
  void pack_pext(const u64* states, u32 count, u64* keys) const;
  void unpack_pdep(const u64* key, u64* state) const;

  std::vector<u64> live_;
  std::vector<Run> runs_;
  std::vector<Piece> pieces_;
  unsigned bits_ = 0;
  bool identity_ = false;
  void (KeyLayout::*pack_)(const u64*, u32, u64*) const = &KeyLayout::pack_runs;
  void (KeyLayout::*unpack_)(const u64*, u64*) const = &KeyLayout::unpack_runs;
};

}  // namespace ptmc::explicit_engine
