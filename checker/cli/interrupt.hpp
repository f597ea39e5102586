// Ctrl-C: runs are asked to stop; what does not listen within two seconds is ended, and temporary files go
// first.
#pragma once
#include <atomic>
#include <string>

namespace ptmc::cli {

/// Handles SIGINT and SIGTERM from now on. True once one has come.
const std::atomic<bool>& handle_interrupts();

/// While one exists, an interrupt that ends the process removes the file. One at a time.
class RemovedOnInterrupt {
 public:
  explicit RemovedOnInterrupt(const std::string& path);
  ~RemovedOnInterrupt();
  RemovedOnInterrupt(const RemovedOnInterrupt&) = delete;
  RemovedOnInterrupt& operator=(const RemovedOnInterrupt&) = delete;
};

/// While one exists, an interrupt that ends the process calls `last`, which may do what a signal handler may.
/// One at a time.
class EndedByInterrupt {
 public:
  explicit EndedByInterrupt(void (*last)() noexcept);
  ~EndedByInterrupt();
  EndedByInterrupt(const EndedByInterrupt&) = delete;
  EndedByInterrupt& operator=(const EndedByInterrupt&) = delete;
};

}  // namespace ptmc::cli
