#include "checker/lower/symbolic_where.hpp"

#include <algorithm>

namespace ptmc {

sym::Bool SymbolicWhere::in(const char* actor, const char* a, const char* b, u64 i, u64 self) const {
  for (std::size_t k = 0; k < program_.actors.size(); ++k) {
    const Actor& found = program_.actors[k];
    if (found.name != actor || found.self != self) continue;
    const Range range = position(found, a, b, i);
    const unsigned last = std::min(range.last, found.steps() - 1);
    const z3::expr& pc = counters_[k];
    if (range.first > last) break;
    const unsigned width = pc.get_sort().bv_size();
    const z3::expr from = z3::uge(pc, context_.bv_val(range.first, width));
    return range.first == last ? pc == context_.bv_val(last, width)
                               : from && z3::ule(pc, context_.bv_val(last, width));
  }
  return context_.bool_val(false);
}

}  // namespace ptmc
