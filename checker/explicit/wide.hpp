// Store of states whose keys need several words, or whose lengths vary: a log of whole records, and a
// concurrent table of {tag, position} that is rebuilt from the log when it grows.
#pragma once
#include <atomic>
#include <functional>
#include <vector>

#include "checker/explicit/key.hpp"
#include "checker/explicit/pages.hpp"
#include "checker/explicit/set.hpp"

namespace ptmc::explicit_engine {

/// A record is the key: KeyLayout::key_words() words; if lengths vary, a count and so many words, trailing
/// zero words left out (they are part of no state, see Batch::words).
class WideStore {
 public:
  class Lane {
   public:
    Lane(const WideStore& store, u32 fan_out_max);

   private:
    friend class WideStore;
    std::vector<u64> recent_;   // Per slot, hash and record of the last one that fell on it.
    std::vector<u64> records_;  // A ring of records that wait, and the hash of each.
    std::vector<u64> hashes_;
    u64 head_ = 0, tail_ = 0;
  };

  WideStore(const Shape& shape, u64 memory_max_bytes, unsigned threads);

  // Positions are in strides of the log: one record if all are of one length, else one word.
  u64 end() const { return end_.load(std::memory_order_relaxed); }
  u64 states() const { return variable_ ? states_.load(std::memory_order_relaxed) : end(); }
  u64 bytes() const { return buckets_ * sizeof(Bucket) + end() * stride_ * sizeof(u64); }
  u64 advance(u64 position, u64 states, u64 level_end) const;
  const u64* read(u64& position, u64* room) const;

  bool offer(Lane& lane, u64* words, u32 count);
  bool drain(Lane& lane, u64 keep);
  /// Records are in the log already. False: there is no memory for more.
  bool flush(Lane&) const {
    return !out_of_memory_.load(std::memory_order_relaxed) && bytes() <= memory_max_bytes_;
  }
  bool idle(const Lane& lane) const { return lane.head_ == lane.tail_; }

  bool crowded() const;
  bool grow_begin();
  void grow_share(unsigned thread, const std::function<void()>& barrier);
  bool grow_end();

 private:
  static constexpr unsigned slots = 10;
  static constexpr u32 busy = ~u32{0};
  static constexpr u64 recent_count = 1024;
  static constexpr unsigned reach_max = 64;  // Buckets that an overflowing entry may go from its own.
  struct alignas(64) Bucket {
    std::atomic<u32> position[slots];  // Plus one; 0: empty; busy: being written.
    std::atomic<u16> tag[slots];
    std::atomic<u32> lock;  // Held while a new key of this bucket is added.
  };
  static_assert(sizeof(Bucket) == 64);

  u64 record_words(const u64* record) const { return variable_ ? record[0] + 1 : record_max_; }
  u64 hash(const u64* record) const;
  bool same(const u64* record, u32 position) const;
  u64 home(u64 hash) const {
    return static_cast<u64>((static_cast<unsigned __int128>(hash) * buckets_) >> 64);
  }
  Bucket& bucket(u64 b) const { return table_.as<Bucket>()[b]; }
  u64 next(u64 b) const { return b + 1 == buckets_ ? 0 : b + 1; }
  void make_record(const u64* state, u64* record) const;

  Insert insert(const u64* record, u64 hash);
  Insert add(const u64* record, u64 hash);
  bool append(const u64* record, u64& position);
  bool reinsert(u32 entry, u64 hash);
  void rebuild();

  KeyLayout layout_;
  bool variable_;
  unsigned threads_;
  u64 record_max_, stride_, memory_max_bytes_;
  Pages table_, log_;
  u64 buckets_, buckets_before_;
  // Each new state writes the first: not on a line that every look-up reads.
  alignas(128) std::atomic<u64> end_{0};
  std::atomic<u64> states_{0};
  alignas(128) std::atomic<u64> rebuild_at_{0};
  std::atomic<bool> out_of_memory_{false}, rebuild_failed_{false};
};

}  // namespace ptmc::explicit_engine
