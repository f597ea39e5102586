#include "checker/explicit/wide.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <thread>

#include "checker/explicit/narrow.hpp"

namespace ptmc::explicit_engine {
namespace {

constexpr u64 records_buckets_first = 4096;
constexpr double load_max = 0.85;
constexpr auto relaxed = std::memory_order_relaxed;

/// A short critical section: spins, and gives way if its holder does not run.
class Held {
 public:
  Held(std::atomic<u32>& lock, bool contended) : lock_(lock), contended_(contended) {
    for (unsigned spins = 0; contended_ && lock_.exchange(1, std::memory_order_acquire) != 0; ++spins)
      if (spins % 64 == 63)
        std::this_thread::yield();
      else
        pause();
  }
  ~Held() {
    if (contended_) lock_.store(0, std::memory_order_release);
  }
  Held(const Held&) = delete;

 private:
  std::atomic<u32>& lock_;
  bool contended_;
};

}  // namespace

WideStore::Lane::Lane(const WideStore& store, u32 fan_out_max)
    : recent_(recent_count * (store.record_max_ + 1)),
      records_(std::bit_ceil(u64{fan_out_max} + waiting_max) * store.record_max_),
      hashes_(std::bit_ceil(u64{fan_out_max} + waiting_max)) {
  // An empty slot holds a hash that belongs to another slot.
  for (u64 slot = 0; slot < recent_count; ++slot) recent_[slot * (store.record_max_ + 1)] = slot + 1;
}

WideStore::WideStore(const Shape& shape, u64 memory_max_bytes, unsigned threads)
    : layout_(shape),
      variable_(shape.variable),
      threads_(threads),
      record_max_(variable_ ? u64{shape.words} + 1 : layout_.key_words()),
      stride_(variable_ ? 1 : record_max_),
      memory_max_bytes_(memory_max_bytes),
      table_(memory_max_bytes),
      log_(memory_max_bytes),
      buckets_(records_buckets_first),
      buckets_before_(records_buckets_first) {}

u64 WideStore::advance(u64 position, u64 states, u64 level_end) const {
  if (!variable_) return std::min(position + states, level_end);
  for (; states != 0 && position < level_end; --states) position += log_.as<u64>()[position] + 1;
  return position;
}

const u64* WideStore::read(u64& position, u64* room) const {
  const u64* const record = log_.as<u64>() + position * stride_;
  position += variable_ ? record[0] + 1 : 1;
  if (!variable_ && layout_.identity()) return record;
  if (!variable_) {
    layout_.unpack(record, room);
  } else {
    std::copy_n(record + 1, record[0], room);
    std::fill(room + record[0], room + layout_.state_words(), 0);
  }
  return room;
}

u64 WideStore::hash(const u64* record) const {
  u64 h = 0;
  for (u64 i = 0, n = record_words(record); i < n; ++i) {
    h = (h ^ record[i]) * QuotientSet::factor_a;
    h ^= h >> 32;
  }
  h *= QuotientSet::factor_b;
  return h ^ (h >> 31);
}

bool WideStore::same(const u64* record, u32 position) const {
  const u64* const other = log_.as<u64>() + position * stride_;
  return other[0] == record[0] && std::equal(record + 1, record + record_words(record), other + 1);
}

void WideStore::make_record(const u64* state, u64* record) const {
  u64 length = layout_.state_words();
  if (!variable_ && !layout_.identity()) return layout_.pack(state, 1, record);
  if (variable_) {
    while (length != 0 && state[length - 1] == 0) --length;
    *record++ = length;
  }
  std::copy_n(state, length, record);
}

bool WideStore::offer(Lane& lane, u64* words, u32 count) {
  const u64 ring = lane.hashes_.size();
  for (u32 i = 0; i < count; ++i) {
    u64* const record = &lane.records_[(lane.head_ & (ring - 1)) * record_max_];
    make_record(words + u64{i} * layout_.state_words(), record);
    const u64 h = hash(record), length = record_words(record);
    u64* const last = &lane.recent_[h % recent_count * (record_max_ + 1)];
    if (last[0] == h && std::equal(record, record + length, last + 1)) continue;
    last[0] = h;
    std::copy_n(record, length, last + 1);
    lane.hashes_[lane.head_++ & (ring - 1)] = h;
    __builtin_prefetch(&bucket(home(h)), 1);
  }
  return drain(lane, waiting_max);
}

bool WideStore::drain(Lane& lane, u64 keep) {
  const u64 ring = lane.hashes_.size();
  for (; lane.head_ - lane.tail_ > keep; ++lane.tail_) {
    const u64 slot = lane.tail_ & (ring - 1);
    if (insert(&lane.records_[slot * record_max_], lane.hashes_[slot]) == Insert::full) return false;
  }
  return true;
}

/// Looks without a lock: a key that is found was there.
Insert WideStore::insert(const u64* record, u64 h) {
  const u16 tag = static_cast<u16>(h);
  u64 b = home(h);
  for (unsigned reach = 0; reach < reach_max; ++reach, b = next(b)) {
    const Bucket& at = bucket(b);
    for (unsigned i = 0; i < slots; ++i) {
      const u32 entry = at.position[i].load(std::memory_order_acquire);
      if (entry == 0) return add(record, h);
      if (entry != busy && at.tag[i].load(relaxed) == tag && same(record, entry - 1)) return Insert::old;
    }
  }
  return Insert::full;
}

/// Under the lock of the key's own bucket no other thread adds this key, so that a slot which is busy or was
/// lost to another thread holds another key.
Insert WideStore::add(const u64* record, u64 h) {
  const u16 tag = static_cast<u16>(h);
  u64 b = home(h);
  const Held held(bucket(b).lock, threads_ > 1);
  for (unsigned reach = 0; reach < reach_max; ++reach, b = next(b)) {
    Bucket& at = bucket(b);
    for (unsigned i = 0; i < slots; ++i) {
      u32 entry = at.position[i].load(std::memory_order_acquire);
      if (entry == 0 && at.position[i].compare_exchange_strong(entry, busy, std::memory_order_acquire)) {
        u64 position = 0;
        if (!append(record, position)) {
          at.position[i].store(0, std::memory_order_release);
          return Insert::full;
        }
        at.tag[i].store(tag, relaxed);
        at.position[i].store(static_cast<u32>(position + 1), std::memory_order_release);
        return Insert::fresh;
      }
      if (entry != busy && at.tag[i].load(relaxed) == tag && same(record, entry - 1)) return Insert::old;
    }
  }
  return Insert::full;
}

bool WideStore::append(const u64* record, u64& position) {
  const u64 words = record_words(record), strides = variable_ ? words : 1;
  position = end_.fetch_add(strides, relaxed);
  if (position + strides >= busy - 1 || (position + strides) * stride_ * sizeof(u64) > log_.bytes()) {
    out_of_memory_.store(true, relaxed);
    return false;
  }
  std::copy_n(record, words, log_.as<u64>() + position * stride_);
  if (variable_) states_.fetch_add(1, relaxed);
  return true;
}

bool WideStore::crowded() const {
  return static_cast<double>(states()) > static_cast<double>(buckets_ * slots) * load_max;
}

bool WideStore::grow_begin() {
  if (out_of_memory_.load(relaxed)) return false;
  constexpr u64 few = 1'000'000;
  const u64 larger = states() < few ? buckets_ * 2 : buckets_ * 13 / 10;
  const u64 total = larger * sizeof(Bucket) + end() * stride_ * sizeof(u64);
  if (total > memory_max_bytes_) return false;
  buckets_before_ = buckets_;
  buckets_ = larger;
  rebuild_at_ = 0;
  rebuild_failed_ = false;
  return true;
}

void WideStore::grow_share(unsigned thread, const std::function<void()>& barrier) {
  const u64 share = (buckets_before_ + threads_ - 1) / threads_;
  const u64 low = std::min(buckets_before_, share * thread), high = std::min(buckets_before_, low + share);
  if (low < high) std::memset(static_cast<void*>(&bucket(low)), 0, (high - low) * sizeof(Bucket));
  barrier();
  rebuild();
}

bool WideStore::grow_end() { return !rebuild_failed_; }

void WideStore::rebuild() {
  constexpr u64 batch = 256;
  u64 hashes[batch];
  u32 entries[batch];
  for (;;) {
    u64 from = rebuild_at_.load(relaxed), to;
    do {
      to = advance(from, batch, end());
    } while (from < to && !rebuild_at_.compare_exchange_weak(from, to, relaxed));
    if (from >= to) return;
    unsigned count = 0;
    for (u64 at = from; at < to; ++count) {
      const u64* const record = log_.as<u64>() + at * stride_;
      hashes[count] = hash(record);
      entries[count] = static_cast<u32>(at + 1);
      __builtin_prefetch(&bucket(home(hashes[count])), 1);
      at += variable_ ? record[0] + 1 : 1;
    }
    for (unsigned i = 0; i < count; ++i)
      if (!reinsert(entries[i], hashes[i])) rebuild_failed_.store(true, relaxed);
  }
}

bool WideStore::reinsert(u32 entry, u64 h) {
  u64 b = home(h);
  for (unsigned reach = 0; reach < reach_max; ++reach, b = next(b)) {
    Bucket& at = bucket(b);
    for (unsigned i = 0; i < slots; ++i) {
      u32 empty = 0;
      if (at.position[i].load(relaxed) == 0 &&
          at.position[i].compare_exchange_strong(empty, entry, relaxed)) {
        at.tag[i].store(static_cast<u16>(h), relaxed);
        return true;
      }
    }
  }
  return false;
}

}  // namespace ptmc::explicit_engine
