// The commands. Each takes what was asked for and the catalogue, and returns the exit code; errors are
// exceptions.
#pragma once
#include <vector>

#include "checker/cli/options.hpp"
#include "checker/cli/output.hpp"

namespace ptmc::cli {

using Catalog = std::vector<Claim>;

Exit list(const Options& options, const Catalog& catalog, Output& out);
Exit prove(const Options& options, const Catalog& catalog, Output& out);
Exit explore(const Options& options, const Catalog& catalog, Output& out);
Exit replay(const Options& options, const Catalog& catalog, Output& out);
Exit explain(const Options& options, const Catalog& catalog, Output& out);
Exit minimise(const Options& options, const Catalog& catalog, Output& out);
Exit bench(const Options& options, const Catalog& catalog, Output& out);
Exit time_kernel(const Options& options, Output& out);
Exit bench_corpus(const Options& options, const Catalog& catalog, Output& out);

/// What the command line is about. `conform` compares with a kernel tree, `time` runs machines natively.
struct Program {
  Catalog (*catalog)();
  Exit (*conform)(const Options& options, Output& out);
  Exit (*time)(const Options& options, Output& out);
};

/// The whole program: reads the command line, runs the command, turns exceptions into messages and exit
/// codes.
int run(int argc, const char* const* argv, const Program& program);

/// To standard output, or whole to --output.
void deliver(const Options& options, const std::string& text, Output& out);

}  // namespace ptmc::cli
