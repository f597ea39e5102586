// Other programs: make, clang. The environment is small and fixed, so that runs do not depend on the user's.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace ptmc::gate {

struct Ran {
  int status = 0;      // Exit code; 128 + signal if killed; 127 if the program is missing.
  std::string output;  // Standard output and standard error, in order.
};

/// Runs argv[0] (looked up in PATH) in `directory` and waits. Throws InternalError if no process can be made.
Ran run_program(const std::vector<std::string>& argv, const std::filesystem::path& directory);

/// The text as one word of /bin/sh.
std::string shell_quoted(const std::string& text);

}  // namespace ptmc::gate
