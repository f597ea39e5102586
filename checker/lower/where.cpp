#include "checker/lower/where.hpp"

#include <array>
#include <string_view>

namespace ptmc {

struct Where::Resolved {
  const char *actor = nullptr, *a = nullptr, *b = nullptr;
  u64 i = 0, self = 0, system = 0;
  long index = -1;  // Of the actor; -1: absent.
  Range range{0, 0};
};

Where::Resolved Where::resolve(const char* actor, const char* a, const char* b, u64 i, u64 self) const {
  Resolved r{actor, a, b, i, self, system_, -1, {0, 0}};
  for (std::size_t k = 0; k < program_.actors.size(); ++k) {
    if (program_.actors[k].name != actor || program_.actors[k].self != self) continue;
    r.index = static_cast<long>(k);
    r.range = position(program_.actors[k], a, b, i);
  }
  return r;
}

bool Where::in(const char* actor, const char* a, const char* b, u64 i, u64 self) const {
  static thread_local std::array<Resolved, 1024> cache;
  // Addresses of literals identify call sites; a miss only costs the search again.
  const u64 key =
      reinterpret_cast<u64>(a) * 31 + reinterpret_cast<u64>(b) * 7 + i * 131 + self * 17 + system_;
  Resolved& r = cache[(key ^ (key >> 10)) % cache.size()];
  if (r.actor != actor || r.a != a || r.b != b || r.i != i || r.self != self || r.system != system_)
    r = resolve(actor, a, b, i, self);
  if (r.index < 0) return false;
  const u32 pc = counters_[static_cast<std::size_t>(r.index)];
  return r.range.first <= pc && pc <= r.range.last;
}

}  // namespace ptmc
