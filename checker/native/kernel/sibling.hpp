// What paging out needs around it: a file on a disk, a thread on another CPU, and a count of TLB interrupts.
#pragma once
#include <optional>
#include <thread>

#include "checker/native/kernel/report.hpp"

namespace ptmc::native::kernel {

/// The count of row "TLB:" of /proc/interrupts for one CPU. Nothing if there is no such row or column.
std::optional<u64> tlb_interrupts(const std::string& interrupts, unsigned cpu);

/// A file without a name, `bytes` long, written and clean, in the first of `folders` that is not kept in
/// memory (whose pages go to swap only). Throws Impossible.
class ScratchFile {
 public:
  ScratchFile(const std::vector<std::string>& folders, u64 bytes, const Context& context);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

/// Keeps the calling thread on one CPU for as long as it lives. Throws Impossible.
class Pinned {
 public:
  explicit Pinned(unsigned cpu);
  ~Pinned();
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;

 private:
  std::vector<unsigned char> before_;  // A cpu_set_t.
};

/// A thread of this process that spins on one CPU. Throws Impossible.
class Sibling {
 public:
  explicit Sibling(unsigned cpu);

 private:
  std::jthread thread_;
};

}  // namespace ptmc::native::kernel
