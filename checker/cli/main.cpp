#include <malloc.h>

#include "checker/cli/conform.hpp"
#include "checker/cli/time_native.hpp"

int main(int argc, char** argv) {
  // Each solver query frees what the next one asks for again; handing it back to the system in between costs
  // a fifth of a proof's time.
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 1 << 25);
  mallopt(M_TOP_PAD, 1 << 26);
  return ptmc::cli::run(argc, argv, {ptmc::catalog, ptmc::cli::conform, ptmc::cli::time_native});
}
