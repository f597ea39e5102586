// One call of one LLVM function, translated block by block in reverse post-order.
#pragma once
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "checker/gate/ir/assembly.hpp"

namespace ptmc::gate::ir {

/// What all calls of one evaluation share.
struct Session {
  const llvm::DataLayout& layout;
  Machine machine;
  World& world;
  std::map<std::string, u64>& opcodes;
};

class FunctionRun {
 public:
  FunctionRun(Session& session, const llvm::Function& function, std::vector<Value> arguments, z3::expr guard,
              unsigned depth);
  /// The returned value (monostate for void). Throws Unsupported.
  Value run();

 private:
  using Block = const llvm::BasicBlock*;

  void block(Block b);
  z3::expr path_into(Block b);
  void instruction(const llvm::Instruction& i);
  // Each family returns false if the opcode is not its own. In instructions.cpp and calls.cpp.
  bool arithmetic(const llvm::Instruction& i);
  bool conversion(const llvm::Instruction& i);
  bool memory(const llvm::Instruction& i);
  bool selection(const llvm::Instruction& i);
  bool control(const llvm::Instruction& i);
  bool call(const llvm::Instruction& i);
  Value compare(const llvm::ICmpInst& i);
  Value phi(const llvm::PHINode& i);
  Value outside_call(const llvm::CallBase& i, const llvm::Function& callee);
  Value intrinsic(const llvm::IntrinsicInst& i);
  Value assembly(const llvm::CallBase& i);
  void feature_branch(const llvm::CallBrInst& i);
  Value element(const llvm::GetElementPtrInst& i);
  Value load(const Pointer& from, const llvm::Type* type);
  void divide(const llvm::Instruction& i);

  Value value(const llvm::Value* v);
  Value constant(const llvm::Constant* c);
  z3::expr term(const llvm::Instruction& i, unsigned n) { return value(i.getOperand(n)).term(); }
  void set(const llvm::Instruction& i, Value v) { registers_.insert_or_assign(&i, std::move(v)); }
  /// Control passes from `from` to `to` under the condition.
  void edge(Block from, Block to, const z3::expr& condition);
  /// A value of the type about which nothing is known; the name makes integers a symbol.
  Value any_value(const llvm::Type* type, const std::string& name);
  unsigned bytes(const llvm::Type* type) const;

  Session& s_;
  World& w_;
  const llvm::Function& f_;
  unsigned depth_;
  z3::expr entry_, path_;  // Conditions of this call and of the current block.
  std::map<const llvm::Value*, Value> registers_;
  std::map<std::pair<Block, Block>, z3::expr> edges_;
  std::set<Block> done_;
  std::optional<Value> returned_;
};

/// A bit-vector width, e.g. 64. Throws Unsupported for types that are no integers or wider than 64 bits.
unsigned integer_width(const llvm::Type* type);

}  // namespace ptmc::gate::ir
