// The five seeds' system calls, measured on the running kernel. Each takes some seconds, changes nothing that
// it does not set back, and says what it could not do: what this machine lacks is a sentence of the report.
// They throw Stopped.
#pragma once
#include <span>

#include "checker/native/kernel/environment.hpp"
#include "checker/native/kernel/report.hpp"

namespace ptmc::native::kernel {

KernelReport measure_mprotect(const Context& context);  // 000
KernelReport measure_numa(const Context& context);      // 001
KernelReport measure_mremap(const Context& context);    // 002
KernelReport measure_pkeys(const Context& context);     // 003
KernelReport measure_pageout(const Context& context);   // 004

struct Seed {
  const char* name;   // "000"
  const char* about;  // "mprotect by page size"
  KernelReport (*measure)(const Context& context);
};
std::span<const Seed> seeds();

}  // namespace ptmc::native::kernel
