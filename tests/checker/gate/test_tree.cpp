#include <doctest/doctest.h>

#include <filesystem>

#include "checker/gate/kbuild.hpp"
#include "checker/gate/process.hpp"
#include "checker/verdict.hpp"

using namespace ptmc;
using namespace ptmc::gate;
namespace fs = std::filesystem;

namespace {

const Notice quiet = [](const std::string&) {};

// A folder that looks like a kernel tree, built in place once.
struct Scratch {
  fs::path root = fs::temp_directory_path() / "ptmc-test-tree";
  fs::path tree = root / "linux", cache = root / "cache";

  Scratch() {
    fs::remove_all(root);
    put("Makefile", "# SPDX\nVERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 117\nEXTRAVERSION =\n");
    for (const char* read :
         {"Kbuild", "Kconfig", "mm/Makefile", "mm/mprotect.c", "include/linux/mm.h", "drivers/net/Kconfig",
          "arch/x86/include/asm/pgtable.h", "arch/x86/kvm/Kconfig", "kernel/bounds.c"})
      put(read, read);
    for (const char* other : {".config", "mm/mprotect.o", "mm/.mprotect.o.cmd",
                              "include/generated/autoconf.h", "drivers/net/tun.c", "include/config/auto.conf",
                              "arch/x86/include/generated/asm/unistd.h", "Documentation/x.rst", ".git/HEAD"})
      put(other, other);
  }
  ~Scratch() { fs::remove_all(root); }
  void put(const std::string& file, const std::string& text) { write_file(tree / file, text); }
  std::vector<std::string> files(const fs::path& below) {
    std::vector<std::string> out;
    for (const auto& f : fs::recursive_directory_iterator(below))
      if (f.is_regular_file()) out.push_back(f.path().lexically_relative(below).string());
    std::sort(out.begin(), out.end());
    return out;
  }
};

}  // namespace

TEST_CASE("the version comes from the Makefile, and decides the layout") {
  Scratch s;
  const Tree tree = open_tree(s.tree.string() + "/");
  CHECK(tree.release == "6.12.117");
  CHECK(layout_of(tree) == "6.12");
  CHECK_FALSE(tree.mini);
  s.put("Makefile", "VERSION = 6\nPATCHLEVEL = 6\n");
  CHECK_THROWS_AS(layout_of(open_tree(s.tree)), InputError);
  s.put("Makefile", "all:\n");
  CHECK_THROWS_AS(open_tree(s.tree), InputError);
  CHECK_THROWS_AS(open_tree(s.tree / "mm"), InputError);
  CHECK_THROWS_AS(open_tree(s.tree / "nowhere"), InputError);
}

TEST_CASE("the copy holds what Kbuild reads, nothing that a build left, and the tree stays as it was") {
  Scratch s;
  const auto before = s.files(s.tree);
  const Snapshot snapshot = take_snapshot(open_tree(s.tree), s.cache, quiet);
  CHECK(s.files(snapshot.root) ==
        std::vector<std::string>{"Kbuild", "Kconfig", "Makefile", "arch/x86/include/asm/pgtable.h",
                                 "arch/x86/kvm/Kconfig", "drivers/net/Kconfig", "include/linux/mm.h",
                                 "kernel/bounds.c", "mm/Makefile", "mm/mprotect.c"});
  CHECK(s.files(s.tree) == before);
  CHECK(snapshot.hash.size() == 32);
  CHECK(take_snapshot(open_tree(s.tree), s.cache, quiet).hash == snapshot.hash);
  s.put("mm/mprotect.o", "built again");
  CHECK(take_snapshot(open_tree(s.tree), s.cache, quiet).hash == snapshot.hash);
  s.put("include/linux/mm.h", "changed");
  const Snapshot changed = take_snapshot(open_tree(s.tree), s.cache, quiet);
  CHECK(changed.hash != snapshot.hash);
  CHECK(read_file(changed.root / "include/linux/mm.h") == "changed");
  CHECK(read_file(snapshot.root / "include/linux/mm.h") == "include/linux/mm.h");
}

TEST_CASE("make cannot work below a path with blanks, and a broken tree says what make said") {
  Scratch s;
  fs::rename(s.tree, s.root / "my linux");
  CHECK_THROWS_AS(take_snapshot(open_tree(s.root / "my linux"), s.cache, quiet), InputError);
  fs::rename(s.root / "my linux", s.tree);
#ifdef PTMC_HAVE_LLVM
  const Tree tree = open_tree(s.tree);
  const Snapshot snapshot = take_snapshot(tree, s.cache, quiet);
  try {
    configure(tree, snapshot, "x86_64", s.cache, quiet);
    FAIL("configured");
  } catch (const InputError& e) {
    CHECK(std::string(e.what()).find("configuring failed") != std::string::npos);
  }
#endif
}

TEST_CASE("a cache that cannot be written") {
  Scratch s;
  s.put("../cache", "a file");
  CHECK_THROWS_AS(take_snapshot(open_tree(s.tree), s.cache, quiet), InternalError);
}

TEST_CASE("programs: status, both outputs, and none at all") {
  const fs::path here = fs::temp_directory_path();
  const Ran ran = run_program({"/bin/sh", "-c", "echo out; echo err >&2; exit 3"}, here);
  CHECK(ran.status == 3);
  CHECK(ran.output == "out\nerr\n");
  CHECK(run_program({"/bin/sh", "-c", "kill -9 $$"}, here).status == 137);
  CHECK(run_program({"no-such-program-of-ptmc"}, here).status == 127);
  CHECK(run_program({"/bin/sh", "-c", "echo $LC_ALL$PTMC_ODD"}, here).output == "C\n");
  CHECK(run_program({"/bin/sh", "-c", "echo " + shell_quoted("it's $HOME")}, here).output == "it's $HOME\n");
}
