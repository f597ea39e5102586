// What a machine is, read from made-up files, and how much of its memory is taken.
#include <doctest/doctest.h>

#include "checker/native/kernel/memory_group.hpp"
#include "tests/checker/native/kernel/made_up.hpp"

using namespace ptmc;
using namespace ptmc::native::kernel;
using ptmc::kernel_test::Root;

namespace {

constexpr u64 mebibyte = u64{1} << 20, gib = u64{1} << 30;

Environment with_memory(u64 bytes) {
  Environment e;
  e.available_bytes = bytes;
  return e;
}

}  // namespace

TEST_CASE("lists of numbers") {
  CHECK(parse_list("0\n") == std::vector<unsigned>{0});
  CHECK(parse_list("0-2,4\n") == std::vector<unsigned>{0, 1, 2, 4});
  for (const char* bad : {"", "\n", "x", "0-", "3-1", "1 2", "0:1"}) {
    CAPTURE(bad);
    CHECK(parse_list(bad).empty());
  }
}

TEST_CASE("releases") {
  CHECK(at_least("6.17.0-rc1", 6, 17));
  CHECK(at_least("6.18.44-arch1", 6, 17));
  CHECK(at_least("7.0", 6, 17));
  CHECK_FALSE(at_least("6.12.1", 6, 17));
  CHECK_FALSE(at_least("5.19.17", 6, 1));
  CHECK_FALSE(at_least("unknown", 0, 0));
}

TEST_CASE("sizes in words") {
  CHECK(size_text(gib) == "1 GiB");
  CHECK(size_text(64 * 1024) == "64 KiB");
  CHECK(size_text(768) == "768 bytes");
  CHECK(scaling_note(gib, gib).empty());
  CHECK(scaling_note(256 * mebibyte, gib).starts_with("256 MiB instead of 1 GiB: "));
}

TEST_CASE("never more than a quarter of the available memory") {
  CHECK(scaled(gib, 3, 16 * mebibyte, with_memory(12 * gib)) == gib);
  CHECK(scaled(gib, 3, 16 * mebibyte, with_memory(12 * gib - 1)) == gib / 2);
  CHECK(scaled(gib, 1, 16 * mebibyte, with_memory(4 * 16 * mebibyte)) == 16 * mebibyte);
  CHECK(scaled(gib, 1, 16 * mebibyte, with_memory(4 * 16 * mebibyte - 1)) == 0);
  CHECK(scaled(gib, 1, 16 * mebibyte, with_memory(0)) == 0);
}

TEST_CASE("a machine is read from its files") {
  const Root root;
  root.write("/proc/meminfo", "MemTotal: 999 kB\nMemFree: 5 kB\nMemAvailable:   2048 kB\n");
  root.write("/proc/cpuinfo", "flags : fpu pku ospke\n");
  root.write("/sys/devices/system/node/has_memory", "0-1\n");
  root.write("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152\n");
  const Environment e = look_around(root.path(""));
  CHECK(e.available_bytes == 2 * mebibyte);
  CHECK(e.pku);
  CHECK(e.nodes == std::vector<unsigned>{0, 1});
  CHECK(e.huge_bytes == 2 * mebibyte);
  CHECK_FALSE(e.cpus.empty());
  CHECK(e.path("/proc/x") == root.path("/proc/x"));
}

TEST_CASE("a machine without any of it lacks it") {
  const Root root;
  root.write("/proc/cpuinfo", "flags : fpu pku\n");  // The processor has it, the system does not offer it.
  const Environment e = look_around(root.path(""));
  CHECK(e.available_bytes == 0);
  CHECK_FALSE(e.pku);
  CHECK(e.nodes.empty());
  CHECK(e.huge_bytes == 0);
  CHECK_FALSE(group_place(e));
}

TEST_CASE("a control group may leave less than the machine has") {
  for (const bool second : {false, true}) {
    const Root root;
    const std::string group = second ? "/sys/fs/cgroup/a/b" : "/sys/fs/cgroup/memory/a/b";
    root.write("/proc/meminfo", "MemAvailable: 1048576 kB\n");
    root.write("/proc/self/cgroup", second ? "0::/a/b\n" : "4:memory:/a/b\n0::/\n");
    root.write(group + (second ? "/memory.max" : "/memory.limit_in_bytes"),
               std::to_string(10 * mebibyte) + "\n");
    root.write(group + (second ? "/memory.current" : "/memory.usage_in_bytes"),
               std::to_string(4 * mebibyte) + "\n");
    CHECK(look_around(root.path("")).available_bytes == 6 * mebibyte);
    if (!second) continue;
    root.write(group + "/memory.max", "max\n");
    CHECK(look_around(root.path("")).available_bytes == gib);
  }
}

TEST_CASE("where a memory control group can be made") {
  const Root first, second, none;
  Environment e;
  first.write("/proc/self/cgroup", "4:memory:/a/b\n0::/\n");
  first.write("/sys/fs/cgroup/memory/a/b/memory.force_empty", "");
  e.root = first.path("");
  REQUIRE(group_place(e));
  CHECK(group_place(e)->parent == first.path("/sys/fs/cgroup/memory/a/b"));
  CHECK(group_place(e)->reclaim == "memory.force_empty");

  second.write("/proc/self/cgroup", "0::/user/shell\n");
  second.write("/sys/fs/cgroup/user/shell/cgroup.subtree_control", "");
  second.write("/sys/fs/cgroup/user/cgroup.subtree_control", "cpu memory\n");
  e.root = second.path("");
  REQUIRE(group_place(e));
  CHECK(group_place(e)->parent == second.path("/sys/fs/cgroup/user"));
  CHECK(group_place(e)->home == second.path("/sys/fs/cgroup/user/shell"));
  CHECK(group_place(e)->reclaim == "memory.reclaim");

  none.write("/proc/self/cgroup", "0::/user\n");
  none.write("/sys/fs/cgroup/user/cgroup.subtree_control", "cpu\n");
  e.root = none.path("");
  CHECK_FALSE(group_place(e));
}

TEST_CASE("a group that cannot reclaim is left and removed again") {
  const Root root;
  Environment e;
  e.root = root.path("");
  root.write("/proc/self/cgroup", "0::/shell\n");
  root.write("/sys/fs/cgroup/cgroup.subtree_control", "memory\n");
  root.write("/sys/fs/cgroup/shell/cgroup.procs", "");
  CHECK_THROWS_WITH(MemoryGroup{e}, doctest::Contains("5.19"));
  CHECK(root.read("/sys/fs/cgroup/shell/cgroup.procs") == "0");
  std::size_t folders = 0;
  for (const auto& entry : std::filesystem::directory_iterator(root.path("/sys/fs/cgroup")))
    folders += entry.is_directory();
  CHECK(folders == 1);
}
