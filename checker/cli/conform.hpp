// The command that reads a kernel tree: all that knows checker/gate.
#pragma once
#include "checker/cli/commands.hpp"

namespace ptmc::cli {

Exit conform(const Options& options, Output& out);

}  // namespace ptmc::cli
