#include "checker/inductive/reaches.hpp"

#include "checker/explicit.hpp"
#include "model/core/domain.hpp"

namespace ptmc {
namespace {

/// The system with one claim instead of its own: that it never comes to the state.
class Avoids final : public System {
 public:
  Avoids(const System& system, const DecodedState& state)
      : system_(system),
        state_(state),
        claims_{{"elsewhere", "somewhere else than in that state", Predicate::Kind::always}} {}
  const Shape& shape() const override { return system_.shape(); }
  const std::vector<Action>& actions() const override { return system_.actions(); }
  const std::vector<Predicate>& predicates() const override { return claims_; }
  void initial(std::vector<u64>& states) const override { system_.initial(states); }
  u32 successors(const u64* state, const Batch& out) const override { return system_.successors(state, out); }
  u64 check(const u64* state) const override { return equal(system_.describe(state), state_) ? 1 : 0; }
  std::vector<Field> describe(const u64* state) const override { return system_.describe(state); }

 private:
  const System& system_;
  const DecodedState& state_;
  std::vector<Predicate> claims_;
};

}  // namespace

Reached reaches(const System& system, const DecodedState& state, u64 states_max) {
  ExploreOptions options;
  options.states_max = states_max;
  options.symmetry = Toggle::off;
  options.coverage = Toggle::off;
  Reached out;
  Exploration e;
  try {
    e = explore(Avoids(system, state), options);
  } catch (const WidthError&) {
    return out;
  }
  out.states = e.states;
  if (!e.violations.empty())
    out.found = true, out.trace = std::move(e.violations.front().trace);
  else if (e.outcome == Outcome::exhausted)
    out.found = false;
  return out;
}

}  // namespace ptmc
