// A system that claims one thing only.
#pragma once
#include <stdexcept>

#include "checker/system.hpp"

namespace ptmc {

/// Of the predicates of `system`, the one of that name is kept; a cover becomes the claim that it is never
/// reached. Throws std::invalid_argument if there is none of that name. `system` must outlive it.
class OneClaim final : public System {
 public:
  OneClaim(const System& system, const std::string& name) : system_(system) {
    const auto& all = system.predicates();
    for (unsigned k = 0; k < all.size(); ++k)
      if (all[k].name == name) {
        claims_ = {all[k]};
        claims_[0].kind = Predicate::Kind::always;
        bit_ = k;
      }
    if (claims_.empty()) throw std::invalid_argument("no predicate is named " + name);
  }
  const Shape& shape() const override { return system_.shape(); }
  const std::vector<Action>& actions() const override { return system_.actions(); }
  const std::vector<Predicate>& predicates() const override { return claims_; }
  void initial(std::vector<u64>& states) const override { system_.initial(states); }
  u32 successors(const u64* state, const Batch& out) const override { return system_.successors(state, out); }
  u64 check(const u64* state) const override { return system_.check(state) >> bit_ & 1; }
  void canonical(u64* state) const override { system_.canonical(state); }
  bool has_symmetry() const override { return system_.has_symmetry(); }
  std::vector<Field> describe(const u64* state) const override { return system_.describe(state); }

 private:
  const System& system_;
  std::vector<Predicate> claims_;
  unsigned bit_ = 0;
};

}  // namespace ptmc
