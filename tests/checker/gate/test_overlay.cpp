#include <doctest/doctest.h>

#include "checker/gate/coverage.hpp"
#include "checker/gate/overlay.hpp"
#include "checker/verdict.hpp"

using namespace ptmc;
using namespace ptmc::gate;

TEST_CASE("edits are read as FILE[:FUNCTION]=s/PATTERN/TEXT/") {
  const Edit edit = parse_edit("a/b.h:pte_modify=s|x/y|z|");
  CHECK(edit.file == "a/b.h");
  CHECK(edit.function == "pte_modify");
  CHECK(edit.pattern == "x/y");
  CHECK(edit.text == "z");
  CHECK(parse_edit("a.h=s/==/!=/").function.empty());
  CHECK(parse_edit("a.h=s/x//").text.empty());
  for (const char* bad : {"", "a.h", "a.h=", "a.h=s", "a.h=s/", "a.h=s/x/y", "a.h=s//y/", "=s/x/y/"})
    CHECK_THROWS_AS(parse_edit(bad), InputError);
}

TEST_CASE("an edit touches only its function") {
  const std::string source =
      "int f(int a);\nint g(int a) { if (a) { return 1; } return a; }\nint f(int a) { return a; }\n";
  CHECK(apply_edit(source, {"a.h", "f", "return a", "return 0"}) ==
        "int f(int a);\nint g(int a) { if (a) { return 1; } return a; }\nint f(int a) { return 0; }\n");
  CHECK(apply_edit(source, {"a.h", "g", "return (.)", "return -$1"}) ==
        "int f(int a);\nint g(int a) { if (a) { return -1; } return -a; }\nint f(int a) { return a; }\n");
  CHECK_THROWS_AS(apply_edit(source, {"a.h", "h", "return", "x"}), InputError);
  CHECK_THROWS_AS(apply_edit(source, {"a.h", "f", "nothing", "x"}), InputError);
  CHECK_THROWS_AS(apply_edit(source, {"a.h", "f", "(", "x"}), InputError);
}

TEST_CASE("helpers that a header defines") {
  const std::string header =
      "static inline int pte_young(pte_t pte)\n{\n}\n#define pmd_leaf(p) x\nextern int pte_far(pte_t);\n"
      "static __always_inline bool is_migration_entry(swp_entry_t e)\n#define PTE_MASK 1\n#define pte_none "
      "pte_none\n";
  CHECK(helpers_defined_in(header) ==
        std::vector<std::string>{"is_migration_entry", "pmd_leaf", "pte_young"});
}
