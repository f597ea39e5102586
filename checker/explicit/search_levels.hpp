// What one thread of a search does between levels, while the others wait.
#pragma once
#include "checker/explicit/search.hpp"

namespace ptmc::explicit_engine {

template <class Store>
void Search<Store>::watch_limits() {
  if (seeding()) return;  // Initial states are always checked.
  if (store_.states() > options_.states_max) halt(Halt::states);
  if (options_.time_max_ms != no_limit && watch_.wall_s() * 1e3 > static_cast<double>(options_.time_max_ms))
    halt(Halt::time);
  if (options_.cancel != nullptr && options_.cancel->load(std::memory_order_relaxed)) halt(Halt::cancelled);
}

template <class Store>
void Search<Store>::decide() {
  counted_.peak_bytes = std::max(counted_.peak_bytes, store_.bytes());
  if (next_ == Next::grow) grow_ = !store_.grow_end();
  next_ = Next::expand;
  if (halt_ == Halt::none && grow_) {
    if (store_.grow_begin())
      next_ = Next::grow;
    else
      halt(Halt::memory);
  } else if (halt_ == Halt::none && seeded_ == seeds_.size()) {
    bool idle = true;
    for (const Worker& worker : *workers_)
      idle = idle && worker.from == worker.to && store_.idle(worker.lane);
    if (idle && store_.advance(position_, 1, levels_.back()) == position_) finish_level();
  }
  if (halt_ != Halt::none) next_ = Next::finish;
}

template <class Store>
void Search<Store>::finish_level() {
  const u64 begin = levels_.back(), end = store_.end(), frontier = store_.states() - states_;
  if (begin != end) watch_limits();
  if (halt_ != Halt::none) return;
  Tally level;
  level.fired.resize(counted_.total.fired.size());
  for (Worker& worker : *workers_) level.absorb(worker.tally);
  if (!seeding()) settle(level);
  states_ += frontier;
  if (begin == end) {
    next_ = Next::finish;
    return;
  }
  if (seeding())
    levels_.back() = end;
  else
    levels_.push_back(end);
  position_ = begin;
  chunk_ = std::clamp<u64>(frontier / (u64{threads_} * 16), 1, 256);
  reporter_.level(depth(), frontier);
}

/// Takes the counts of a complete level into the total.
template <class Store>
void Search<Store>::settle(Tally& level) {
  for (unsigned k = 0; k < 64; ++k) {
    if (level.states[k] == 0 || (settled_ & bit(k)) != 0) continue;
    counted_.level[k] = depth();
    settled_ |= bit(k);
  }
  if (level.deadlocks != 0 && !counted_.deadlock_level) counted_.deadlock_level = depth();
  counted_.total.absorb(level);
}

/// After an early end: the last level was partly expanded, which is forgotten, and is checked as a whole.
template <class Store>
void Search<Store>::check_level(Worker& worker) {
  Tally level;
  level.fired.resize(counted_.total.fired.size());
  for (u64 at = levels_[levels_.size() - 2]; at < levels_.back();) {
    const u64* const state = store_.read(at, worker.room.data());
    if (const u64 news = system_.check(state) & ~(covers_ & settled_); news != 0) note(level, state, news);
  }
  settle(level);
}

}  // namespace ptmc::explicit_engine
