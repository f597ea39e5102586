// What this machine is, as far as the seeds' measurements depend on it. Tests make up others.
#pragma once
#include <string>
#include <vector>

#include "model/core/types.hpp"

namespace ptmc::native::kernel {

struct Environment {
  std::string kernel;           // "6.12.1"
  std::string machine;          // "x86_64"
  std::vector<unsigned> cpus;   // Those that this process may run on.
  std::vector<unsigned> nodes;  // NUMA nodes with memory; empty: not told.
  u64 page_bytes = 4096;
  u64 huge_bytes = 0;       // Of a PMD's transparent huge page; 0: none here.
  u64 available_bytes = 0;  // Memory that may be taken without swapping.
  bool pku = false;         // x86: the system offers protection keys to user space.
  std::string root;         // Put before /proc and /sys paths.
  std::string folder;       // For a scratch file.

  /// Bytes that one entry of each level maps.
  u64 pmd_bytes() const { return page_bytes * (page_bytes / 8); }
  u64 pud_bytes() const { return pmd_bytes() * (page_bytes / 8); }
  std::string path(const std::string& absolute) const { return root + absolute; }
};

/// Of the running system, or of a made-up one whose /proc and /sys lie below `root`. What cannot be read is
/// left as if the machine lacked it.
Environment look_around(const std::string& root = "");

/// The whole file; empty if it cannot be read.
std::string text_of(const std::string& path);

/// "0-2,4" -> 0 1 2 4. Empty if it is anything else.
std::vector<unsigned> parse_list(const std::string& text);

/// Whether "6.17.3-arch1" is at least major.minor.
bool at_least(const std::string& release, unsigned major, unsigned minor);

/// How large each of `copies` regions may be: `wanted_bytes`, or else the largest half, quarter, ... of it of
/// which all copies fit into a quarter of the available memory. 0 if that is below `least_bytes`.
u64 scaled(u64 wanted_bytes, u64 copies, u64 least_bytes, const Environment& environment);

/// "1 GiB", "64 KiB", "768 bytes".
std::string size_text(u64 bytes);

/// "256 MiB instead of 1 GiB: ..." or empty.
std::string scaling_note(u64 bytes, u64 wanted_bytes);

}  // namespace ptmc::native::kernel
