// Which fields of a model's state an instance uses; the others are zero in all its states.
#pragma once
#include "checker/lower/program_of.hpp"

namespace ptmc {

/// By actor and copy: its leaves, counted in declaration order.
using RegisterLeaves = std::vector<std::vector<std::vector<unsigned>>>;

/// By leaf: within the instance's bounds, and no register of absent actors only. `indices(k)` are those on
/// the way to leaf k.
template <class Indices>
std::vector<bool> live_leaves(std::size_t count, const Indices& indices, const RegisterLeaves& registers,
                              const Instance& instance) {
  std::vector<bool> live;
  for (std::size_t k = 0; k < count; ++k)
    live.push_back(within_bounds(indices(k), instance.program.environment));
  std::vector<bool> absent(count), present(count);  // Actors that share registers: one is enough.
  for (std::size_t a = 0; a < registers.size(); ++a)
    for (std::size_t self = 0; self < registers[a].size(); ++self) {
      bool runs = false;
      for (const Actor& actor : instance.program.actors)
        runs = runs || (actor.name == instance.text.actors[a].name && actor.self == self);
      for (const unsigned leaf : registers[a][self]) (runs ? present : absent)[leaf] = true;
    }
  for (std::size_t k = 0; k < count; ++k) live[k] = live[k] && (present[k] || !absent[k]);
  return live;
}

/// The same for the leaves of a state in any domain whose leaves have addresses.
template <class Model, class State>
RegisterLeaves register_leaves(State& s) {
  std::vector<const void*> address;
  for_each_leaf(s, [&](auto& leaf) { address.push_back(&leaf); });
  RegisterLeaves registers;
  hana::for_each(Model::actors, [&](const auto& a) {
    using A = std::remove_cvref_t<decltype(a)>;
    auto& copies = registers.emplace_back(A::copies_max);
    for (u64 self = 0; self < A::copies_max; ++self) {
      auto&& r = typename A::Registers{}(s, self);
      for_each_leaf(r, [&](auto& leaf) {
        unsigned k = 0;
        while (address[k] != &leaf) ++k;
        copies[self].push_back(k);
      });
    }
  });
  return registers;
}

}  // namespace ptmc
