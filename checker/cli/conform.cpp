#include "checker/cli/commands.hpp"

namespace ptmc::cli {

Exit conform(const Options&, Output&) {
  throw InputError("conform is not built in: it needs clang-14 and llvm-14-dev");
}

}  // namespace ptmc::cli
