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

const Resolved& Where::find(std::size_t home, const char* actor, const char* a, const char* b, u64 i,
                            u64 self) const {
  Resolved* room = nullptr;
  for (std::size_t k = 0; k < neighbours; ++k) {
    Resolved& r = resolved_[(home + k) % resolved_.size()];
    if (r.answers(actor, a, b, i, self, system_)) return r;
    if (room == nullptr && r.system != system_) room = &r;
  }
  if (room == nullptr) room = &resolved_[home];
  return *room = resolve(actor, a, b, i, self);
}

}  // namespace ptmc
