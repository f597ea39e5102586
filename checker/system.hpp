// A transition system with its types erased: all that engines see. A state is a span of 64-bit words.
#pragma once
#include <string>
#include <vector>

#include "model/core/types.hpp"

namespace ptmc {

/// One instance of one rule: what a line of a trace names.
struct Action {
  std::string actor;  // "reclaim", "hw"; two copies of an actor are "change_prot[0]" and "change_prot[1]".
  std::string step;   // "ptep_get_and_clear", "fill".
  std::string
      instance;  // Index values of a rule, choice of a step: "cpu=1, page=0"; empty if there is one instance.
};

/// A named predicate over states. `always`: a state where it fails is a violation. `lemma`: the same, but may
/// speak of positions and of mechanisms. `sometimes`: a cover, some reachable state must satisfy it.
struct Predicate {
  enum class Kind { always, sometimes, lemma };
  std::string name;      // "reach"
  std::string sentence;  // Finishes "always ..." or "sometimes ...".
  Kind kind;
};

/// One named value of a decoded state, for printing, for ITF and for comparing states of different runs.
struct Field {
  std::string name;  // "tlb[0][1].frame"
  u64 value;
  unsigned width;     // Bits.
  bool word = false;  // A page-table entry, to be decoded into named bits when printed.
};

struct Shape {
  unsigned words = 1;     // 64-bit words of a state. If lengths vary: of the longest state.
  std::vector<u64> live;  // Per word, the bits that may ever differ between two states; the others are zero.
  unsigned fan_out_max = 0;  // No state has more successors than this.
  bool variable = false;     // Lengths vary; Batch::length counts, and equal states have equal lengths.
};

/// Room for the successors of one state. The caller allocates fan_out_max entries of each kind.
struct Batch {
  u64* words;   // Successor k occupies words[k * Shape::words .. ); unused words of a shorter state are zero.
  u32* action;  // Index into System::actions().
  u32* length;  // Words used by successor k; null unless Shape::variable.
};

/// Implementations are immutable after construction and may be called by several threads at once.
class System {
 public:
  virtual ~System() = default;

  virtual const Shape& shape() const = 0;
  virtual const std::vector<Action>& actions() const = 0;
  /// At most 64.
  virtual const std::vector<Predicate>& predicates() const = 0;

  /// Appends the initial states, shape().words words each.
  virtual void initial(std::vector<u64>& states) const = 0;

  /// Writes all successors of `state` in fixed order and returns how many there are.
  virtual u32 successors(const u64* state, const Batch& out) const = 0;

  /// Bit k set: predicate k is news in this state, i.e. violated (always, lemma) or reached (sometimes).
  virtual u64 check(const u64* state) const = 0;

  /// Replaces the state by the representative of its orbit under symmetry. Idempotent.
  virtual void canonical(u64* state) const { (void)state; }
  virtual bool has_symmetry() const { return false; }

  /// Every named value of the state, in declaration order: equal for equal states in every run and thread
  /// count (packed words are not: they may hold pool indices).
  virtual std::vector<Field> describe(const u64* state) const = 0;
};

}  // namespace ptmc
