// Each template once, in the shapes that kernels use: text of our own.
#include <doctest/doctest.h>

#include "checker/gate/ir/assembly.hpp"

using namespace ptmc;
using namespace ptmc::gate::ir;

namespace {

struct Bench {
  z3::context c;
  Policy policy;
  World world{c, policy};
  std::vector<AsmOperand> slots;
  const Pointer entry{"%entry", 0};

  z3::expr n(u64 v, unsigned width = 64) { return c.bv_val(static_cast<std::uint64_t>(v), width); }
  void memory(u64 v) { world.memory.store(entry, 8, n(v), c.bool_val(true)); }
  AsmOperand at() { return {"*m", {}, entry, 64}; }
  AsmOperand reg(u64 v, const std::string& constraint = "r") { return {constraint, Value(n(v)), {}, 64}; }
  AsmOperand out(const std::string& constraint = "r", unsigned width = 64) {
    return {constraint, {}, {}, width};
  }
  void run(Machine machine, const std::string& text) {
    std::vector<AsmOperand*> operands;
    for (AsmOperand& s : slots) operands.push_back(&s);
    run_assembly(machine, text, operands, world, c.bool_val(true));
  }
  u64 number(const Value& v) { return v.term().simplify().get_numeral_uint64(); }
  u64 stored() { return number(world.memory.load(entry, 8, false)); }
  bool once() { return world.once.simplify().is_true(); }
};

std::string refusal(Machine machine, const std::string& text) {
  Bench b;
  b.slots = {b.reg(1), b.reg(2), b.reg(3)};
  try {
    b.run(machine, text);
  } catch (const Unsupported& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("only the main line is code") {
  const auto code = parse_assembly(
      "# comment\n1:\t.pushsection .x, \"a\"\n .long 1b\n.popsection\n\tlock; addl $1, $0 /* note */\n"
      ".irp n,0,1\n.equ x, 1\n.endr\n.subsection 1\n b 2f\n.previous\n nop // end\n");
  REQUIRE(code.size() == 2);
  CHECK(code[0].mnemonic == "lock addl");
  CHECK(code[0].operands == std::vector<std::string>{"$1", "$0"});
  CHECK(code[1].mnemonic == "nop");
}

TEST_CASE("x86: cmpxchg succeeds or reports what it found") {
  for (const u64 expected : {u64{5}, u64{6}}) {
    Bench b;
    b.memory(5);
    b.slots = {b.out("{@ccz}", 8), b.at(), b.reg(expected, "{ax}"), b.reg(9)};
    b.run(Machine::x86_64, "lock cmpxchgq $3, $1");
    CHECK(b.number(*b.slots[0].value) == (expected == 5 ? 1 : 0));
    CHECK(b.stored() == (expected == 5 ? 9 : 5));
    CHECK(b.number(*b.slots[2].value) == 5);
  }
}

TEST_CASE("x86: bit and logic instructions, exchange") {
  Bench b;
  b.memory(0xff);
  b.slots = {b.at(), b.out("{@ccc}", 8), b.reg(5), b.reg(0x3c)};
  b.run(Machine::x86_64, "lock btrq $2, $0");
  CHECK(b.stored() == 0xdf);
  CHECK(b.number(*b.slots[1].value) == 1);
  b.run(Machine::x86_64, "btsq $2, $0");
  CHECK(b.stored() == 0xff);
  b.run(Machine::x86_64, "lock; andb ${3:b}, $0");  // One byte of eight.
  CHECK(b.stored() == 0x3c);
  b.run(Machine::x86_64, "lock orq $$1, $0");
  CHECK(b.stored() == 0x3d);
  b.slots[3] = b.reg(7);
  b.run(Machine::x86_64, "xchgq $3, $0");
  CHECK(b.stored() == 7);
  CHECK(b.number(*b.slots[3].value) == 0x3d);
}

TEST_CASE("arm64: exclusive pair and LSE give the same compare and exchange") {
  const char* exclusive =
      "1: ldxr $1, $2\n eor $0, $1, $3\n cbnz $0, 2f\n stxr ${0:w}, $4, $2\n cbnz ${0:w}, 1b\n2:";
  for (const u64 expected : {u64{5}, u64{6}}) {
    Bench pair, lse;
    pair.memory(5);
    pair.slots = {pair.out(), pair.out(), pair.at(), pair.reg(expected), pair.reg(9)};
    pair.run(Machine::arm64, exclusive);
    lse.memory(5);
    lse.slots = {lse.at(), lse.reg(expected), lse.reg(9)};
    lse.run(Machine::arm64, ".arch_extension lse\n casal ${1:x}, ${2:x}, $0");
    CHECK(pair.stored() == (expected == 5 ? 9 : 5));
    CHECK(lse.stored() == pair.stored());
    CHECK(pair.number(*pair.slots[1].value) == 5);
    CHECK(lse.number(*lse.slots[1].value) == 5);
    CHECK(pair.once());
  }
}

TEST_CASE("arm64: swap, set, clear, and a system register") {
  Bench b;
  b.memory(0xf0);
  b.slots = {b.reg(0x0f), b.out(), b.at()};
  b.run(Machine::arm64, "ldsetal $0, $1, $2");
  CHECK(b.stored() == 0xff);
  CHECK(b.number(*b.slots[1].value) == 0xf0);
  b.run(Machine::arm64, "stclr $0, $2");
  CHECK(b.stored() == 0xf0);
  b.run(Machine::arm64, "swpa $0, $1, $2");
  CHECK(b.stored() == 0x0f);
  b.run(Machine::arm64, "mrs_s $1, (((3) << 19) | ((3) << 16) | ((10) << 12) | ((2) << 8) | ((4) << 5))");
  REQUIRE(b.world.symbols.size() == 1);
  CHECK(b.world.symbols[0].name == "sysreg S3_3_C10_C2_4");
  b.run(Machine::arm64, "dsb ishst\n tlbi vale1is, $0\n isb");
  CHECK(b.world.skipped == std::vector<std::string>{"dsb ishst", "tlbi vale1is", "isb"});
}

TEST_CASE("a store that may fail is retried: a second pass is an obligation") {
  Bench b;
  b.memory(0);
  b.slots = {b.reg(1), b.at()};
  b.run(Machine::arm64, "1: cbnz $0, 1b");
  CHECK_FALSE(b.once());
}

TEST_CASE("unknown text is refused by name") {
  CHECK(refusal(Machine::x86_64, "popcntq $0, $1") == "asm popcntq");
  CHECK(refusal(Machine::x86_64, "rdtsc") == "asm rdtsc");
  CHECK(refusal(Machine::x86_64, ".byte 0x0f, 0x01, 0xef") == "asm .byte 0x0f 0x01 0xef ");
  CHECK(refusal(Machine::x86_64, "movq %rax, $0") == "asm operand %rax");
  CHECK(refusal(Machine::arm64, "casp $0, $1, $2") == "asm casp");
  CHECK(refusal(Machine::arm64, "svc #0") == "asm svc");
}

TEST_CASE("branches on CPU features") {
  const std::string alternative = "\n.pushsection .altinstructions\n.popsection";
  CHECK(classify_feature_branch(Machine::arm64, "1: nop" + alternative) == FeatureBranch::arm64_jump_if);
  CHECK(classify_feature_branch(Machine::arm64, "1: b ${1:l} // alt_cb_patch_nops\n.word alt_cb_patch_nops" +
                                                    alternative) == FeatureBranch::arm64_fall_if);
  CHECK(classify_feature_branch(Machine::x86_64,
                                "jmp 6f" + alternative + "\n.pushsection .x\n6: testb $1, x\n.popsection") ==
        FeatureBranch::x86_has);
  CHECK_THROWS_AS(classify_feature_branch(Machine::arm64, "1: nop"), Unsupported);  // A static key.
  CHECK_THROWS_AS(classify_feature_branch(Machine::x86_64, "jmp 6f" + alternative), Unsupported);
}
