// Inline assembly: the text taken apart, and the few instructions that page-table code uses, executed on
// terms.
#pragma once
#include <optional>

#include "checker/gate/ir/world.hpp"

namespace ptmc::gate::ir {

struct AsmInstruction {
  std::string mnemonic;               // "lock cmpxchgq", "casal"; a leading "lock" is part of it.
  std::vector<std::string> operands;  // "$3", "${1:x}", "2f".
};

/// The main line: without comments, labels, directives, macro definitions and everything in other sections.
std::vector<AsmInstruction> parse_assembly(const std::string& text);

/// One register, immediate or memory operand. Tied inputs and outputs of one register share a slot.
struct AsmOperand {
  std::string constraint;  // "r", "*m", "{ax}", "{@ccz}".
  std::optional<Value> value;
  std::optional<Pointer> memory;
  unsigned width = 64;  // Bits: of the value, or of what lies in memory.
};

enum class Machine { x86_64, arm64 };

/// Runs the template under `guard`; operands are numbered as in the template, outputs hold their values
/// afterwards. Throws Unsupported with the mnemonic.
void run_assembly(Machine machine, const std::string& text, std::vector<AsmOperand*>& operands, World& world,
                  const z3::expr& guard);

/// Which way an `asm goto` on a CPU feature goes: its kinds by the text that the kernel patches at boot.
enum class FeatureBranch {
  x86_has,        // static_cpu_has: target 0 or fall through if the CPU has it, else target 1.
  arm64_jump_if,  // alternative_has_cap_unlikely: target 0 if the CPU has it, else fall through.
  arm64_fall_if,  // alternative_has_cap_likely: fall through if the CPU has it, else target 0.
};
/// Throws Unsupported with the first line of the text.
FeatureBranch classify_feature_branch(Machine machine, const std::string& text);

}  // namespace ptmc::gate::ir
