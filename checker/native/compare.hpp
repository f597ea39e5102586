// Lockstep over a whole machine: each actor, each choice, each initial state, rounds one after the other.
#pragma once
#include "checker/lower/stepper_plain.hpp"
#include "checker/native/domain.hpp"
#include "checker/native/lockstep.hpp"

namespace ptmc::native {

/// What a machine is to be compared in.
struct ModelSide {
  const PlainTables& tables;
  Setup setup;
  const Tariff& tariff;
  std::vector<std::string> natively{};  // Knobs that are turned natively only: a difference to be found.
};

/// Machine: its actors, as in model/opt. S: its state over a native domain, with Entry table[pages].
template <class Machine, class S>
class MachineInLockstep {
 public:
  explicit MachineInLockstep(const ModelSide& c)
      : tariff_(c.tariff),
        model_(plain_stepper(c.tables, unfused(c.setup))),
        program_(instantiate(c.tables.text, with(c.setup, c.natively)).program),
        begins_(model_->initial()) {
    for (const Actor& a : program_.actors)
      for (const Instr& in : a.code)
        if (in.counts()) total_.all.insert(in.path);
  }

  /// From each initial state, beginning with each actor and choice: the rounds of all actors in turn. A
  /// difference is told by the fewest rounds that show one.
  Compared run() {
    if (differs_within(actors)) {
      const Compared all = total_;
      for (u64 rounds = 1; !differs_within(rounds); ++rounds) {
      }
      const auto least = total_.difference;
      total_ = all;
      total_.difference = least;
    }
    return total_;
  }

 private:
  static constexpr u64 choices = 3;
  static constexpr u64 actors = decltype(hana::length(Machine::actors))::value;

  static Setup unfused(Setup setup) {
    setup.fuse = false;
    return setup;
  }
  static Setup with(Setup setup, const std::vector<std::string>& mutations) {
    setup.mutations.insert(setup.mutations.end(), mutations.begin(), mutations.end());
    return setup;
  }

  bool differs_within(u64 rounds) {
    total_.difference.reset();
    for (const DecodedState& begin : begins_)
      for (u64 first = 0; first < actors; ++first)
        for (u64 choice = 0; choice < choices; ++choice)
          if (differs_from(begin, first, choice, rounds)) return true;
    return false;
  }
  bool differs_from(const DecodedState& begin, u64 first, u64 choice, u64 rounds) {
    S native{};
    native.pte.a = table_;
    state_ = begin;
    told_.clear();
    for (u64 made = 0, k = 0; k < actors && made < rounds; ++k)
      switch (round((first + k) % actors, (choice + k) % choices, native)) {
        case Round::absent:
          break;
        case Round::made:
          ++made;
          break;
        case Round::last:
          return total_.difference.has_value();
      }
    return false;
  }

  enum class Round : u8 { absent, made, last };
  Round round(u64 which, u64 choice, S& native) {
    Round result = Round::absent;
    u64 at = 0;
    hana::for_each(Machine::actors, [&](const auto& actor) {
      if (at++ == which) result = round_of(actor, choice, native);
    });
    return result;
  }
  /// Last: it differs, or waits on the way. Who cannot begin makes no round.
  template <class Sequence>
  Round round_of(const Sequence& actor, u64 choice, S& native) {
    for (const Actor& a : program_.actors) {
      if (a.name != actor.name || a.self != 0) continue;
      Follower follower(*model_, tariff_, a.label(), state_, names_of(native));
      if (told_.empty()) set_values(native, follower.begin());
      const bool ended = round_in_lockstep(actor, native, a.config, choice, follower);
      const Compared& compared = follower.compared();
      const bool began = ended || compared.steps != 0 || compared.difference;
      if (began) told_ += (told_.empty() ? "" : ", ") + a.label() + " " + std::to_string(choice);
      state_ = follower.state();
      add(total_, compared, told_);
      if (!began) return Round::absent;
      return ended && !compared.difference ? Round::made : Round::last;
    }
    return Round::absent;
  }

  const Tariff& tariff_;
  std::unique_ptr<Stepper> model_;
  Program program_;
  std::vector<DecodedState> begins_;
  alignas(4096) Entry table_[512];
  DecodedState state_;
  std::string told_;  // Rounds since the initial state.
  Compared total_;
};

}  // namespace ptmc::native
