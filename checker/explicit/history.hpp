// The levels of a search that has ended, and traces out of them.
#pragma once
#include <string>
#include <vector>

#include "checker/explicit/tally.hpp"
#include "checker/system.hpp"
#include "checker/trace.hpp"

namespace ptmc::explicit_engine {

/// Positions as in the stores.
class History {
 public:
  virtual ~History() = default;
  virtual u64 level_begin(u32 level) const = 0;
  virtual u64 level_end(u32 level) const = 0;
  virtual u64 advance(u64 position, u64 states, u64 level_end) const = 0;
  virtual const u64* read(u64& position, u64* room) const = 0;
};

/// The shortest trace to `target`, a state of `level`. No parent was recorded: each step backwards expands
/// one level again and takes the least predecessor, then the least action. With `symmetric`, states of the
/// history are representatives; the trace is a run of the system itself through their orbits.
Trace rebuild(const System& system, const History& history, const Found& target, u32 level, bool symmetric,
              unsigned threads);

/// Room for the successors of one state.
class Successors {
 public:
  explicit Successors(const Shape& shape)
      : stride_(shape.words),
        words_(u64{shape.fan_out_max} * shape.words),
        actions_(shape.fan_out_max),
        lengths_(shape.variable ? shape.fan_out_max : 0) {}
  u32 of(const System& system, const u64* state) {
    return system.successors(state,
                             {words_.data(), actions_.data(), lengths_.empty() ? nullptr : lengths_.data()});
  }
  u64* words() { return words_.data(); }
  u64* operator[](u32 k) { return words_.data() + u64{k} * stride_; }
  u32 action(u32 k) const { return actions_[k]; }

 private:
  u64 stride_;
  std::vector<u64> words_;
  std::vector<u32> actions_, lengths_;
};

}  // namespace ptmc::explicit_engine
