// Where actors are: the only way for a lemma or a cover to speak of positions.
#pragma once
#include <array>
#include <span>

#include "model/core/program.hpp"

namespace ptmc {

/// A question of Where, and what the program says to it.
struct Resolved {
  const char *actor = nullptr, *a = nullptr, *b = nullptr;
  u64 i = 0, self = 0, system = 0;
  long index = -1;  // Of the actor; -1: absent.
  Range range{0, 0};

  bool answers(const char* actor_, const char* a_, const char* b_, u64 i_, u64 self_, u64 system_) const {
    return (actor == actor_) & (a == a_) & (b == b_) & (i == i_) & (self == self_) & (system == system_);
  }
};

/// Positions in a concrete state. Names are resolved once per call site and thread, then found by their
/// addresses.
class Where {
 public:
  Where(const Program& program, std::span<const u32> counters, u64 system)
      : program_(program), counters_(counters), system_(system) {}

  /// Step `a` of the actor is done and step `b` is not. False if the instance has no such actor; throws
  /// std::invalid_argument if the actor has no such step.
  bool in(const char* actor, const char* a, const char* b, u64 i = 0, u64 self = 0) const {
    // Addresses of literals identify call sites; a miss only costs the search again.
    const u64 site = reinterpret_cast<u64>(b) + 31 * reinterpret_cast<u64>(a) +
                     63 * reinterpret_cast<u64>(actor) + i * 64 + self * 1024;
    const std::size_t home = (site * 0x9E3779B97F4A7C15u) >> (64 - cache_bits);
    const Resolved* known = &resolved_[home];
    if (__builtin_expect(!known->answers(actor, a, b, i, self, system_), 0))
      known = &find(home, actor, a, b, i, self);
    const Resolved& r = *known;
    if (r.index < 0) return false;
    const u32 pc = counters_[static_cast<std::size_t>(r.index)];
    return r.range.first <= pc && pc <= r.range.last;
  }
  const Config& config() const { return program_.environment; }

 private:
  static constexpr unsigned cache_bits = 11, neighbours = 8;
  static inline constinit thread_local std::array<Resolved, 1u << cache_bits> resolved_{};

  /// Beside its home, where another call site lives; else resolved, in place of another system's if there is
  /// one.
  const Resolved& find(std::size_t home, const char* actor, const char* a, const char* b, u64 i,
                       u64 self) const;
  Resolved resolve(const char* actor, const char* a, const char* b, u64 i, u64 self) const;

  const Program& program_;
  std::span<const u32> counters_;
  u64 system_;  // Distinguishes programs in the per-thread cache.
};

}  // namespace ptmc
