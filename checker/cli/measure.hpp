// What a program or a piece of work costs, measured in a process of its own.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "model/core/types.hpp"

namespace ptmc::cli {

struct Cost {
  int status = 0;  // Exit code; 128 + signal if killed; 127 if the program is missing.
  std::string output;
  double wall_s = 0;
  double cpu_s = 0;    // User and system.
  u64 peak_bytes = 0;  // Resident memory; of work: beyond what this process had before.
};

/// Runs argv[0] (looked up in PATH) in `folder`. Throws InternalError if no process can be made.
Cost measure_program(const std::vector<std::string>& argv, const std::string& folder);

/// Runs `work` in a forked copy of this process; what it returns becomes the output. What it throws becomes
/// status 1 and the output.
Cost measure_work(const std::function<std::string()>& work);

}  // namespace ptmc::cli
