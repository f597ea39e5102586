// What a change costs the actor that is changed, in rounds that nobody disturbs.
#pragma once
#include <cstdint>
#include <map>

#include "checker/lone_run.hpp"
#include "model/core/program.hpp"

namespace ptmc {

/// What a round costs more than before the change.
struct Price {
  std::vector<std::int64_t> more;  // By item of the tariff.
  std::string behind;              // After a round of this other actor; empty: from the initial state.
  std::int64_t total() const;
};
/// "costs nothing", "costs 1 flush, 2 IPIs", "saves 1 TLBI".
std::string to_text(const Price& price, const Tariff& tariff);

/// Bills of one actor's rounds: by the actor that went before, "" if none did. Rounds that do not end have
/// none.
using Bills = std::map<std::string, Bill>;
/// Of the first copy of `actor`, first and behind each other actor of the program.
Bills bills_of(const std::string& actor, const Program& program, const Stepper& stepper,
               const Tariff& tariff);

/// The dearest kind of round; nothing if one that ended does not end any more.
std::optional<Price> price_of(const Bills& before, const Bills& now);

}  // namespace ptmc
