// Edits to a tree that only the compiler sees: the tree itself is not written.
#pragma once
#include <string>
#include <vector>

#include "checker/gate/tree.hpp"

namespace ptmc::gate {

/// Replace what `pattern` matches by `text` (ECMAScript regular expression, $1 for groups), in one function.
struct Edit {
  std::string file;      // "arch/x86/include/asm/pgtable.h"
  std::string function;  // The name before the parenthesis of a definition; empty: the whole file.
  std::string pattern;
  std::string text;
};

/// Reads "FILE[:FUNCTION]=s/PATTERN/TEXT/"; the character after s delimits. Throws InputError.
Edit parse_edit(const std::string& spec);

/// The text of the file after the edit. Throws InputError if the function is absent or nothing matches.
std::string apply_edit(const std::string& source, const Edit& edit);

/// Writes the edited files and a clang VFS description into `folder`; the result is the -ivfsoverlay file.
std::filesystem::path write_overlay(const std::filesystem::path& root, const std::vector<Edit>& edits,
                                    const std::filesystem::path& folder);

}  // namespace ptmc::gate
