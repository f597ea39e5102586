// Executing named steps over a System.
#pragma once
#include <functional>
#include <optional>

#include "checker/trace.hpp"

namespace ptmc {

class Runner {
 public:
  using State = std::vector<u64>;  // Packed, Shape::words words.
  struct Next {
    u32 action;
    State state;
  };

  /// For runs with the first state and the ending of `trace`. Throws std::invalid_argument if that state is
  /// not initial or that predicate does not exist. Both must outlive it.
  Runner(const Trace& trace, const System& system);

  const State& first() const { return first_; }
  std::vector<Next> successors(const State& state) const;
  /// Whether the trace's ending holds here.
  bool ends(const State& state) const;
  /// Runs the given steps in order, as far as the first state where the ending holds. Nothing if a step is
  /// not enabled or the ending is never reached.
  std::optional<Trace> run(const std::vector<Action>& steps) const;
  /// The trace that visits `states` (one more than `actions`).
  Trace trace(const std::vector<u32>& actions, const std::vector<State>& states) const;

 private:
  const Trace& subject_;
  const System& system_;
  State first_;
  u64 ending_ = 0;  // Bit of System::check; 0: a deadlock.
};

}  // namespace ptmc
