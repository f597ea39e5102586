// TLB interrupts that the running kernel sends for mprotect, beside what the model of it says.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "checker/native/shootdown.hpp"

namespace ptmc::native {

/// mprotect(PROT_READ), then (PROT_READ|PROT_WRITE), of pages that were written; x86-64 only.
struct CallInterrupts {
  u64 pages;
  bool busy;                     // A sibling keeps the other CPU busy; else nobody of the process is there.
  u64 model;                     // Flushes of both calls, each to every busy CPU.
  std::optional<double> kernel;  // Median over the iterations that nobody disturbed; none: all were.
  u64 dropped = 0;
};

/// Rows of 1 to 256 pages; or why there are none.
struct KernelInterrupts {
  std::vector<CallInterrupts> rows;
  std::string missing;
};
KernelInterrupts interrupts_of_mprotect(const std::atomic<bool>* cancel);

}  // namespace ptmc::native
