// Who can always go on: a change that makes an actor wait for ever keeps every property, and is no fix.
#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <set>

#include "checker/system.hpp"

namespace ptmc {

/// A group is an actor ("reclaim") or a rule of the environment ("hw/fill").
struct GoesOn {
  bool known = false;           // Every reachable state was looked at.
  std::set<std::string> again;  // Groups that, whatever has happened, can act again.
  /// Of the others: the steps after which a group may have acted for the last time.
  std::map<std::string, std::set<std::string>> last;
};

/// Goes on behind violations. Not known: more states than `states_max`, `stop` said so, or the system threw.
GoesOn goes_on(const System& system, u64 states_max, const std::function<bool()>& stop);

/// The groups that could always go on in `before` and cannot in `now`: acted again, or stopped elsewhere than
/// at one of `ends`. Nothing if either is not known.
std::set<std::string> stuck(const GoesOn& before, const GoesOn& now, const std::set<std::string>& ends);

}  // namespace ptmc
