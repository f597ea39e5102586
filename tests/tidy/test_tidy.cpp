// The repository obeys its own style.
#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/tidy/rules.hpp"

namespace fs = std::filesystem;
using namespace ptmc::tidy;

namespace {

const fs::path root = PTMC_SOURCE_DIR;

void expect_none(const std::vector<Finding>& findings) {
  for (const Finding& f : findings) FAIL_CHECK(f.path << ":" << f.line << ": " << f.rule << ": " << f.text);
}

}  // namespace

TEST_CASE("every file obeys the rules") {
  const auto files = read_tree(root);
  CHECK(files.size() > 20);
  for (const File& f : files) expect_none(check(f));
  expect_none(check_spdlog(files));
}

TEST_CASE("every path in the README exists") {
  for (const File& f : read_tree(root))
    if (f.path == "README.md") {
      expect_none(check_paths(f, [](const std::string& path) { return fs::exists(root / path); }));
      return;
    }
  FAIL("there is no README.md");
}

TEST_CASE("clang-format changes nothing") {
  if (std::system("clang-format --version 2>/dev/null | grep -q 'version 14'") != 0) {
    MESSAGE("clang-format 14 is not installed: skipped");
    return;
  }
  std::string command = "cd '" + root.string() + "' && clang-format --dry-run -Werror";
  for (const File& f : read_tree(root))
    if (f.path.ends_with(".cpp") || f.path.ends_with(".hpp")) command += " '" + f.path + "'";
  CHECK(std::system(command.c_str()) == 0);
}
