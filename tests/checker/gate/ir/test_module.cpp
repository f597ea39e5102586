// The translator on IR of our own.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "checker/gate/ir/module.hpp"

using namespace ptmc;
using namespace ptmc::gate::ir;

namespace {

struct Translated {
  z3::context c;
  Module module;

  explicit Translated(const std::string& body) : module(c, file(body)) {}
  static std::string file(const std::string& body) {
    const auto path = std::filesystem::temp_directory_path() / "ptmc-test-module.ll";
    std::ofstream(path) << "target datalayout = \"e-m:e-i64:64\"\ntarget triple = \"x86_64-linux-gnu\"\n"
                        << body;
    return path.string();
  }
  z3::expr n(u64 v) { return c.bv_val(static_cast<std::uint64_t>(v), 64); }
  /// Translated for any argument, then looked at for these.
  Evaluation f(const std::vector<u64>& arguments, const Policy& policy = {}) {
    z3::expr_vector from(c), to(c);
    std::vector<z3::expr> terms;
    for (const u64 a : arguments) {
      terms.push_back(c.bv_const(("a" + std::to_string(terms.size())).c_str(), 64));
      from.push_back(terms.back());
      to.push_back(n(a));
    }
    Evaluation e = module.evaluate("f", terms, policy);
    for (z3::expr* term : {&e.result, &e.defined, &e.once}) *term = term->substitute(from, to);
    return e;
  }
  u64 value(const std::vector<u64>& arguments) { return f(arguments).result.simplify().get_numeral_uint64(); }
};

std::string refusal(const std::string& body) {
  Translated t(body);
  try {
    t.f({1});
  } catch (const Unsupported& e) {
    return e.what();
  }
  return "accepted";
}

// Two arguments, one instruction.
u64 binary(const std::string& instruction, u64 a, u64 b) {
  return Translated("define i64 @f(i64 %a, i64 %b) {\n  %r = " + instruction + "\n  ret i64 %r\n}\n")
      .value({a, b});
}

}  // namespace

TEST_CASE("arithmetic") {
  const u64 minus = ~u64{0};
  CHECK(binary("add i64 %a, %b", 3, minus) == 2);
  CHECK(binary("sub i64 %a, %b", 3, 5) == minus - 1);
  CHECK(binary("mul i64 %a, %b", 3, 5) == 15);
  CHECK(binary("and i64 %a, %b", 12, 10) == 8);
  CHECK(binary("or i64 %a, %b", 12, 10) == 14);
  CHECK(binary("xor i64 %a, %b", 12, 10) == 6);
  CHECK(binary("shl i64 %a, %b", 3, 4) == 48);
  CHECK(binary("lshr i64 %a, %b", minus, 63) == 1);
  CHECK(binary("ashr i64 %a, %b", minus - 1, 1) == minus);
  CHECK(binary("udiv i64 %a, %b", minus, 2) == minus / 2);
  CHECK(binary("sdiv i64 %a, %b", minus, 1) == minus);
  CHECK(binary("urem i64 %a, %b", 17, 5) == 2);
  CHECK(binary("srem i64 %a, %b", 0 - u64{17}, 5) == 0 - u64{2});
}

TEST_CASE("widths, comparisons, selections") {
  Translated t(
      "define i64 @f(i64 %a, i64 %b) {\n  %l = trunc i64 %a to i8\n  %s = sext i8 %l to i64\n  %z = zext i8 "
      "%l to i64\n"
      "  %c = icmp slt i64 %a, %b\n  %d = icmp ult i64 %a, %b\n  %x = xor i1 %c, %d\n"
      "  %r = select i1 %x, i64 %s, i64 %z\n  %fr = freeze i64 %r\n  ret i64 %fr\n}\n");
  CHECK(t.value({0x80, 0x90}) == 0x80);
  CHECK(t.value({0x80, ~u64{0}}) == ~u64{0} - 0x7f);
}

TEST_CASE("branches, switch, phi and calls follow each path's own values") {
  Translated t(
      "define internal i64 @g(i64 %a) {\n  %r = add i64 %a, 100\n  ret i64 %r\n}\n"
      "define i64 @f(i64 %a, i64 %b) {\nentry:\n  switch i64 %a, label %other [ i64 1, label %one i64 2, "
      "label %two ]\n"
      "one:\n  br label %end\ntwo:\n  %y = call i64 @g(i64 %b)\n  br label %end\n"
      "other:\n  %c = icmp eq i64 %b, 0\n  br i1 %c, label %end, label %early\nearly:\n  ret i64 7\n"
      "end:\n  %r = phi i64 [ 11, %one ], [ %y, %two ], [ 33, %other ]\n  ret i64 %r\n}\n");
  CHECK(t.value({1, 5}) == 11);
  CHECK(t.value({2, 5}) == 105);
  CHECK(t.value({3, 0}) == 33);
  CHECK(t.value({3, 5}) == 7);
  CHECK(t.module.opcodes().at("switch") == 4);
}

TEST_CASE("memory: locals, parts of words, constants, arrays, outside facts") {
  Translated t(
      "@table = internal constant [4 x i64] [i64 10, i64 20, i64 30, i64 40]\n@map = global [2 x i64] [i64 "
      "1, i64 2]\n"
      "@mask = external global i64\n"
      "define i64 @f(i64 %a, i64 %b) {\n  %p = alloca i64\n  store i64 %a, i64* %p\n  %q = bitcast i64* %p "
      "to i8*\n"
      "  store i8 -1, i8* %q\n  %v = load i64, i64* %p\n  %i = and i64 %b, 3\n"
      "  %e = getelementptr [4 x i64], [4 x i64]* @table, i64 0, i64 %i\n  %w = load i64, i64* %e\n"
      "  %j = and i64 %b, 1\n  %m = getelementptr [2 x i64], [2 x i64]* @map, i64 0, i64 %j\n  %x = load "
      "i64, i64* %m\n"
      "  %s = add i64 %v, %w\n  %u = add i64 %s, %x\n  %o = load i64, i64* @mask\n  %r = add i64 %u, %o\n  "
      "ret i64 %r\n}\n");
  Policy policy;
  policy.as_initialised = {"map"};
  policy.bindings.emplace("mask", t.n(1000));
  const Evaluation e = t.f({0x1200, 3}, policy);
  CHECK(e.result.simplify().get_numeral_uint64() == 0x12ff + 40 + 2 + 1000);
  REQUIRE(e.symbols.size() == 1);
  CHECK(e.symbols[0].name == "mask");
  // Without those facts the result depends on them.
  const Evaluation open = t.f({0x1200, 3});
  CHECK_FALSE(open.result.simplify().is_numeral());
  CHECK(open.symbols.size() == 3);
}

TEST_CASE("undefined behaviour is an obligation") {
  Translated t(
      "define i64 @f(i64 %a, i64 %b) {\n  %s = shl i64 %a, %b\n  %d = udiv i64 %s, %b\n  ret i64 %d\n}\n");
  const auto defined = [&](u64 b) { return t.f({1, b}).defined.simplify().is_true(); };
  CHECK(defined(63));
  CHECK_FALSE(defined(64));
  CHECK_FALSE(defined(0));
  Translated bug(
      "define i64 @f(i64 %a) {\n  %c = icmp eq i64 %a, 3\n  br i1 %c, label %x, label %y\nx:\n  unreachable\n"
      "y:\n  ret i64 %a\n}\n");
  CHECK(bug.f({2}).defined.simplify().is_true());
  CHECK_FALSE(bug.f({3}).defined.simplify().is_true());
}

TEST_CASE("a loop is its first pass, and going round again an obligation") {
  Translated t(
      "define i64 @f(i64 %a) {\nentry:\n  br label %loop\nloop:\n  %i = phi i64 [ %a, %entry ], [ %j, %loop "
      "]\n"
      "  %j = sub i64 %i, 1\n  %c = icmp ugt i64 %i, 5\n  br i1 %c, label %loop, label %end\nend:\n  ret i64 "
      "%j\n}\n");
  const Evaluation leaves = t.f({5}), stays = t.f({6});
  CHECK(leaves.loops);
  CHECK(leaves.once.simplify().is_true());
  CHECK(leaves.result.simplify().get_numeral_uint64() == 4);
  CHECK(stays.once.simplify().is_false());
}

TEST_CASE("what it does not know, it names") {
  const std::string head = "declare i64 @g(i64)\n@p = external global i64 (i64)*\ndefine i64 @f(i64 %a) {\n",
                    tail = "\n  ret i64 %r\n}\n";
  CHECK(refusal(head + "  %r = call i64 @g(i64 %a)" + tail) == "call of g");
  CHECK(refusal(head + "  %q = load i64 (i64)*, i64 (i64)** @p\n  %r = call i64 %q(i64 %a)" + tail) ==
        "a call through a pointer");
  CHECK(
      refusal(head +
              "  %d = bitcast i64 %a to double\n  %e = fadd double %d, %d\n  %r = bitcast double %e to i64" +
              tail) == "opcode fadd");
  CHECK(refusal(head + "  %q = inttoptr i64 %a to i64*\n  %r = load i64, i64* %q" + tail) ==
        "address computed from an integer");
  CHECK(refusal("declare i64 @llvm.ctpop.i64(i64)\n" + head + "  %r = call i64 @llvm.ctpop.i64(i64 %a)" +
                tail) == "intrinsic llvm.ctpop.i64");
  CHECK(refusal(head + "  %w = zext i64 %a to i128\n  %r = trunc i128 %w to i64" + tail) ==
        "an integer of 128 bits");
  CHECK(refusal(head + "  %r = call i64 @f(i64 %a)" + tail) == "recursion in f");
}

TEST_CASE("broken input") {
  z3::context c;
  CHECK_THROWS_AS(Module(c, "/nowhere.ll"), std::runtime_error);
  CHECK_THROWS_AS(Translated("define i64 @f("), std::runtime_error);
  Translated t("define i64 @f(i64 %a) {\n  ret i64 %a\n}\n");
  CHECK_FALSE(t.module.defines("g"));
  CHECK_THROWS_AS(t.module.parameters("g"), std::out_of_range);
  CHECK_THROWS_AS(t.f({}), std::invalid_argument);
}
