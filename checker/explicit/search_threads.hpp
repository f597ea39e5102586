// What each thread of a search does.
#pragma once
#include "checker/explicit/search.hpp"

namespace ptmc::explicit_engine {

template <class Store>
void Search<Store>::work(Worker& me) {
  const double cpu_before = thread_cpu_s();
  const auto guarded = [this](auto&& part) {
    try {
      part();
    } catch (...) {
      const std::lock_guard lock(error_mutex_);
      if (!error_) error_ = std::current_exception();
      halt(Halt::error);
    }
  };
  while (next_ != Next::finish) {
    if (next_ == Next::expand) guarded([&] { expand(me); });
    if (next_ == Next::grow) store_.grow_share(me.id, [this] { sync(); });
    sync();
    if (me.id == 0) {
      const double before = thread_cpu_s();
      guarded([&] { decide(); });
      counted_.serial_s += thread_cpu_s() - before;
    }
    sync();
  }
  me.cpu_s = thread_cpu_s() - cpu_before;
}

/// Expands states until the level has no more, the set must grow or the search must end. All that is then in
/// flight stays in the worker.
template <class Store>
void Search<Store>::expand(Worker& me) {
  if (!store_.drain(me.lane, 0)) {
    grow_ = true;
    return;
  }
  if (me.id == 0 && seeded_ < seeds_.size()) return seed(me);
  for (;;) {
    if (me.from == me.to) {
      if (!store_.flush(me.lane)) halt(Halt::memory);
      if (store_.crowded()) grow_ = true;
      watch_limits();
      if (me.id == 0) reporter_.tick(store_.states());
      if (halt_ != Halt::none || grow_ || !claim(me)) break;
    }
    while (me.from < me.to)
      if (!visit(me)) {
        grow_ = true;
        return;
      }
  }
  if (!store_.drain(me.lane, 0)) grow_ = true;
  if (!store_.flush(me.lane)) halt(Halt::memory);
}

template <class Store>
void Search<Store>::seed(Worker& me) {
  const u32 words = system_.shape().words;
  for (; seeded_ < seeds_.size(); seeded_ += words) {
    u64* const state = &seeds_[seeded_];
    if (symmetric_) system_.canonical(state);
    std::copy_n(state, words, me.room.data());
    if (!store_.offer(me.lane, me.room.data(), 1) || !store_.drain(me.lane, 0) || store_.crowded()) {
      seeded_ += words;
      grow_ = true;
      break;
    }
  }
  if (!store_.flush(me.lane)) halt(Halt::memory);
}

template <class Store>
bool Search<Store>::claim(Worker& me) {
  const u64 end = levels_.back();
  u64 from = position_.load(std::memory_order_relaxed), to;
  do {
    to = store_.advance(from, chunk_, end);
  } while (from < to && !position_.compare_exchange_weak(from, to, std::memory_order_relaxed));
  if (from >= to) return false;
  me.from = from;
  me.to = to;
  return true;
}

template <class Store>
bool Search<Store>::visit(Worker& me) {
  const u64* const state = store_.read(me.from, me.room.data());
  if (const u64 news = system_.check(state) & ~(covers_ & settled_); news != 0) {
    note(me.tally, state, news);
    if ((news & stop_) != 0) halt(Halt::violation);
  }
  const u32 count = me.next.of(system_, state);
  me.tally.edges += count;
  if (count == 0) {
    if (me.tally.deadlocks++, !counted_.deadlock_level) keep_least(me.tally.least_deadlock, found(state));
    return true;
  }
  if (coverage_)
    for (u32 k = 0; k < count; ++k) ++me.tally.fired[me.next.action(k)];
  if (symmetric_)
    for (u32 k = 0; k < count; ++k) system_.canonical(me.next[k]);
  return store_.offer(me.lane, me.next.words(), count);
}

template <class Store>
void Search<Store>::note(Tally& tally, const u64* state, u64 news) {
  for (; news != 0; news &= news - 1) {
    const auto k = static_cast<unsigned>(__builtin_ctzll(news));
    ++tally.states[k];
    if ((bit(k) & witness_ & ~settled_) != 0) keep_least(tally.least[k], found(state));
  }
}

}  // namespace ptmc::explicit_engine
