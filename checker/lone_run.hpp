// An actor that nobody disturbs: its rounds, and what they cost.
#pragma once
#include <optional>
#include <span>
#include <stdexcept>

#include "checker/stepper.hpp"

namespace ptmc {

/// What steps cost, by item: data that stands next to a machine.
struct Tariff {
  struct Item {
    const char *one, *many;  // "flush", "flushes"
  };
  std::span<const Item> items;
  std::optional<unsigned> (*item)(const Action&);  // What a step pays once: index into items.
  bool (*beside)(const Action&);  // What hardware does so that an actor that waits can go on.
};
using Bill = std::vector<u64>;  // By item.

/// "1 flush, 2 IPIs"; "nothing".
std::string to_text(const Bill& bill, const Tariff& tariff);

/// The actor cannot go on, or does not come back to its start.
struct Endless : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Actors one after the other, by the naive interpreter; only what an actor waits for happens beside it. Of
/// several choices the first that is enabled is taken. The stepper must outlive it.
class LoneRun {
 public:
  LoneRun(const Stepper& stepper, const Tariff& tariff)
      : stepper_(stepper), tariff_(tariff), state_(stepper.initial().at(0)) {}

  /// From where the actor ("reclaim", "change_prot[1]") stands to its start. Throws Endless.
  Bill round(const std::string& actor);

 private:
  Action next(const std::string& actor) const;
  bool at_start(const std::string& actor) const;

  const Stepper& stepper_;
  const Tariff& tariff_;
  DecodedState state_;
};

}  // namespace ptmc
