#include "checker/lone_run.hpp"

#include <algorithm>

namespace ptmc {
namespace {

constexpr unsigned steps_max = 500;

}  // namespace

std::string to_text(const Bill& bill, const Tariff& tariff) {
  std::string text;
  for (std::size_t k = 0; k < bill.size(); ++k)
    if (bill[k] != 0)
      text += (text.empty() ? "" : ", ") + std::to_string(bill[k]) + " " +
              (bill[k] == 1 ? tariff.items[k].one : tariff.items[k].many);
  return text.empty() ? "nothing" : text;
}

Bill LoneRun::round(const std::string& actor) {
  Bill bill(tariff_.items.size());
  for (unsigned k = 0; k < steps_max; ++k) {
    const Action action = next(actor);
    state_ = stepper_.apply(state_, action).value();
    if (const auto item = tariff_.item(action)) ++bill[*item];
    if (action.actor == actor && at_start(actor)) return bill;
  }
  throw Endless(actor + " does not end");
}

Action LoneRun::next(const std::string& actor) const {
  const std::vector<Action> all = stepper_.enabled(state_);
  auto found = std::find_if(all.begin(), all.end(), [&](const Action& a) { return a.actor == actor; });
  if (found == all.end()) found = std::find_if(all.begin(), all.end(), tariff_.beside);
  if (found == all.end()) throw Endless(actor + " is stuck");
  return *found;
}

bool LoneRun::at_start(const std::string& actor) const {
  return std::any_of(state_.begin(), state_.end(),
                     [&](const Field& f) { return f.name == actor + ".pc" && f.value == 0; });
}

}  // namespace ptmc
