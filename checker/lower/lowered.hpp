// A packed model as a System: dispatches actors by program counter and rules by one fused function.
#pragma once
#include <atomic>

#include "checker/lower/packed_tables.hpp"
#include "checker/lower/pool.hpp"

namespace ptmc {

class LoweredSystem final : public System {
 public:
  /// Throws std::invalid_argument for unknown names, NotApplicable for a mutation that has no meaning.
  LoweredSystem(const PackedTables& tables, const Setup& setup);

  const Shape& shape() const override { return shape_; }
  const std::vector<Action>& actions() const override { return actions_; }
  const std::vector<Predicate>& predicates() const override { return predicates_; }
  void initial(std::vector<u64>& states) const override;
  u32 successors(const u64* state, const Batch& out) const override;
  u64 check(const u64* state) const override;
  void canonical(u64* state) const override;
  bool has_symmetry() const override { return symmetric_ > 1; }
  std::vector<Field> describe(const u64* state) const override;

  const Program& program() const { return instance_.program; }
  /// The step that the actor executes next.
  const Instr& next(const u64* state, std::size_t actor) const;

 private:
  struct Stop {  // One value of a program counter: all that firing its step takes.
    const Instr* instr;
    bool (*fire)(const u64* in, u64* out, unsigned words, const Ctx& x, Instr::Guard guard);
    u32 action;      // Of choice 0.
    unsigned after;  // Index of the instruction behind it.
    int next;        // The counter's next value if that does not depend on the state, else -1.
  };
  struct Counter {  // Where an actor's program counter is.
    unsigned offset, bits;
    u32 mask;                     // Of its values.
    std::vector<unsigned> instr;  // By counter value: index in the actor's code.
    std::vector<Stop> stops;      // By counter value.
    std::vector<int> value;       // By index in the code: the counter of a step that stops there, or -1.
  };
  struct Chunk {  // Bits that belong to one CPU, the same distance apart for each CPU.
    unsigned bits;
    bool word;
    std::vector<unsigned> offset;  // By CPU.
  };

  void place_counters();
  void name_actions();
  void find_live();
  void find_chunks();
  u32 counter(const u64* state, std::size_t actor) const;
  void set_counter(u64* state, std::size_t actor, u32 value) const;
  void settle(u64* state, std::size_t actor, std::size_t at) const;

  const PackedTables& tables_;
  Instance instance_;
  bool fuse_;
  bool some_absent_ = false;
  u64 wanted_ = 0;  // Predicates that are checked.
  u64 symmetric_ = 0;
  u64 id_;
  Shape shape_;
  std::vector<Action> actions_;
  std::vector<Predicate> predicates_;
  std::vector<Counter> counters_;
  std::vector<RulePlan> plan_;
  decltype(PackedTables::environment) rules_ = nullptr;  // The one that fits this instance.
  std::vector<Chunk> chunks_;
  std::vector<bool> live_leaf_;
  Ctx environment_;
  mutable Pool pool_;
};

}  // namespace ptmc
