// How the steps of a machine are told to people: data that stands next to the machine and is read by whoever
// prints traces.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checker/trace.hpp"

namespace ptmc {

/// One step of a trace with the states around it.
class Moment {
 public:
  /// Step `k` of `trace`, 0 <= k < steps. The trace must outlive it.
  Moment(const Trace& trace, std::size_t k);

  struct Change {
    std::vector<std::string> captured;  // What each '*' of the pattern stands for.
    u64 was, now;
  };
  /// The first field that changed and matches. '*' stands for anything without '.' and ']'; a trailing
  /// ".word" of a field's name is not part of it.
  std::optional<Change> change(std::string_view pattern) const;
  bool changed(std::string_view pattern) const { return change(pattern).has_value(); }
  /// Value of a field after or before the step; 0 if the state has no such field.
  u64 now(std::string_view name) const;
  u64 was(std::string_view name) const;
  /// Index of that kind of the step's instance: "page" of "cpu=1, page=0".
  std::optional<u64> index(std::string_view kind) const { return index_of(action.instance, kind); }
  static std::optional<u64> index_of(std::string_view instance, std::string_view kind);

  const Trace& trace;
  const Action& action;
  const DecodedState &before, &after;
};

/// What to say of a step.
struct Phrase {
  std::string_view step;                        // The last components of its path: "pte_offset_map_lock".
  std::string_view text;                        // Empty, with no `say`: the step is not told.
  std::string (*say)(const Moment&) = nullptr;  // Instead of `text`. May return "": nothing to tell.
};

struct Title {
  std::string_view of, name;  // "change_prot_numa" is headed "NUMA"; a function called "" is not named.
};

/// A machine's language. Default: no machine in particular; steps are told by their names and the fields they
/// change.
struct Voice {
  std::span<const Phrase> phrases;  // The first that matches is used.
  std::span<const Title> titles;    // Of actors and of functions in a step's path.
  /// What in the last state breaks the claim; `cpu` names a CPU as the print does. May return "".
  std::string (*culprit)(const Trace&, const std::function<std::string(u64)>& cpu) = nullptr;
  /// A step of the hardware that a CPU only does on behalf of an actor: that actor's name, otherwise "".
  std::string (*served)(const Action&) = nullptr;
  /// The name of a step of the same instance that tells the same in plainer words where it is enabled, or "".
  std::string (*plainer)(const Action&) = nullptr;
};

}  // namespace ptmc
