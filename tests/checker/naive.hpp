// The reference for engine tests: a set of whole states, one thread, nothing clever.
#pragma once
#include <map>
#include <set>

#include "checker/system.hpp"

namespace ptmc::toys {

struct Naive {
  std::set<std::vector<u64>> states;
  u64 edges = 0, deadlocks = 0;
  u32 depth = 0;
  std::map<u32, u32> first_level;  // Of each predicate with news.
  std::map<u32, u64> news;         // States in which it is news.
};

inline Naive explore_naively(const System& system, bool symmetric = false) {
  const u32 words = system.shape().words;
  std::vector<u64> next(u64{system.shape().fan_out_max} * words), initial;
  std::vector<u32> action(system.shape().fan_out_max), length(system.shape().fan_out_max);
  Naive result;
  std::vector<std::vector<u64>> level, following;
  const auto add = [&](u64* state) {
    if (symmetric) system.canonical(state);
    std::vector<u64> s(state, state + words);
    if (result.states.insert(s).second) following.push_back(s);
  };
  system.initial(initial);
  for (std::size_t i = 0; i < initial.size(); i += words) add(&initial[i]);
  for (u32 depth = 0; !following.empty(); ++depth) {
    level = std::move(following);
    following.clear();
    result.depth = depth;
    for (const std::vector<u64>& state : level) {
      for (u64 news = system.check(state.data()); news != 0; news &= news - 1) {
        const auto k = static_cast<u32>(__builtin_ctzll(news));
        result.first_level.try_emplace(k, depth);
        ++result.news[k];
      }
      const u32 count = system.successors(state.data(), {next.data(), action.data(), length.data()});
      result.edges += count;
      result.deadlocks += count == 0;
      for (u32 k = 0; k < count; ++k) add(&next[u64{k} * words]);
    }
  }
  return result;
}

}  // namespace ptmc::toys
