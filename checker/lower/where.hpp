// Where actors are: the only way for a lemma or a cover to speak of positions.
#pragma once
#include <span>

#include "model/core/program.hpp"

namespace ptmc {

/// Positions in a concrete state. Names are resolved once per call site and thread, then found by their
/// addresses.
class Where {
 public:
  Where(const Program& program, std::span<const u32> counters, u64 system)
      : program_(program), counters_(counters), system_(system) {}

  /// Step `a` of the actor is done and step `b` is not. False if the instance has no such actor; throws
  /// std::invalid_argument if the actor has no such step.
  bool in(const char* actor, const char* a, const char* b, u64 i = 0, u64 self = 0) const;
  const Config& config() const { return program_.environment; }

 private:
  struct Resolved;
  Resolved resolve(const char* actor, const char* a, const char* b, u64 i, u64 self) const;

  const Program& program_;
  std::span<const u32> counters_;
  u64 system_;  // Distinguishes programs in the per-thread cache.
};

}  // namespace ptmc
