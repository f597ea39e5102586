#include "checker/lower/where.hpp"

namespace ptmc {

Resolved Where::resolve(const char* actor, const char* a, const char* b, u64 i, u64 self) const {
  Resolved r{actor, a, b, i, self, system_, -1, {0, 0}};
  for (std::size_t k = 0; k < program_.actors.size(); ++k) {
    if (program_.actors[k].name != actor || program_.actors[k].self != self) continue;
    r.index = static_cast<long>(k);
    r.range = position(program_.actors[k], a, b, i);
  }
  return r;
}

}  // namespace ptmc
