// Options for explorations of toys.
#pragma once
#include "checker/explicit.hpp"

namespace ptmc::toys {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr u32 fewer = 2;  // Digits of an odometer: everything is ten times as slow.
#else
constexpr u32 fewer = 0;
#endif

inline ExploreOptions small(unsigned threads = 2, Toggle symmetry = Toggle::on) {
  ExploreOptions o;
  o.threads = threads;
  o.symmetry = symmetry;
  o.memory_max_bytes = u64{256} << 20;
  o.stop_at_first = Toggle::off;
  return o;
}

}  // namespace ptmc::toys
