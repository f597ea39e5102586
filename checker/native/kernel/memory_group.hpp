// A memory control group of our own: reclaim as the kernel does it when memory is short, on demand.
#pragma once
#include <optional>
#include <string>

#include "checker/native/kernel/environment.hpp"
#include "checker/native/kernel/setting.hpp"

namespace ptmc::native::kernel {

/// Where a group can be made, and where this process is now.
struct GroupPlace {
  std::string parent;   // A folder below which groups account for memory.
  std::string home;     // The folder of the process' group in the same tree.
  std::string reclaim;  // The file that reclaims: version 2 takes bytes, version 1 empties the group.
};
/// Nothing if there is no such tree. Version 2 wants a group without processes of its own above.
std::optional<GroupPlace> group_place(const Environment& environment);

/// While it lives, what this process touches first is charged to a group of its own. Afterwards the process
/// is back in its old group and the folder is gone, also by `restore_settings`.
class MemoryGroup {
 public:
  /// Throws Impossible.
  explicit MemoryGroup(const Environment& environment);
  ~MemoryGroup();
  MemoryGroup(const MemoryGroup&) = delete;
  MemoryGroup& operator=(const MemoryGroup&) = delete;

  /// Reclaims up to `bytes`; how much does not show.
  void reclaim(u64 bytes) const;
  /// Goes back now. What went wrong, as a sentence; empty if nothing did.
  std::string leave() noexcept;

 private:
  GroupPlace place_;
  std::string folder_;
  std::optional<Undo> back_, gone_;
};

}  // namespace ptmc::native::kernel
