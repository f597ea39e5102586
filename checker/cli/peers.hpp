// One benchmark protocol through ptmc's engine, SPIN and a hand-packed explorer.
#pragma once
#include <atomic>
#include <string>

#include "checker/cli/measure.hpp"
#include "checker/system.hpp"

namespace ptmc::cli {

struct ToySize {
  u64 cpus, pages;
  u64 states;  // Known, and equal for all three.
};

/// What one run found and cost.
struct ToolRow {
  std::string tool;
  u64 states = 0, transitions = 0;
  double cpu_s = 0, wall_s = 0, bytes_per_state = 0;
  unsigned threads = 1;
  double transitions_per_cpu_s() const { return static_cast<double>(transitions) / cpu_s; }
  double states_per_cpu_s() const { return static_cast<double>(states) / cpu_s; }
};

/// Explores `system` in a process of its own. Throws InternalError if it does not end.
ToolRow explored(const System& system, unsigned threads, const std::atomic<bool>* cancel);

/// Built once in a temporary folder, run often. Throws InternalError if they cannot be built or do not end.
class Peers {
 public:
  Peers();
  ~Peers();
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;
  ToolRow spin(const ToySize& size);
  ToolRow packed(const ToySize& size);

 private:
  void build(const std::string& name, const std::string& script);
  std::string folder_;
};

}  // namespace ptmc::cli
