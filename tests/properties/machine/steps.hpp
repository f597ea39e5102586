// Is every step of a machine there for a reason?
#pragma once
#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include "properties/machine/explore.hpp"

namespace ptmc::machine_test {

using Names = std::set<std::string>;

/// A name a line: what a failing check prints.
inline std::string lines(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += name + "\n";
  return text;
}

/// Steps of software that, dropped, nobody misses in any instance that was tried. A step is missed if a
/// property or a cover fails, a state is a dead end, or a word leaves the model.
class Steps {
 public:
  /// `name(path)`: a helper's step may stand in several places, and counts once. Null: each place counts.
  explicit Steps(const PackedTables& machine, std::string (*name)(const std::string& path) = nullptr)
      : machine_(machine), name_(name) {}

  /// `setup(mutations)`: the instance, changed.
  void try_each(const std::function<Setup(const std::vector<std::string>&)>& setup) {
    for (const std::string& path : machine::paths_of(machine_, setup({}))) {
      if (is_other(path)) continue;
      const std::string name = name_ == nullptr ? path : name_(path);
      all_.insert(name);
      if (!missed_.contains(name) && is_missed(setup({"drop:" + path}))) missed_.insert(name);
    }
  }
  Names idle() const {
    Names names = all_;
    for (const std::string& name : missed_) names.erase(name);
    return names;
  }
  std::size_t tried() const { return all_.size(); }

 private:
  bool is_missed(const Setup& setup) const {
    try {
      const Exploration found = explore(LoweredSystem(machine_, setup), {});
      return !found.violations.empty() || found.deadlocks != 0 ||
             std::any_of(found.covers.begin(), found.covers.end(), [](const Cover& c) { return !c.reached; });
    } catch (const WidthError&) {
      return true;
    }
  }
  /// Rules of the hardware, variation points, parts of a step that only `split` uses.
  static bool is_other(const std::string& path) {
    return path.starts_with("hw/") || path.starts_with("knob") || path.ends_with(".load") ||
           path.ends_with(".store");
  }

  const PackedTables& machine_;
  std::string (*name_)(const std::string& path);
  Names all_, missed_;
};

}  // namespace ptmc::machine_test
