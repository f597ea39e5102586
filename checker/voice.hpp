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

/// A field's name as a person writes it: without a trailing ".word".
std::string_view plain_name(std::string_view field);

/// Matches a field's name as Moment::change does; what each '*' stands for.
std::optional<std::vector<std::string>> match_field(std::string_view pattern, std::string_view name);

/// The scope of a lock that a step opens or closes. The field that says who holds the lock names it: "ptl[*]"
/// is one lock a page. A step that does not change that field opens and closes nothing.
struct Scope {
  enum class Edge { none, opens, closes } edge = Edge::none;
  std::string_view lock;
};
constexpr Scope opens(std::string_view lock) { return {Scope::Edge::opens, lock}; }
constexpr Scope closes(std::string_view lock) { return {Scope::Edge::closes, lock}; }

/// What to say of a step.
struct Phrase {
  std::string_view step;                        // The last components of its path: "pte_offset_map_lock".
  std::string_view text;                        // Empty, with no `say`: the step is not told.
  std::string (*say)(const Moment&) = nullptr;  // Instead of `text`. May return "": nothing to tell.
  Scope scope = {};
};

struct Title {
  std::string_view of, name;  // "change_prot_numa" is headed "NUMA"; a function called "" is not named.
};

/// How a person calls a user CPU.
using CpuName = std::function<std::string(u64)>;

/// Fields of a state that are shown together. The first group that matches a field takes it.
struct Group {
  std::string_view fields;  // Pattern: "tlb[*][*].*".
  std::string_view title;   // Groups of one title are one.
  /// The fields' common name, from what the stars stand for; null: as the state has it.
  std::string (*name)(const std::vector<std::string>& captured, const CpuName& cpu) = nullptr;
  std::string (*words)(u64 value) = nullptr;  // Instead of the number.
  std::string_view valid = {};  // The field ("valid") whose 0 makes the others of its name meaningless.
  unsigned level = 0;           // Of page-table words: 0 pte, 1 pmd, 2 pud.
};

/// A machine's language. Default: no machine in particular; steps are told by their names and the fields they
/// change.
struct Voice {
  std::span<const Phrase> phrases;  // The first that matches is used.
  std::span<const Title> titles;    // Of actors and of functions in a step's path.
  /// What in the last state breaks the claim; `cpu` names a CPU as the print does. May return "".
  std::string (*culprit)(const Trace&, const CpuName& cpu) = nullptr;
  /// A step of the hardware that a CPU only does on behalf of an actor: that actor's name, otherwise "".
  std::string (*served)(const Action&) = nullptr;
  /// The name of a step of the same instance that tells the same in plainer words where it is enabled, or "".
  std::string (*plainer)(const Action&) = nullptr;
  std::span<const Group> groups = {};  // In the order in which they are shown.
};

}  // namespace ptmc
