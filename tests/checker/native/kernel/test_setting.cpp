// Settings come back: at the end, after an exception, from a signal handler, and when they could not be made.
#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "checker/native/kernel/report.hpp"
#include "checker/native/kernel/setting.hpp"
#include "tests/checker/native/kernel/made_up.hpp"

using namespace ptmc::native::kernel;
using ptmc::kernel_test::Root;

TEST_CASE("the chosen word") {
  CHECK(chosen("always [madvise] never\n") == "madvise");
  CHECK(chosen("1\n") == "1");
  CHECK(chosen("") == "");
}

TEST_CASE("a setting comes back") {
  const Root root;
  const std::string path = root.write("/enabled", "always [madvise] never\n");
  {
    const Setting setting(path, "never");
    CHECK(root.read("/enabled") == "never");
    CHECK(setting.before() == "madvise");
  }
  CHECK(root.read("/enabled") == "madvise");
  try {
    const Setting setting(path, "always");
    CHECK(root.read("/enabled") == "always");
    throw Stopped();
  } catch (const Stopped&) {
  }
  CHECK(root.read("/enabled") == "madvise");
  {
    Setting setting(path, "always");
    CHECK(setting.restore().empty());
    root.write("/enabled", "by somebody else");
  }
  CHECK(root.read("/enabled") == "by somebody else");  // Once is enough.
}

TEST_CASE("what is as wanted is not touched") {
  const Root root;
  const std::string path = root.write("/enabled", "always [madvise] never\n");
  { const Setting setting(path, "madvise"); }
  CHECK(root.read("/enabled") == "always [madvise] never\n");
}

TEST_CASE("what cannot be read or written is impossible, in a sentence") {
  const Root root;
  CHECK_THROWS_WITH_AS(Setting(root.path("/absent"), "x"), doctest::Contains("cannot be read"), Impossible);
  CHECK_THROWS_AS(Setting("/proc/version", "x"), Impossible);
}

TEST_CASE("what cannot be set back is said") {
  const Root root;
  const std::string path = root.write("/folder/enabled", "old\n");
  Setting setting(path, "new");
  std::filesystem::remove_all(root.path("/folder"));
  CHECK(setting.restore().find("could not be set back to old") != std::string::npos);
}

TEST_CASE("a signal handler sets back all, folders last") {
  const Root root;
  const std::string path = root.write("/enabled", "old"), other = root.write("/group/other", "home");
  const Undo gone(root.path("/group"), ""), back(root.path("/other"), "back");
  const Setting setting(path, "new");
  std::filesystem::remove(other);
  root.write("/other", "away");
  restore_settings();
  CHECK(root.read("/enabled") == "old");
  CHECK(root.read("/other") == "back");
  CHECK_FALSE(std::filesystem::exists(root.path("/group")));
}

TEST_CASE("no more settings than can be set back") {
  const Root root;
  std::vector<std::unique_ptr<Setting>> settings;
  for (int k = 0; k < 8; ++k)
    settings.push_back(std::make_unique<Setting>(root.write("/" + std::to_string(k), "old"), "new"));
  const std::string ninth = root.write("/ninth", "old");
  CHECK_THROWS_AS(Setting(ninth, "new"), Impossible);
  CHECK(root.read("/ninth") == "old");
  settings.clear();
  CHECK_NOTHROW(Setting(ninth, "new"));
  CHECK_THROWS_AS(Undo(std::string(300, 'x'), "old"), Impossible);
}
