// How the tree itself compiles mm/ code: configured once by its own Kbuild, then one clang command a file.
#pragma once
#include <string>
#include <vector>

#include "checker/gate/overlay.hpp"

namespace ptmc::gate {

/// What a proof then speaks about; anything not named keeps the tree's default.
std::string config_fragment(const std::string& arch);

struct Build {
  std::string arch;                 // "x86_64", "arm64"
  std::filesystem::path source;     // What `command` compiles against.
  std::filesystem::path directory;  // Where it runs and where its outputs go.
  std::string compiler;             // "Debian clang version 14.0.6"
  std::string command;              // Shell text up to, but without, "-o OUT FILE": emits LLVM IR at -O2.
  std::vector<std::string> notes;   // Options of the fragment that this tree does not have or overrides.
};

/// Configures the snapshot for the architecture, unless the cache has it (20 to 30 s the first time).
/// Throws InputError with the end of make's output.
Build configure(const Tree& tree, const Snapshot& snapshot, const std::string& arch,
                const std::filesystem::path& cache, const Notice& notice);

struct Compiled {
  std::filesystem::path module;  // LLVM IR; empty if there were errors.
  std::string diagnostics;
};

/// Compiles one file, an absolute path. Results are kept by content: command, file, edits.
Compiled compile(const Build& build, const std::filesystem::path& file, const std::vector<Edit>& edits);

}  // namespace ptmc::gate
