// Every rule fires on a text that breaks it, and not on its nearest legal neighbour.
#include <doctest/doctest.h>

#include "tests/tidy/rules.hpp"

using namespace ptmc::tidy;

namespace {

std::size_t count(const char* rule, const std::vector<Finding>& findings) {
  std::size_t n = 0;
  for (const Finding& f : findings) n += f.rule == rule;
  return n;
}
bool fires(const char* rule, const std::string& path, const std::string& text) {
  return count(rule, check({path, text})) > 0;
}
bool includes(const char* rule, const std::string& path, const std::string& header) {
  return fires(rule, path, "// What it is.\n#include <" + header + ">\n");
}
std::string lines(std::size_t n, const std::string& line = "  ++x;\n") {
  std::string text;
  for (std::size_t k = 0; k < n; ++k) text += line;
  return text;
}

}  // namespace

TEST_CASE("lengths") {
  CHECK(fires("file-length", "checker/a.cpp", lines(301, "\n")));
  CHECK_FALSE(fires("file-length", "checker/a.cpp", lines(300, "\n")));
  CHECK(fires("columns", "checker/a.cpp", std::string(111, 'x')));
  CHECK_FALSE(fires("columns", "checker/a.cpp", std::string(110, 'x')));
  CHECK_FALSE(fires("columns", "checker/a.cpp", lines(110, "\u00e9")));
}

TEST_CASE("a function is its braces, however it is introduced") {
  for (const char* head :
       {"int f() {\n", "int f() const noexcept {\n", "auto f() -> int {\n", "TEST_CASE(\"x\") {\n",
        "A::A() : b_{1} {\n", "constexpr auto s = step(\"f\", [](auto& s) {\n", "struct A {\nint f() {\n",
        "namespace a {\nvoid f()\n{\n"}) {
    CAPTURE(head);
    CHECK(fires("function-length", "checker/a.cpp", head + lines(59) + "}\n"));
    CHECK_FALSE(fires("function-length", "checker/a.cpp", head + lines(58) + "}\n"));
  }
  for (const char* head :
       {"namespace a {\n", "struct A {\n", "constexpr int table[] = {\n", "enum class E : int {\n"}) {
    CAPTURE(head);
    CHECK_FALSE(fires("function-length", "checker/a.cpp", head + lines(100) + "}\n"));
  }
  const std::string brace_in_text =
      "int f() {\n  g(\"}\", '}', R\"(})\"); // }\n  /* } */\n" + lines(60) + "}\n";
  CHECK(fires("function-length", "checker/a.cpp", brace_in_text));
}

TEST_CASE("includes obey the arrows") {
  CHECK(includes("z3", "checker/system.hpp", "z3++.h"));
  CHECK(includes("z3", "checker/cli/main.cpp", "z3++.h"));
  CHECK(includes("z3", "model/core/a.hpp", "z3.h"));
  CHECK_FALSE(includes("z3", "checker/inductive.cpp", "z3++.h"));
  CHECK_FALSE(includes("z3", "checker/symbolic/word.hpp", "z3++.h"));
  CHECK(includes("llvm", "checker/gate/conform.cpp", "llvm/IR/Module.h"));
  CHECK_FALSE(includes("llvm", "checker/gate/ir/read.cpp", "llvm/IR/Module.h"));
  CHECK(includes("model-io", "model/hw/tlb.hpp", "iostream"));
  CHECK(includes("model-io", "model/hw/tlb.hpp", "thread"));
  CHECK_FALSE(includes("model-io", "checker/explicit.cpp", "thread"));
  CHECK(includes("model-arrow", "model/hw/tlb.hpp", "checker/system.hpp"));
  CHECK(includes("core-arrow", "model/core/a.hpp", "model/arch/entry.hpp"));
  CHECK(includes("engine-arrow", "checker/explicit.cpp", "model/hw/tlb.hpp"));
  CHECK(includes("engine-arrow", "checker/explicit.hpp", "model/arch/entry.hpp"));
  CHECK(includes("engine-arrow", "checker/lower/lower.hpp", "properties/catalog.hpp"));
  CHECK_FALSE(includes("engine-arrow", "checker/explicit.cpp", "model/core/types.hpp"));
  CHECK_FALSE(includes("engine-arrow", "checker/cli/main.cpp", "properties/catalog.hpp"));
  CHECK(includes("engine-prints", "checker/explicit.cpp", "iostream"));
  CHECK_FALSE(includes("engine-prints", "checker/cli/main.cpp", "iostream"));
  CHECK(includes("properties-arrow", "properties/catalog.cpp", "checker/cli/app.hpp"));
  CHECK(includes("counterexamples-arrow", "counterexamples/print.cpp", "properties/catalog.hpp"));
}

TEST_CASE("spdlog has one home") {
  const std::string text = "#include <spdlog/spdlog.h>\n";
  CHECK(check_spdlog({{"checker/cli/log.cpp", text}}).empty());
  CHECK(count("spdlog", check_spdlog({})) == 1);
  CHECK(count("spdlog", check_spdlog({{"checker/explicit.cpp", text}})) == 1);
  CHECK(count("spdlog", check_spdlog({{"checker/cli/log.hpp", text}})) == 1);
  CHECK(count("spdlog", check_spdlog({{"checker/cli/log.cpp", text}, {"checker/cli/main.cpp", text}})) == 1);
}

TEST_CASE("words that do not belong") {
  CHECK(fires("stray", "ptmc", std::string("# TO") + "DO later\n"));
  CHECK(fires("stray", "checker/a.cpp", std::string("// XX") + "X\n"));
  CHECK_FALSE(fires("stray", "checker/a.cpp", "mktemp(\"aXXXXXX\");\n"));
  CHECK(fires("machine-path", "README.md", std::string("see /wo") + "rk/shared\n"));
  CHECK(fires("machine-path", "checker/a.cpp", std::string("open(\"/t") + "mp/x\");\n"));
  CHECK_FALSE(fires("machine-path", "checker/a.cpp", "// the read/work/write cycle\n"));
}

TEST_CASE("models") {
  const std::string licence = "// SPDX-License-Identifier: GPL-2.0\n",
                    actor = "#pragma once\nauto a = sequence(1);\n";
  const std::string opening = "// Kernel: mm/rmap.c try_to_unmap_one, 6.12\n// Claim: x\n// Omitted: y\n";
  CHECK(check({"model/opt/batch/actors.hpp", licence + opening + actor}).empty());
  CHECK(fires("header", "model/opt/batch/actors.hpp", licence + "// Kernel: x\n" + actor));
  CHECK(fires("licence", "model/opt/batch/actors.hpp", opening + actor));
  CHECK(check({"model/opt/batch/knobs.hpp", "// Variation points.\n#pragma once\n"}).empty());
  CHECK(fires("header", "model/core/a.hpp", "#pragma once\n"));
  CHECK(fires("licence", "model/mm/world.hpp", "// The world.\n" + actor));
  CHECK(fires("licence", "model/arch/arm64/entry.hpp", "// Entries.\n"));
  CHECK_FALSE(fires("licence", "model/core/a.hpp", "// Words.\n" + actor));
  auto captured = [](const char* line) {
    return fires("captured-value", "model/hw/a.hpp", std::string("// x\n") + line);
  };
  CHECK(captured("const auto w = s.pte[v];\n"));
  CHECK(captured("auto w = r.old[x.i];\n"));
  CHECK_FALSE(captured("const auto w = load(s.pte[v]);\n"));
  CHECK_FALSE(captured("auto&& t = s.tlb[0];\n"));
  CHECK_FALSE(captured("const auto same = s.mm.pending == r.pending;\n"));
  CHECK_FALSE(captured("// auto w = s.pte[v];\n"));
}

TEST_CASE("paths in Markdown") {
  auto exists = [](const std::string& p) {
    return p == "model" || p == "model/core" || p == "ptmc" || p == "./ptmc";
  };
  auto dead = [&](const std::string& text) { return check_paths({"README.md", text}, exists).size(); };
  CHECK(dead("`model/core`, `./ptmc`, `bug/B06`, `--json`, `build/release/x`\n") == 0);
  CHECK(dead("`model/gone`\n") == 1);
  CHECK(dead("`gone.cpp`\n") == 1);
  CHECK(dead("`model/{core,gone}`\n") == 1);
  CHECK(dead("```\n`model/gone`\n```\n") == 0);
}
