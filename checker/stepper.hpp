// A second, deliberately naive interpreter of a system: nothing is packed, interned, fused or shared with
// engines.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "checker/trace.hpp"

namespace ptmc {

/// Works on decoded states and names only. Implementations know the instance and its mutations.
class Stepper {
 public:
  virtual ~Stepper() = default;

  virtual std::vector<DecodedState> initial() const = 0;
  /// The actions enabled in `state`, in any order. Throws std::invalid_argument if `state` is no state of the
  /// system (fields missing, unknown or out of width).
  virtual std::vector<Action> enabled(const DecodedState& state) const = 0;
  /// The one state that an enabled action leads to; nothing if the action is unknown or not enabled.
  virtual std::optional<DecodedState> apply(const DecodedState& state, const Action& action) const = 0;
  /// Whether the predicate is true of the state: an `always` that is false is violated, a `sometimes` that is
  /// true is reached. Nothing if no predicate has that name.
  virtual std::optional<bool> holds(const DecodedState& state, const std::string& predicate) const = 0;
};

}  // namespace ptmc
