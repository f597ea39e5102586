// A kernel source tree: which one it is, and a copy of what Kbuild reads, so that the user's is never
// written.
#pragma once
#include <filesystem>
#include <functional>
#include <string>

namespace ptmc::gate {

struct Tree {
  std::filesystem::path root;
  std::string version;  // "6.12", "6.1"
  std::string release;  // "6.12.117"
  /// No kernel but headers of our own with the same layout and a file `ptmc-tree` instead of Makefiles.
  bool mini = false;
};

/// Throws InputError if the folder holds no kernel.
Tree open_tree(const std::filesystem::path& root);

/// The layout of model/arch that a version has: "6.12" or "6.1". Throws InputError for others.
std::string layout_of(const Tree& tree);

/// What happens now, for a display: "copying the tree".
using Notice = std::function<void(const std::string&)>;

struct Snapshot {
  std::filesystem::path root;  // The copy. A mini tree is not copied: nothing writes it.
  std::string hash;            // Of names and contents: 32 hexadecimal digits.
};

/// Copies into `cache`/HASH/source unless that copy is there. Throws InputError if the tree cannot be read,
/// InternalError if the cache cannot be written.
Snapshot take_snapshot(const Tree& tree, const std::filesystem::path& cache, const Notice& notice);

/// $XDG_CACHE_HOME/ptmc, else ~/.cache/ptmc.
std::filesystem::path default_cache();

/// 32 hexadecimal digits.
std::string content_hash(const std::string& content);

std::string read_file(const std::filesystem::path& file);  // Throws InputError.
/// Whole or not at all. Throws InternalError.
void write_file(const std::filesystem::path& file, const std::string& text);

}  // namespace ptmc::gate
