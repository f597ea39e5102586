#include "checker/gate/ir/function.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Operator.h>

namespace ptmc::gate::ir {
namespace {

constexpr unsigned depth_max = 32;

}  // namespace

unsigned integer_width(const llvm::Type* type) {
  if (!type->isIntegerTy()) throw Unsupported("a value that is neither integer, pointer nor struct");
  const unsigned width = type->getIntegerBitWidth();
  if (width > 64) throw Unsupported("an integer of " + std::to_string(width) + " bits");
  return width;
}

FunctionRun::FunctionRun(Session& session, const llvm::Function& function, std::vector<Value> arguments,
                         z3::expr guard, unsigned depth)
    : s_(session), w_(session.world), f_(function), depth_(depth), entry_(guard), path_(std::move(guard)) {
  if (depth > depth_max) throw Unsupported("recursion in " + function.getName().str());
  if (arguments.size() != function.arg_size()) throw Unsupported("call of " + function.getName().str());
  unsigned n = 0;
  for (const llvm::Argument& a : function.args()) registers_.emplace(&a, std::move(arguments[n++]));
}

Value FunctionRun::run() {
  for (Block b : llvm::ReversePostOrderTraversal<const llvm::Function*>(&f_)) block(b);
  if (!returned_) throw Unsupported(f_.getName().str() + " never returns");
  return *returned_;
}

void FunctionRun::block(Block b) {
  path_ = path_into(b);
  done_.insert(b);
  if (path_.is_false()) return;  // Its registers stay undefined; path_into and phi never look at them.
  for (const llvm::Instruction& i : *b) instruction(i);
}

z3::expr FunctionRun::path_into(Block b) {
  if (b == &f_.getEntryBlock()) return entry_;
  z3::expr path = w_.truth(false);
  for (Block p : llvm::predecessors(b)) {
    if (!done_.count(p)) w_.loops = true;  // A back edge: its condition is checked when it is drawn.
    const auto e = edges_.find({p, b});
    if (e != edges_.end()) path = path || e->second;
  }
  return path.simplify();
}

void FunctionRun::edge(Block from, Block to, const z3::expr& condition) {
  if (done_.count(to)) return w_.require(w_.once, condition, w_.truth(false));
  const auto [known, inserted] = edges_.emplace(std::make_pair(from, to), condition);
  if (!inserted) known->second = known->second || condition;
}

void FunctionRun::instruction(const llvm::Instruction& i) {
  ++s_.opcodes[i.getOpcodeName()];
  if (arithmetic(i) || conversion(i) || memory(i) || selection(i) || control(i) || call(i)) return;
  throw Unsupported(std::string("opcode ") + i.getOpcodeName());
}

unsigned FunctionRun::bytes(const llvm::Type* type) const {
  return static_cast<unsigned>(s_.layout.getTypeStoreSize(const_cast<llvm::Type*>(type)));
}

Value FunctionRun::any_value(const llvm::Type* type, const std::string& name) {
  if (type->isVoidTy()) return {};
  if (type->isPointerTy()) return Pointer{"*" + name, 0};
  if (const auto* fields = llvm::dyn_cast<llvm::StructType>(type)) {
    std::vector<Value> values;
    for (const llvm::Type* field : fields->elements())
      values.push_back(any_value(field, name.empty() ? name : name + "." + std::to_string(values.size())));
    return values;
  }
  const unsigned width = integer_width(type);
  return name.empty() ? w_.unknown(width) : w_.symbol(name, width);
}

Value FunctionRun::value(const llvm::Value* v) {
  if (const auto* c = llvm::dyn_cast<llvm::Constant>(v)) return constant(c);
  const auto known = registers_.find(v);
  if (known == registers_.end()) throw Unsupported("a value of a path that cannot be taken");
  return known->second;
}

Value FunctionRun::constant(const llvm::Constant* c) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(c)) {
    const unsigned width = integer_width(number->getType());
    return width == 1 ? w_.truth(number->isOne()) : w_.number(number->getZExtValue(), width);
  }
  if (llvm::isa<llvm::UndefValue>(c)) {
    if (c->getType()->isPointerTy()) return Pointer{"%undefined", 0};
    return any_value(c->getType(), "");
  }
  if (llvm::isa<llvm::ConstantPointerNull>(c)) return Pointer{"null", 0};
  if (const auto* global = llvm::dyn_cast<llvm::GlobalValue>(c))
    return Pointer{"@" + global->getName().str(), 0};
  if (llvm::isa<llvm::ConstantAggregateZero>(c) || llvm::isa<llvm::ConstantStruct>(c)) {
    std::vector<Value> fields;
    for (unsigned i = 0; i < c->getType()->getStructNumElements(); ++i)
      fields.push_back(constant(c->getAggregateElement(i)));
    return fields;
  }
  const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(c);
  if (expression == nullptr) throw Unsupported("constant of an unknown kind");
  switch (expression->getOpcode()) {
    case llvm::Instruction::BitCast:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
      return constant(expression->getOperand(0));
    case llvm::Instruction::GetElementPtr: {
      Pointer base = constant(expression->getOperand(0)).pointer();
      llvm::APInt offset(64, 0);
      if (!llvm::cast<llvm::GEPOperator>(expression)->accumulateConstantOffset(s_.layout, offset))
        throw Unsupported("constant address with a variable index");
      base.offset += offset.getSExtValue();
      return base;
    }
    default:
      throw Unsupported(std::string("constant ") + expression->getOpcodeName());
  }
}

}  // namespace ptmc::gate::ir
