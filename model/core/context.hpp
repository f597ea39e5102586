// What a step knows besides the state: which copy of an actor runs it, loop index, choice, and the instance.
#pragma once
#include <array>

#include "model/core/domain.hpp"

namespace ptmc {

/// The fixed part of an instance: the same for all its states, so model text may branch on it with plain
/// `if`.
struct Config {
  static constexpr unsigned knobs_max = 48;
  u64 features = 0;                       // Bit set of the architecture's Feature enum.
  std::array<u8, knobs_max> knob{};       // Index of the chosen value; 0 is the kernel's choice.
  std::array<u64, by_count> bound{};      // Indices of each kind run from 0 to bound - 1.
  std::array<u64, by_count> symmetric{};  // The first so many indices of a kind are interchangeable.

  template <class Feature>
  constexpr bool has(Feature f) const {
    return ((features >> static_cast<unsigned>(f)) & 1) != 0;
  }
  template <class Knob>
  constexpr u64 choice(Knob k) const {
    return knob[static_cast<unsigned>(k)];
  }
  constexpr u64 count(By by) const { return by == By::none ? 1 : bound[static_cast<unsigned>(by)]; }
};

/// What the operator `operand` may change about the flush that a step issues.
enum class Operand : u8 {
  as_written,
  leaf_only,
  walk_only,
  other_page,
  no_page,
  short_range,
  wrong_level,
  local_only
};

struct Ctx {
  u64 self = 0;  // Which copy of the actor.
  u64 i = 0;     // Index of the enclosing loop.
  u64 k = 0;     // Choice.
  Operand operand = Operand::as_written;
  bool stale = false;  // Mutation `stale`: use the value read before, not the one returned.
  const Config* config = nullptr;

  template <class Feature>
  constexpr bool has(Feature f) const {
    return config->has(f);
  }
  template <class Knob>
  constexpr u64 knob(Knob k_) const {
    return config->choice(k_);
  }
  constexpr u64 count(By by) const { return config->count(by); }
};

}  // namespace ptmc
