#include <doctest/doctest.h>

#include "checker/value_lemma.hpp"

using namespace ptmc;

namespace {

struct Sample {
  z3::context c;
  z3::expr x = c.bv_const("x", 64), y = c.bv_const("y", 64), b = c.bool_const("b");
  z3::expr word(u64 v) { return c.bv_val(static_cast<std::uint64_t>(v), 64); }
  std::vector<z3::expr> inputs() { return {x, y, b}; }
};

}  // namespace

TEST_CASE("a law without premises is proved for all values") {
  Sample t;
  const ValueResult r = ValueProver().prove({t.inputs(), {}, (t.x & t.y) + (t.x | t.y) == t.x + t.y});
  CHECK(r.verdict == Verdict::proved);
  CHECK(r.witness.empty());
  CHECK(r.necessary.empty());
}

TEST_CASE("a broken law comes with a value that breaks it, with as few bits as that takes") {
  Sample t;
  const ValueResult r = ValueProver().prove({t.inputs(), {}, z3::ult(t.x, t.word(48)) || t.b});
  REQUIRE(r.verdict == Verdict::violated);
  REQUIRE(r.witness.size() == 2);  // y does not occur.
  CHECK(r.witness[0].name == "x");
  CHECK(__builtin_popcountll(r.witness[0].value) <= 2);
  CHECK(r.witness[0].value >= 48);
  CHECK(r.witness[1].name == "b");
  CHECK(r.witness[1].value == 0);
}

TEST_CASE("each premise is shown necessary, or found not to be") {
  Sample t;
  const Premise small{"x is below 16", "toy", z3::ult(t.x, t.word(16))};
  const Premise idle{"y is below 16", "toy", z3::ult(t.y, t.word(16))};
  const ValueResult r = ValueProver().prove({t.inputs(), {small, idle}, z3::ult(t.x + 1, t.word(32))});
  REQUIRE(r.verdict == Verdict::proved);
  REQUIRE(r.necessary.size() == 2);
  REQUIRE(r.necessary[0].has_value());
  CHECK(r.necessary[0]->front().value + 1 >= 32);
  CHECK(!r.necessary[1].has_value());
}

TEST_CASE("premises that nothing satisfies prove nothing") {
  Sample t;
  const Premise never{"x differs from itself", "toy", t.x != t.x};
  const ValueResult r = ValueProver().prove({t.inputs(), {never}, t.x == t.y});
  CHECK(r.verdict == Verdict::unknown);
  CHECK(r.reason.find("vacuous") != std::string::npos);
}

TEST_CASE("a resource limit ends in unknown") {
  Sample t;
  const z3::expr wide_x = z3::zext(t.x, 64), wide_y = z3::zext(t.y, 64);
  const z3::expr composite = t.c.bv_val("340282366920938463426481119284349108225", 128);  // (2^64 - 1)^2
  const z3::expr factors = wide_x * wide_y == composite - 4 && z3::ugt(t.x, 1) && z3::ugt(t.y, t.x);
  const ValueResult r = ValueProver({.rlimit = 20'000}).prove({t.inputs(), {}, !factors});
  CHECK(r.verdict == Verdict::unknown);
  CHECK(!r.reason.empty());
}
