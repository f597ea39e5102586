#include "checker/cli/commands.hpp"

namespace ptmc::cli {

Exit bench(const Options& options, Output&) {
  throw InputError("there is no benchmark '" + options.subject + "'");
}

}  // namespace ptmc::cli
