// Which page-table helpers a tree's headers define.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "properties/words/helpers.hpp"

namespace ptmc::gate {

/// Names of functions and macros about entries that one header text defines: pte_mkdirty, pmdp_set_wrprotect,
/// ...
std::vector<std::string> helpers_defined_in(const std::string& header);

/// Those of the tree's headers that are not among `covered`, sorted.
std::vector<std::string> uncovered_helpers(const std::filesystem::path& tree, const std::string& arch,
                                           const std::vector<words::Helper>& covered);

}  // namespace ptmc::gate
