// Store of states whose keys fit one word: a QuotientSet of what was seen, and an append-only log of keys
// that is frontier and history at once.
#pragma once
#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <vector>

#include "checker/explicit/key.hpp"
#include "checker/explicit/set.hpp"

namespace ptmc::explicit_engine {

/// Successors that wait for their cache line.
constexpr u32 waiting_max = 64;

class NarrowStore {
 public:
  /// What one thread owns.
  class Lane {
   public:
    Lane(const NarrowStore& store, u32 fan_out_max)
        : recent_(u64{1} << filter_bits, ~u64{0}),
          keys_(store.layout_.identity() ? 0 : fan_out_max),
          queue_(std::bit_ceil(u64{fan_out_max} + waiting_max)) {
      recent_[filter_slot(~u64{0})] = 0;  // An empty slot must not equal a key that belongs there.
    }

   private:
    friend class NarrowStore;
    struct Waiting {
      u64 key, mixed;
    };
    std::vector<u64> recent_;  // The last key that fell on each slot: half of all successors are repetitions.
    std::vector<u64> keys_, fresh_;
    std::vector<Waiting> queue_;  // A ring; its length is a power of two.
    u64 head_ = 0, tail_ = 0;
  };

  NarrowStore(const Shape& shape, u64 memory_max_bytes, unsigned threads)
      : layout_(shape),
        memory_max_bytes_(memory_max_bytes),
        set_(layout_.bits(), memory_max_bytes, threads),
        log_(memory_max_bytes) {}

  // Positions are log indices; a level is a range of them.
  u64 end() const { return end_.load(std::memory_order_relaxed); }
  u64 states() const { return end(); }
  u64 bytes() const { return set_.bytes() + end() * sizeof(u64); }
  u64 advance(u64 position, u64 states, u64 level_end) const {
    return std::min(position + states, level_end);
  }
  /// The state at `position`, in `room` or in place; `position` moves on to the next.
  const u64* read(u64& position, u64* room) const {
    const u64* const key = log_.as<u64>() + position++;
    if (layout_.identity()) return key;
    layout_.unpack(key, room);
    return room;
  }

  /// Takes `count` <= fan_out_max successors, whose words are scratch from now on. False: the set must grow,
  /// and drain(lane, 0) must succeed, before the next call.
  bool offer(Lane& lane, u64* words, u32 count) {
    u64* keys = words;
    if (!layout_.identity()) {
      keys = lane.keys_.data();
      layout_.pack(words, count, keys);
    }
    u32 kept = 0;
    for (u32 i = 0; i < count; ++i) {
      const u64 key = keys[i];
      u64& last = lane.recent_[filter_slot(key)];
      const bool keep = last != key;
      last = key;
      keys[kept] = key;
      kept += keep;
    }
    for (u32 i = 0; i < kept; ++i) {
      const u64 mixed = set_.mix(keys[i]);
      lane.queue_[lane.head_++ & (lane.queue_.size() - 1)] = {keys[i], mixed};
      set_.prefetch(mixed);
    }
    return drain(lane, waiting_max);
  }
  /// Inserts what waits, but for `keep`.
  bool drain(Lane& lane, u64 keep) {
    while (lane.head_ - lane.tail_ > keep) {
      const Lane::Waiting& next = lane.queue_[lane.tail_ & (lane.queue_.size() - 1)];
      const Insert result = set_.insert(next.mixed);
      if (result == Insert::full) return false;
      ++lane.tail_;
      if (result == Insert::fresh) lane.fresh_.push_back(next.key);
    }
    return true;
  }
  /// Moves the lane's new states to the log. False: there is no memory for them.
  bool flush(Lane& lane) {
    const u64 count = lane.fresh_.size();
    if (count == 0) return true;
    const u64 at = end_.fetch_add(count, std::memory_order_relaxed);
    if ((at + count) * sizeof(u64) > log_.bytes() || bytes() > memory_max_bytes_) return false;
    std::copy(lane.fresh_.begin(), lane.fresh_.end(), log_.as<u64>() + at);
    lane.fresh_.clear();
    return true;
  }
  bool idle(const Lane& lane) const { return lane.head_ == lane.tail_ && lane.fresh_.empty(); }

  bool crowded() const {
    constexpr double load_max = 0.72;
    return static_cast<double>(end()) > static_cast<double>(set_.capacity()) * load_max;
  }
  bool grow_begin() {
    const u64 log_bytes = end() * sizeof(u64);
    const double factor = end() < few ? 2 : 1.4;
    return memory_max_bytes_ > log_bytes && set_.grow_begin(factor, memory_max_bytes_ - log_bytes);
  }
  void grow_share(unsigned thread, const std::function<void()>& barrier) { set_.grow_share(thread, barrier); }
  bool grow_end() { return set_.grow_end(); }

 private:
  static constexpr unsigned filter_bits = 13;
  static constexpr u64 few = 4'000'000;  // While small, growing fast costs little memory.
  static u64 filter_slot(u64 key) { return (key * QuotientSet::factor_a) >> (64 - filter_bits); }

  KeyLayout layout_;
  u64 memory_max_bytes_;
  QuotientSet set_;
  Pages log_;
  alignas(128) std::atomic<u64> end_{0};  // Not on a line that every look-up reads.
};

}  // namespace ptmc::explicit_engine
