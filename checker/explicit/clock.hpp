#pragma once
#include <time.h>

#include "model/core/types.hpp"

namespace ptmc::explicit_engine {

inline double clock_s(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}
inline double thread_cpu_s() { return clock_s(CLOCK_THREAD_CPUTIME_ID); }

class Stopwatch {
 public:
  double wall_s() const { return clock_s(CLOCK_MONOTONIC) - start_s_; }

 private:
  double start_s_ = clock_s(CLOCK_MONOTONIC);
};

}  // namespace ptmc::explicit_engine
