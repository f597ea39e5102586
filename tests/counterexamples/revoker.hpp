// A toy with one right, one cache entry and known mendings: revoke takes the right away, flushes the entry
// and returns; user reads the right and caches it, under the same lock. A walker caches it under no lock.
#pragma once
#include <algorithm>

#include "checker/lone_run.hpp"
#include "checker/lower/lower_packed.hpp"
#include "checker/lower/lower_plain.hpp"
#include "checker/lower/lowered.hpp"

namespace ptmc::revoker {

template <class D>
struct User {
  using F = Flag<D>;
  BOOST_HANA_DEFINE_STRUCT(User, (F, seen));
};
template <class D>
struct Revoke {
  using F = Flag<D>;
  BOOST_HANA_DEFINE_STRUCT(Revoke, (F, busy));
};
template <class D>
struct State {
  using F = Flag<D>;
  using Owner = Bits<D, 2>;
  using UserRegisters = User<D>;
  using RevokeRegisters = Revoke<D>;
  BOOST_HANA_DEFINE_STRUCT(State, (Owner, lock), (F, taken), (F, cached), (F, returned), (F, lit),
                           (F, ignored), (UserRegisters, user), (RevokeRegisters, revoke));
};

struct Model {
  template <class D>
  using State = revoker::State<D>;
  static constexpr std::array<Knob, 0> knobs{};
  static constexpr auto free = [](const auto& s) { return s.lock == 0u; };
  static constexpr auto unlock = step("unlock", [](auto& s) { s.lock = 0; });
  static constexpr auto revoke = sequence(
      "revoke", [](auto& s, u64) -> decltype(auto) { return (s.revoke); },
      step("lock", free, [](auto& s) { s.lock = 1; }), step("clear", [](auto& s) { s.taken = true; }),
      step("flush", [](auto& s) { s.cached = false; }), unlock,
      spare("forget", [](auto& s) { s.ignored = true; }),  // Blinds the property.
      step("return", [](auto& s) { s.returned = true; }), step("grant", [](auto& s) {
        s.returned = false;
        s.taken = false;
      }));
  static constexpr auto user = sequence(
      "user", [](auto& s, u64) -> decltype(auto) { return (s.user); },
      step("lock", free, [](auto& s) { s.lock = 2; }),
      step("walk", [](auto& s, auto& r) { r.seen = !s.taken; }),
      step("fill", [](auto& s, auto& r) { s.cached = load(r.seen); }), unlock);
  static constexpr auto actors = hana::make_basic_tuple(revoke, user);
  static constexpr auto environment = hana::make_basic_tuple(
      ruleset(
          "fill", [](const auto& s) { return !s.taken; }, [](auto& s) { s.cached = true; }),
      ruleset("tick", always_on, [](auto& s) { s.lit = !s.lit; }));  // Never a deadlock of all.
  static constexpr auto predicates = hana::make_basic_tuple(
      always("stale", "what was revoked is cached no more",
             [](const auto& s) { return !(s.returned && s.cached && !s.ignored); }),
      sometimes("cached", "the right is cached", [](const auto& s) { return load(s.cached); }),
      sometimes("revoked", "the right is revoked", [](const auto& s) { return load(s.returned); }));
  static constexpr auto lemmas = hana::make_basic_tuple();
  static bool seed(State<Plain>&, u64 k, const Config&) { return k == 0; }
};

inline const PackedTables& packed() {
  static const PackedTables t = packed_tables<Model>();
  return t;
}
inline const PlainTables& plain() {
  static const PlainTables t = plain_tables<Model>();
  return t;
}

/// With `user` and without the walker, or the walker alone.
inline Setup setup(bool user, const std::vector<std::string>& mutations) {
  Setup s;
  s.actors = {{"revoke"}};
  if (user) s.actors.push_back({"user"});
  if (user) s.rules_off = {"fill"};
  s.mutations = mutations;
  return s;
}

inline const Tariff& tariff() {
  static constexpr Tariff::Item items[] = {{"flush", "flushes"}};
  static constexpr Tariff all{
      items, [](const Action& a) { return a.step == "flush" ? std::optional<unsigned>(0) : std::nullopt; },
      [](const Action&) { return false; }};
  return all;
}

}  // namespace ptmc::revoker
