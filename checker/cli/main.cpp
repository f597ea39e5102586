#include "checker/cli/conform.hpp"

int main(int argc, char** argv) { return ptmc::cli::run(argc, argv, {ptmc::catalog, ptmc::cli::conform}); }
