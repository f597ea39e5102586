#include "checker/cli/commands.hpp"

int main(int argc, char** argv) { return ptmc::cli::run(argc, argv, ptmc::catalog); }
