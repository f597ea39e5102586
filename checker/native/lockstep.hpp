// A native run and the naive interpreter side by side: after each step the two agree in every field that both
// have.
#pragma once
#include <optional>
#include <set>
#include <span>

#include "checker/lone_run.hpp"
#include "checker/native/run.hpp"
#include "model/core/reflect.hpp"

namespace ptmc::native {

/// Where they first differ.
struct Difference {
  u64 steps = 0;       // Before it, all alike.
  std::string rounds;  // Whose, with which choice; in the last one it is: "anon-fork: fork 0, mprotect 1".
  std::string action;  // "mprotect/change_pte_range/ptep_get"
  std::string what;    // "pte[1] is 0x25 natively, 0x67 in the model"
};
struct Compared {
  u64 steps = 0;
  std::set<std::string> paths{};  // Of those steps: "mprotect/change_pte_range/ptep_get".
  std::set<std::string> all{};    // Of all steps of the actors that took part.
  std::optional<Difference> difference;
};

/// Adds what was compared in `part`. `before`: of how its difference came about, what comes first.
void add(Compared& all, const Compared& part, const std::string& before);

/// Follows native rounds of one actor with the interpreter. Hardware does only what the actor waits for.
/// `model` is of a setup that does not fuse steps; it and `tariff` outlive the follower.
class Follower {
 public:
  /// `names`: of the fields of native states, in order. Throws std::logic_error if the model has a field that
  /// they lack, but for what hardware and control have to itself.
  Follower(const Stepper& model, const Tariff& tariff, const std::string& actor, DecodedState begin,
           const std::vector<std::string>& names);

  /// What a native state begins with; of fields that the model does not have, nothing.
  std::vector<std::optional<u64>> begin() const;
  /// A step was made natively; `values` are the fields now.
  void follow(const std::string& path, u64 choice, std::span<const u64> values);
  /// The native round is over.
  void finish();
  /// It has come to a step that has to wait.
  void wait();
  const Compared& compared() const { return compared_; }
  /// Between rounds.
  const DecodedState& state() const { return state_; }

 private:
  std::optional<Action> next(std::optional<u64> choice) const;
  void differ(const std::string& action, const std::string& what);

  const Stepper& model_;
  const Tariff& tariff_;
  std::string actor_;
  DecodedState state_;
  std::vector<std::optional<std::size_t>> place_;  // By field of the model: where it is in `values`.
  std::size_t native_fields_;
  Compared compared_;
};

/// A field of a native state that the model may have, too: not what flushes.
template <class Leaf>
concept Comparable = requires(const Leaf& leaf) {
  static_cast<u64>(load(leaf));
};

template <class S>
std::vector<std::string> names_of(const S& state) {
  std::vector<std::string> names;
  std::vector<PathIndex> path;
  for_each_named_leaf(state, "", path, [&](const std::string& name, const auto& leaf, const auto&) {
    if constexpr (Comparable<decltype(leaf)>) names.push_back(name);
  });
  return names;
}
template <class S>
void values_of(const S& state, std::vector<u64>& values) {
  values.clear();
  for_each_leaf(state, [&](const auto& leaf) {
    if constexpr (Comparable<decltype(leaf)>) values.push_back(static_cast<u64>(load(leaf)));
  });
}
template <class S>
void set_values(S& state, const std::vector<std::optional<u64>>& values) {
  std::size_t k = 0;
  for_each_leaf(state, [&](auto& leaf) {
    if constexpr (Comparable<decltype(leaf)>) {
      const u64 value = values.at(k++).value_or(0);
      if constexpr (std::is_same_v<decltype(load(leaf)), bool>)
        leaf = value != 0;
      else
        leaf = value;
    }
  });
}

/// Hands each step of a native run to a follower.
class Shadow : public Blocks {
 public:
  explicit Shadow(Follower& follower) : follower_(follower) {}
  template <class S>
  void done(const char* name, const S& state, const Ctx& x, u64 choices) {
    values_of(state, values_);
    follower_.follow(path_of(name), choices > 1 ? x.k : 0, values_);
  }

 private:
  Follower& follower_;
  std::vector<u64> values_;
};

/// One round of `actor`, natively and in the model; whether it came to its end.
template <class S, class Sequence>
bool round_in_lockstep(const Sequence& actor, S& native, const Config& config, u64 choice,
                       Follower& follower) {
  Shadow shadow(follower);
  try {
    run(actor, native, config, choice, shadow);
    follower.finish();
    return true;
  } catch (const Stuck&) {
    follower.wait();
    return false;
  }
}

}  // namespace ptmc::native
