#include "checker/gate/coverage.hpp"

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "checker/gate/tree.hpp"

namespace ptmc::gate {
namespace {

// Where helpers are defined; absent files count as empty.
std::vector<std::string> headers(const std::string& arch) {
  std::vector<std::string> out = {"include/linux/pgtable.h", "include/linux/swapops.h"};
  if (arch == "arm64")
    out.push_back("arch/arm64/include/asm/pgtable.h");
  else
    for (const char* name :
         {"pgtable.h", "pgtable_types.h", "pgtable_64.h", "pgtable-invert.h", "tlbflush.h"})
      out.push_back(std::string("arch/x86/include/asm/") + name);
  return out;
}

}  // namespace

std::vector<std::string> helpers_defined_in(const std::string& header) {
  static const std::regex definition(R"(^(?:#\s*define\s+|static\s.*\b)?([a-z_]\w*)\()");
  static const std::regex about_entries(
      R"((__)?((pte|pmd|pud)p?|swp|pgprot|huge_pmd)_[a-z]\w*|(is|make)_\w*(entry\w*|marker|pte))");
  std::set<std::string> names;
  std::istringstream lines(header);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    const bool opens = line.starts_with("static ") || line.starts_with('#');
    if (opens && std::regex_search(line, match, definition) &&
        std::regex_match(match[1].str(), about_entries))
      names.insert(match[1]);
  }
  return {names.begin(), names.end()};
}

std::vector<std::string> uncovered_helpers(const std::filesystem::path& tree, const std::string& arch,
                                           const std::vector<words::Helper>& covered) {
  std::set<std::string> known, out;
  for (const words::Helper& h : covered) known.insert(h.name);
  for (const std::string& header : headers(arch)) {
    if (!std::filesystem::exists(tree / header)) continue;
    for (const std::string& name : helpers_defined_in(read_file(tree / header)))
      if (!known.count(name) && !known.count(name.starts_with("__") ? name.substr(2) : name))
        out.insert(name);
  }
  return {out.begin(), out.end()};
}

}  // namespace ptmc::gate
