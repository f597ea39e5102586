#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "checker/explicit/history.hpp"

namespace ptmc::explicit_engine {
namespace {

/// The least predecessor of one state among the states of one level.
class Predecessor {
 public:
  Predecessor(const System& system, const History& history, u32 level, const std::vector<u64>& target,
              bool symmetric)
      : system_(system),
        history_(history),
        end_(history.level_end(level)),
        target_(target),
        symmetric_(symmetric),
        at_(history.level_begin(level)) {}

  Found find(unsigned threads) {
    constexpr u64 worth_a_thread = 20'000;
    if (end_ - at_ < worth_a_thread) threads = 1;
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back([this] { guarded(); });
    guarded();
    for (std::thread& other : others) other.join();
    if (error_) std::rethrow_exception(error_);
    if (!best_)
      throw std::logic_error(
          "explicit: a state without a predecessor; the system's successors() is not pure");
    return std::move(*best_);
  }

 private:
  void guarded() {
    try {
      scan();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      error_ = std::current_exception();
    }
  }

  void scan() {
    constexpr u64 chunk = 256;
    Successors next(system_.shape());
    std::vector<u64> room(target_.size());
    for (;;) {
      u64 from = at_.load(), to;
      do {
        to = history_.advance(from, chunk, end_);
      } while (from < to && !at_.compare_exchange_weak(from, to));
      if (from >= to) return;
      while (from < to) {
        const u64* const state = history_.read(from, room.data());
        if (leads_to_target(state, next)) keep(state);
      }
    }
  }

  bool leads_to_target(const u64* state, Successors& next) const {
    const u32 count = next.of(system_, state);
    for (u32 k = 0; k < count; ++k) {
      if (symmetric_) system_.canonical(next[k]);
      if (next[k][0] == target_[0] && std::equal(target_.begin(), target_.end(), next[k])) return true;
    }
    return false;
  }

  void keep(const u64* state) {
    Found found{system_.describe(state), {state, state + target_.size()}};
    const std::lock_guard lock(mutex_);
    keep_least(best_, std::move(found));
  }

  const System& system_;
  const History& history_;
  const u64 end_;
  const std::vector<u64>& target_;
  const bool symmetric_;
  std::atomic<u64> at_;
  std::mutex mutex_;
  std::optional<Found> best_;
  std::exception_ptr error_;
};

/// Walks forwards through the orbits of `path`; without symmetry, through its states.
class Forward {
 public:
  Forward(const System& system, bool symmetric)
      : system_(system), symmetric_(symmetric), next_(system.shape()) {}

  Trace walk(const std::vector<std::vector<u64>>& path) {
    std::optional<Found> now;
    std::vector<u64> initial;
    const std::size_t words = path[0].size();
    system_.initial(initial);
    for (std::size_t i = 0; i + words <= initial.size(); i += words)
      consider(&initial[i], path[0], now, 0, nullptr);
    Trace trace;
    trace.states.push_back(now->decoded);
    for (std::size_t level = 1; level < path.size(); ++level) {
      const std::vector<u64> from = now->words;
      u32 action = 0;
      now.reset();
      const u32 count = next_.of(system_, from.data());
      for (u32 k = 0; k < count; ++k) consider(next_[k], path[level], now, next_.action(k), &action);
      trace.states.push_back(now->decoded);
      trace.steps.push_back({action, system_.actions()[action]});
    }
    return trace;
  }

 private:
  /// Keeps the least state of the orbit, then the least action.
  void consider(const u64* state, const std::vector<u64>& orbit, std::optional<Found>& best, u32 action,
                u32* least) {
    std::vector<u64> words(state, state + orbit.size());
    if (symmetric_) system_.canonical(words.data());
    if (words != orbit) return;
    Found found{system_.describe(state), {state, state + orbit.size()}};
    const bool better = !best || less(found.decoded, best->decoded);
    const bool same = best && equal(found.decoded, best->decoded);
    if (least != nullptr && (better || (same && action < *least))) *least = action;
    if (better) best = std::move(found);
  }

  const System& system_;
  bool symmetric_;
  Successors next_;
};

}  // namespace

Trace rebuild(const System& system, const History& history, const Found& target, u32 level, bool symmetric,
              unsigned threads) {
  std::vector<std::vector<u64>> path(level + 1);
  path[level] = target.words;
  for (u32 k = level; k-- > 0;)
    path[k] = Predecessor(system, history, k, path[k + 1], symmetric).find(threads).words;
  return Forward(system, symmetric).walk(path);
}

}  // namespace ptmc::explicit_engine
