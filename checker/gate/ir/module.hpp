// Functions of an LLVM module as Z3 terms. Nothing outside this folder sees LLVM.
#pragma once
#include <z3++.h>

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/core/types.hpp"

namespace ptmc::gate::ir {

/// Text that the translator does not know (an opcode, an asm template, a call out of the module), named in
/// what().
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Something read that the function's arguments do not determine, in order of first use (bound ones too):
///   "feature 519" (Bool)   a boot-time CPU feature or capability, by the tree's own number
///   "sysreg S3_3_C10_C2_4", "pkru"   a register
///   "__supported_pte_mask", "boot_cpu_data+56"   memory: object and byte offset
///   "read_sanitised_ftr_reg(1574688)"   the result of a call that the caller declared opaque
struct Symbol {
  std::string name;
  z3::expr term;
};

/// What one call of a function does, for all arguments at once.
struct Evaluation {
  z3::expr result;     // Bit-vector of the function's return width.
  z3::expr defined;    // Bool: no shift by the width or more, no division by zero, no BUG.
  z3::expr once;       // Bool: no loop is entered a second time (a cmpxchg of its own read succeeds).
  bool loops = false;  // The function has a loop; `result` is that of its first pass.
  std::vector<Symbol> symbols;
  std::vector<std::string>
      skipped;  // Calls and instructions without effect on words: "tlbi vale1is", "flush_tlb_page".
};

struct Policy {
  std::map<std::string, z3::expr> bindings;  // Symbol name -> the value to use instead of a free one.
  std::vector<std::string> opaque;  // Outside functions whose result is any value and that write no entry.
  std::vector<std::string> as_initialised;  // Writable globals that are read with their initial value.
};

class Module {
 public:
  /// Reads IR (text or bitcode) from a file. Throws std::runtime_error with LLVM's message.
  Module(z3::context& context, const std::string& path);
  ~Module();
  Module(Module&&) noexcept;
  Module& operator=(Module&&) noexcept;

  /// Adds the functions of another file that this module calls and lacks.
  void link(const std::string& path);
  bool defines(const std::string& function) const;
  /// Widths in bits of the parameters. Throws std::out_of_range if the function is absent.
  std::vector<unsigned> parameters(const std::string& function) const;
  /// Throws Unsupported; std::invalid_argument if the arguments do not match the parameters.
  Evaluation evaluate(const std::string& function, const std::vector<z3::expr>& arguments,
                      const Policy& policy);
  /// Opcodes translated so far, with counts.
  const std::map<std::string, u64>& opcodes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Of the library this was built with, e.g. 14: the clang whose output it reads.
unsigned llvm_major();

}  // namespace ptmc::gate::ir
