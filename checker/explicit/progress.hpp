// When an observer hears of a search, and what.
#pragma once
#include "checker/explicit.hpp"
#include "checker/explicit/clock.hpp"

namespace ptmc::explicit_engine {

class Reporter {
 public:
  explicit Reporter(Observer* observer) : observer_(observer) {}

  /// A level of `frontier` states is about to be expanded.
  void level(u32 number, u64 frontier) {
    shrink_ = frontier_ == 0 ? 1 : static_cast<double>(frontier) / static_cast<double>(frontier_);
    level_ = number;
    frontier_ = frontier;
  }
  void tick(u64 states) {
    if (observer_ == nullptr) return;
    const double now_s = watch_.wall_s();
    if (now_s < told_s_ + interval_s) return;
    Progress p{states, frontier_, level_, static_cast<double>(states - told_states_) / (now_s - told_s_), {}};
    // Levels that shrink by a constant factor sum up to a geometric series.
    if (shrink_ < 0.99 && p.states_per_s > 0)
      p.eta_s = static_cast<double>(frontier_) * shrink_ / (1 - shrink_) / p.states_per_s;
    told_s_ = now_s;
    told_states_ = states;
    observer_->progress(p);
  }

 private:
  static constexpr double interval_s = 0.2;
  Observer* observer_;
  Stopwatch watch_;
  double told_s_ = 0, shrink_ = 1;
  u64 told_states_ = 0, frontier_ = 0;
  u32 level_ = 0;
};

}  // namespace ptmc::explicit_engine
