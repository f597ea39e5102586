// What is counted while states are visited: per thread and level, then merged.
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "checker/trace.hpp"

namespace ptmc::explicit_engine {

/// A state of interest: the least decoded one is the same in every run.
struct Found {
  DecodedState decoded;
  std::vector<u64> words;
};

inline void keep_least(std::optional<Found>& best, Found&& other) {
  if (!best || less(other.decoded, best->decoded)) best = std::move(other);
}

struct Tally {
  u64 edges = 0, deadlocks = 0;
  std::array<u64, 64> states{};  // Per predicate: how many states it is news in.
  std::array<std::optional<Found>, 64> least;
  std::optional<Found> least_deadlock;
  std::vector<u64> fired;

  void reset() {
    std::vector<u64> counts = std::move(fired);
    std::fill(counts.begin(), counts.end(), 0);
    *this = Tally{};
    fired = std::move(counts);
  }
  void absorb(Tally& other) {
    edges += other.edges;
    deadlocks += other.deadlocks;
    for (unsigned k = 0; k < 64; ++k) {
      states[k] += other.states[k];
      if (other.least[k]) keep_least(least[k], std::move(*other.least[k]));
    }
    if (other.least_deadlock) keep_least(least_deadlock, std::move(*other.least_deadlock));
    for (std::size_t a = 0; a < fired.size(); ++a) fired[a] += other.fired[a];
    other.reset();
  }
};

}  // namespace ptmc::explicit_engine
