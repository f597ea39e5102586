// What paging out needs: a file on a disk.
#pragma once
#include "checker/native/kernel/report.hpp"

namespace ptmc::native::kernel {

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

}  // namespace ptmc::native::kernel
