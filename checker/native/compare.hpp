// Lockstep over a whole machine: each actor, each choice, each initial state, rounds one after the other.
#pragma once
#include "checker/lower/stepper_plain.hpp"
#include "checker/native/domain.hpp"
#include "checker/native/lockstep.hpp"

namespace ptmc::native {

/// What a machine is to be compared in.
struct Comparison {
  const PlainTables& tables;
  Setup setup;
  const Tariff& tariff;
};

/// Machine: its actors, as in model/opt. S: its state over a native domain, with Entry table[pages].
template <class Machine, class S>
class MachineInLockstep {
 public:
  explicit MachineInLockstep(const Comparison& c)
      : tariff_(c.tariff),
        model_(plain_stepper(c.tables, unfused(c.setup))),
        program_(instantiate(c.tables.text, c.setup).program) {
    for (const Actor& a : program_.actors)
      for (const Instr& in : a.code)
        if (in.counts()) total_.all.insert(in.path);
  }

  /// From each initial state, beginning with each actor and choice: the rounds of all actors in turn. Ends at
  /// the first difference.
  Compared run() {
    constexpr auto count = decltype(hana::length(Machine::actors))::value;
    for (const DecodedState& begin : model_->initial())
      for (u64 first = 0; first < count; ++first)
        for (u64 choice = 0; choice < choices; ++choice)
          if (!from(begin, first, choice)) return total_;
    return total_;
  }

 private:
  static constexpr u64 choices = 3;

  static Setup unfused(Setup setup) {
    setup.fuse = false;
    return setup;
  }

  bool from(const DecodedState& begin, u64 first, u64 choice) {
    constexpr auto count = decltype(hana::length(Machine::actors))::value;
    S native{};
    native.pte.a = table_;
    state_ = begin;
    fresh_ = true;
    for (u64 k = 0; k < count; ++k)
      if (!round((first + k) % count, (choice + k) % choices, native)) break;
    return !total_.difference;
  }
  /// Whether another may follow.
  bool round(u64 which, u64 choice, S& native) {
    bool goes_on = true;
    u64 at = 0;
    hana::for_each(Machine::actors, [&](const auto& actor) {
      if (at++ == which) goes_on = round_of(actor, choice, native);
    });
    return goes_on;
  }
  template <class Sequence>
  bool round_of(const Sequence& actor, u64 choice, S& native) {
    for (const Actor& a : program_.actors) {
      if (a.name != actor.name || a.self != 0) continue;
      Follower follower(*model_, tariff_, a.label(), state_, names_of(native));
      if (fresh_) set_values(native, follower.begin());
      fresh_ = false;
      const u64 before = follower.compared().steps;
      const bool ended = round_in_lockstep(actor, native, a.config, choice, follower);
      state_ = follower.state();
      total_.steps += follower.compared().steps;
      total_.paths.insert(follower.compared().paths.begin(), follower.compared().paths.end());
      if (follower.compared().difference) {
        total_.difference = follower.compared().difference;
        return false;
      }
      return ended || follower.compared().steps == before;  // It never began: the others may.
    }
    return true;
  }

  const Tariff& tariff_;
  std::unique_ptr<Stepper> model_;
  Program program_;
  alignas(4096) Entry table_[512];
  DecodedState state_;
  bool fresh_ = true;
  Compared total_;
};

}  // namespace ptmc::native
