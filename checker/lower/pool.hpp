// Interned 64-bit words: a packed state holds the index of a page-table word in a pool that grows as words
// appear.
#pragma once
#include <array>
#include <atomic>
#include <mutex>

#include "model/core/types.hpp"

namespace ptmc {

/// Exact and append-only; index 0 is the word 0. Lookups take no lock.
class Pool {
 public:
  static constexpr unsigned index_bits = 8;
  static constexpr unsigned size = 1u << index_bits;

  u64 value(u64 index) const { return values_[index]; }

  u64 index(u64 word) {
    if (word == 0) return 0;
    for (unsigned slot = hash(word);; slot = (slot + 1) % slots) {
      const u64 id = ids_[slot].load(std::memory_order_acquire);
      if (id == 0) return insert(word);
      if (values_[id] == word) return id;
    }
  }

 private:
  static constexpr unsigned slots = 4 * size;
  static unsigned hash(u64 word) { return static_cast<unsigned>((word * 0x9E3779B97F4A7C15u) >> 54) % slots; }
  u64 insert(u64 word);

  // Plain, so that a compiler may read one once: whoever holds an index got it after the value was written.
  std::array<u64, size> values_{};
  std::array<std::atomic<u16>, slots> ids_{};
  unsigned count_ = 1;
  std::mutex mutex_;
};

/// The pool of the system that this thread is working for; set on entry to each of its functions.
inline thread_local Pool* current_pool = nullptr;

class PoolScope {
 public:
  explicit PoolScope(Pool& pool) : outer_(current_pool) { current_pool = &pool; }
  ~PoolScope() { current_pool = outer_; }
  PoolScope(const PoolScope&) = delete;
  PoolScope& operator=(const PoolScope&) = delete;

 private:
  Pool* outer_;
};

}  // namespace ptmc
