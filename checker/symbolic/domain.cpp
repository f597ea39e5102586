#include "checker/symbolic/domain.hpp"

namespace ptmc::sym {

z3::expr pick(const z3::expr& c, const z3::expr& a, const z3::expr& b) {
  if (z3::eq(a, b) || c.is_true()) return a;
  return c.is_false() ? b : z3::ite(c, a, b);
}

void require_below(const Word& index, u64 n) {
  require("an index is not below " + std::to_string(n), (index < n).e);
}

}  // namespace ptmc::sym
