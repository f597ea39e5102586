#include "checker/native/lockstep.hpp"

#include <algorithm>
#include <stdexcept>

namespace ptmc::native {
namespace {

std::string hex(u64 value) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), digits[value % 16]);
    value /= 16;
  } while (value != 0);
  return "0x" + text;
}

/// Natively the compiler's, or the machine's own: program counters, stores and invalidations under way.
bool has_no_native(const std::string& field) {
  return field.ends_with(".pc") || field.ends_with(".before") || field.ends_with(".lagging") ||
         field.find(".posted.") != std::string::npos;
}

}  // namespace

void add(Compared& all, const Compared& part, const std::string& before) {
  all.steps += part.steps;
  all.paths.insert(part.paths.begin(), part.paths.end());
  all.all.insert(part.all.begin(), part.all.end());
  if (all.difference || !part.difference) return;
  all.difference = part.difference;
  all.difference->rounds = before + all.difference->rounds;
}

Follower::Follower(const Stepper& model, const Tariff& tariff, const std::string& actor, DecodedState begin,
                   const std::vector<std::string>& names)
    : model_(model), tariff_(tariff), actor_(actor), state_(std::move(begin)), native_fields_(names.size()) {
  for (const Field& f : state_) {  // An entry of arm64 is the field `word` of what the model has.
    const auto same = [&](const std::string& name) { return name == f.name || name + ".word" == f.name; };
    const auto found = std::find_if(names.begin(), names.end(), same);
    if (found == names.end() && !has_no_native(f.name))
      throw std::logic_error("a native state has no field " + f.name);
    place_.push_back(found == names.end() ? std::nullopt
                                          : std::optional(static_cast<std::size_t>(found - names.begin())));
  }
}

std::vector<std::optional<u64>> Follower::begin() const {
  std::vector<std::optional<u64>> values(native_fields_);
  for (std::size_t k = 0; k < state_.size(); ++k)
    if (place_[k]) values[*place_[k]] = state_[k].value;
  return values;
}

// Hardware acts until the actor can. Of several choices the one that was made natively, or any.
std::optional<Action> Follower::next(std::optional<u64> choice) const {
  const std::vector<Action> all = model_.enabled(state_);
  const std::string wanted = choice ? "choice=" + std::to_string(*choice) : "";
  for (const Action& a : all)
    if (a.actor == actor_ && (a.instance.empty() || !choice || a.instance == wanted)) return a;
  const auto beside = std::find_if(all.begin(), all.end(), tariff_.beside);
  if (beside == all.end()) return std::nullopt;
  return *beside;
}

void Follower::differ(const std::string& action, const std::string& what) {
  if (!compared_.difference) compared_.difference = Difference{compared_.steps, "", action, what};
}

void Follower::follow(const std::string& path, u64 choice, std::span<const u64> values) {
  if (compared_.difference) return;
  const std::string done = actor_ + "/" + path;
  for (bool caught_up = false; !caught_up;) {
    const std::optional<Action> action = next(choice);
    if (!action) return differ(done, "the model cannot go on");
    caught_up = action->actor == actor_;
    if (caught_up && action->step != path) return differ(done, "the model comes to " + action->step);
    state_ = model_.apply(state_, *action).value();
  }
  for (std::size_t k = 0; k < state_.size(); ++k)
    if (place_[k] && values[*place_[k]] != state_[k].value)
      return differ(done, state_[k].name + " is " + hex(values[*place_[k]]) + " natively, " +
                              hex(state_[k].value) + " in the model");
  ++compared_.steps;
  compared_.paths.insert(done);
}

void Follower::finish() {
  if (compared_.difference) return;
  const bool over = std::any_of(state_.begin(), state_.end(),
                                [&](const Field& f) { return f.name == actor_ + ".pc" && f.value == 0; });
  if (!over) differ(actor_, "natively it is over, in the model it goes on");
}

// Hardware that nobody waits for may have work left: with it done the actor must still wait.
void Follower::wait() {
  if (compared_.difference) return;
  for (std::optional<Action> action = next({}); action; action = next({})) {
    if (action->actor == actor_) return differ(actor_, "natively it waits, in the model it goes on");
    state_ = model_.apply(state_, *action).value();
  }
}

}  // namespace ptmc::native
