// Markdown of a small trace, compared whole, and of one that is full of marks.
#include <doctest/doctest.h>

#include <regex>

#include "counterexamples/markdown.hpp"
#include "tests/counterexamples/small.hpp"

using namespace ptmc;

TEST_CASE("the whole Markdown of a small trace") {
  const Trace t = small::trace();
  const Voice voice = small::voice();
  CHECK(to_markdown(t, columns_of(t, voice), voice, small::heading()) ==
        R"(## toy/all on x86_64 (PCID): reclaim-mprotect

- Mutation: `drop:reclaim/flush`
- Bug: somebody forgets a flush
- Fixed by: kernel commit 123456789abc

```text
CPU0 mprotect  CPU1 reclaim  CPU2 user
                             TLB filled
lock mmap {
|              unmap_one(): lock PTL { pte = 0
| pending = 1  |
|              } unlock PTL
|                            fault: pte set
```

**Violated: always nothing is lost (reach).**
CPU2 did it.
8 steps in 6 lines, 5 context switches.

Reproduce

```text
./ptmc prove toy/all
```
)");
}

TEST_CASE("what is not known is left out") {
  Trace t = small::trace();
  t.subject = {"toy/all", "", "", {}, {}};
  const std::string text = to_markdown(t, columns_of(t));
  CHECK(text.starts_with("## toy/all\n\n```text\nCPU0 mprotect"));
  CHECK(
      text.ends_with("```\n\n**Violated: always nothing is lost (reach).**\n8 steps in 8 lines, 5 context "
                     "switches.\n"));
}

TEST_CASE("nothing that a trace says is markup") {
  const Trace t = small::hostile();
  const std::string text = to_markdown(t, columns_of(t), {}, {"", "", "```\n# x"});
  // Code first: what is left has no mark without a backslash but our own.
  const std::regex fenced("\n(`{3,})text\n[^]*?\n\\1(?=\n)"), code("(``) ?[^\n]*?[^`]\\1(?!`)");
  std::string rest = std::regex_replace(std::regex_replace(text, fenced, ""), code, "");
  rest = std::regex_replace(rest, std::regex("\\\\[\\\\`*_\\[\\]<>&|~!]"), "");
  CHECK(rest.find_first_of("`<>&|[]\\~!") == std::string::npos);
  CHECK(std::count(rest.begin(), rest.end(), '*') == 4);  // The finding is bold.
  CHECK(std::count(rest.begin(), rest.end(), '#') == 7);  // Of the heading; those within a line mean nothing.
  CHECK(rest.find("\n#") == std::string::npos);
  CHECK(text.find("\n````text\n``` # x\n````\n") != std::string::npos);
}
