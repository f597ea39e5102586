// Arithmetic, conversions, memory and selections.
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

#include "checker/gate/ir/function.hpp"

namespace ptmc::gate::ir {

using llvm::CmpInst;
using llvm::Instruction;

namespace {
constexpr u64 array_max = 256;  // Elements of an array that a variable index may choose from.
}

bool FunctionRun::arithmetic(const Instruction& i) {
  if (!i.isBinaryOp()) return false;
  const z3::expr a = term(i, 0), b = term(i, 1);
  if (a.is_bool()) {
    switch (i.getOpcode()) {
      case Instruction::And:
        set(i, a && b);
        return true;
      case Instruction::Or:
        set(i, a || b);
        return true;
      case Instruction::Add:
      case Instruction::Sub:
      case Instruction::Xor:
        set(i, a != b);
        return true;
      default:
        return false;
    }
  }
  if (i.isShift())
    w_.require(w_.defined, path_, z3::ult(b, w_.number(a.get_sort().bv_size(), a.get_sort().bv_size())));
  switch (i.getOpcode()) {
    case Instruction::Add:
      set(i, a + b);
      return true;
    case Instruction::Sub:
      set(i, a - b);
      return true;
    case Instruction::Mul:
      set(i, a * b);
      return true;
    case Instruction::And:
      set(i, a & b);
      return true;
    case Instruction::Or:
      set(i, a | b);
      return true;
    case Instruction::Xor:
      set(i, a ^ b);
      return true;
    case Instruction::Shl:
      set(i, z3::shl(a, b));
      return true;
    case Instruction::LShr:
      set(i, z3::lshr(a, b));
      return true;
    case Instruction::AShr:
      set(i, z3::ashr(a, b));
      return true;
    case Instruction::UDiv:
    case Instruction::URem:
    case Instruction::SDiv:
    case Instruction::SRem:
      divide(i);
      return true;
    default:
      return false;
  }
}

void FunctionRun::divide(const Instruction& i) {
  const z3::expr a = term(i, 0), b = term(i, 1);
  const unsigned width = a.get_sort().bv_size();
  w_.require(w_.defined, path_, b != w_.number(0, width));
  switch (i.getOpcode()) {
    case Instruction::UDiv:
      return set(i, z3::udiv(a, b));
    case Instruction::URem:
      return set(i, z3::urem(a, b));
    case Instruction::SDiv:
      return set(i, a / b);
    default:
      return set(i, z3::srem(a, b));
  }
}

bool FunctionRun::conversion(const Instruction& i) {
  switch (i.getOpcode()) {
    case Instruction::ZExt:
    case Instruction::SExt: {
      const z3::expr a = as_bits(term(i, 0));
      const unsigned more = integer_width(i.getType()) - a.get_sort().bv_size();
      set(i, i.getOpcode() == Instruction::ZExt ? z3::zext(a, more) : z3::sext(a, more));
      return true;
    }
    case Instruction::Trunc: {
      const unsigned width = integer_width(i.getType());
      set(i, as_width(term(i, 0).extract(width - 1, 0), width));
      return true;
    }
    case Instruction::BitCast:
    case Instruction::PtrToInt:  // A pointer stays one until somebody calculates with it.
    case Instruction::IntToPtr:
    case Instruction::Freeze:
      set(i, value(i.getOperand(0)));
      return true;
    default:
      return false;
  }
}

Value FunctionRun::element(const llvm::GetElementPtrInst& i) {
  Pointer base = value(i.getPointerOperand()).pointer();
  llvm::APInt offset(64, 0);
  llvm::MapVector<llvm::Value*, llvm::APInt> variable;
  if (!llvm::cast<llvm::GEPOperator>(i).collectOffset(s_.layout, 64, variable, offset) || variable.size() > 1)
    throw Unsupported("address with several variable indices");
  base.offset += offset.getSExtValue();
  if (variable.empty()) return base;
  const auto* global =
      base.object.starts_with('@') ? f_.getParent()->getNamedGlobal(base.object.substr(1)) : nullptr;
  const u64 stride = variable.front().second.getZExtValue(),
            size = global == nullptr ? 0 : bytes(global->getValueType());
  if (base.offset < 0 || stride == 0 || size / stride > array_max || size == 0)
    throw Unsupported("variable index into " + base.object);
  const z3::expr index = as_bits(value(variable.front().first).term());
  const unsigned width = index.get_sort().bv_size();
  Choice choice;
  z3::expr inside = w_.truth(false);
  for (u64 k = 0; static_cast<u64>(base.offset) + (k + 1) * stride <= size; ++k) {
    choice.emplace_back(index == w_.number(k, width),
                        Pointer{base.object, base.offset + static_cast<std::int64_t>(k * stride)});
    inside = inside || choice.back().first;
  }
  w_.require(w_.defined, path_, inside);
  return choice;
}

Value FunctionRun::load(const Pointer& from, const llvm::Type* type) {
  const std::string name = from.object.starts_with('@') ? from.object.substr(1) : "";
  const auto* global = name.empty() ? nullptr : f_.getParent()->getNamedGlobal(name);
  const auto& initial = w_.policy.as_initialised;
  if (global != nullptr && global->hasInitializer() &&
      (global->isConstant() || std::find(initial.begin(), initial.end(), name) != initial.end())) {
    auto* contents = const_cast<llvm::Constant*>(global->getInitializer());
    const llvm::APInt at(64, static_cast<u64>(from.offset));
    if (auto* known = llvm::ConstantFoldLoadFromConst(contents, const_cast<llvm::Type*>(type), at, s_.layout))
      return constant(known);
  }
  Value loaded = w_.memory.load(from, bytes(type), type->isPointerTy());
  if (type->isPointerTy() || loaded.is_pointer()) return loaded;
  const unsigned width = integer_width(type);
  return as_width(loaded.term().extract(width - 1, 0), width);
}

bool FunctionRun::memory(const Instruction& i) {
  switch (i.getOpcode()) {
    case Instruction::Alloca:
      set(i, Pointer{"%" + std::to_string(w_.locals++), 0});
      return true;
    case Instruction::GetElementPtr:
      set(i, element(llvm::cast<llvm::GetElementPtrInst>(i)));
      return true;
    case Instruction::Load: {
      const Value from = value(i.getOperand(0));
      const auto* choice = std::get_if<Choice>(&from.v);
      if (choice == nullptr) {
        set(i, load(from.pointer(), i.getType()));
        return true;
      }
      Value loaded = load(choice->front().second, i.getType());
      for (const auto& [condition, place] : *choice)
        loaded = merge(condition, load(place, i.getType()), loaded);
      set(i, loaded);
      return true;
    }
    case Instruction::Store: {
      Value stored = value(i.getOperand(0));
      const unsigned size = bytes(i.getOperand(0)->getType());
      if (!stored.is_pointer()) {
        const z3::expr plain = as_bits(stored.term());
        stored = plain.get_sort().bv_size() == size * 8
                     ? plain
                     : z3::zext(plain, size * 8 - plain.get_sort().bv_size());
      }
      w_.memory.store(value(i.getOperand(1)).pointer(), size, stored, path_);
      return true;
    }
    default:
      return false;
  }
}

bool FunctionRun::selection(const Instruction& i) {
  switch (i.getOpcode()) {
    case Instruction::ICmp:
      set(i, compare(llvm::cast<llvm::ICmpInst>(i)));
      return true;
    case Instruction::Select:
      set(i, merge(term(i, 0), value(i.getOperand(1)), value(i.getOperand(2))));
      return true;
    case Instruction::PHI:
      set(i, phi(llvm::cast<llvm::PHINode>(i)));
      return true;
    case Instruction::ExtractValue:
    case Instruction::InsertValue: {
      const bool insert = i.getOpcode() == Instruction::InsertValue;
      const auto indices = insert ? llvm::cast<llvm::InsertValueInst>(i).getIndices()
                                  : llvm::cast<llvm::ExtractValueInst>(i).getIndices();
      if (indices.size() != 1) throw Unsupported("a nested struct");
      Value whole = value(i.getOperand(0));
      Value& field = std::get<std::vector<Value>>(whole.v).at(indices[0]);
      if (insert) field = value(i.getOperand(1));
      set(i, insert ? whole : Value(field));
      return true;
    }
    default:
      return false;
  }
}

Value FunctionRun::compare(const llvm::ICmpInst& i) {
  const Value x = value(i.getOperand(0)), y = value(i.getOperand(1));
  if (x.is_pointer() && y.is_pointer()) {
    // Named objects lie apart and none is null; nothing is known about what an outside pointer points to.
    const bool named = !x.pointer().object.starts_with('*') && !y.pointer().object.starts_with('*');
    if (!i.isEquality() || (!named && x.pointer().object != y.pointer().object))
      throw Unsupported("a pointer comparison");
    return w_.truth((x.pointer() == y.pointer()) == (i.getPredicate() == CmpInst::ICMP_EQ));
  }
  const z3::expr a = as_bits(x.term()), b = as_bits(y.term());
  switch (i.getPredicate()) {
    case CmpInst::ICMP_EQ:
      return a == b;
    case CmpInst::ICMP_NE:
      return a != b;
    case CmpInst::ICMP_ULT:
      return z3::ult(a, b);
    case CmpInst::ICMP_ULE:
      return z3::ule(a, b);
    case CmpInst::ICMP_UGT:
      return z3::ugt(a, b);
    case CmpInst::ICMP_UGE:
      return z3::uge(a, b);
    case CmpInst::ICMP_SLT:
      return a < b;
    case CmpInst::ICMP_SLE:
      return a <= b;
    case CmpInst::ICMP_SGT:
      return a > b;
    case CmpInst::ICMP_SGE:
      return a >= b;
    default:
      throw Unsupported("comparison");
  }
}

Value FunctionRun::phi(const llvm::PHINode& i) {
  std::optional<Value> merged;
  for (unsigned n = 0; n < i.getNumIncomingValues(); ++n) {
    const auto from = edges_.find({i.getIncomingBlock(n), i.getParent()});
    if (from == edges_.end() || from->second.simplify().is_false())
      continue;  // Not taken, or a later pass of a loop.
    const Value incoming = value(i.getIncomingValue(n));
    merged = merged ? merge(from->second, incoming, *merged) : incoming;
  }
  if (!merged) throw Unsupported("phi without a way in");
  return *merged;
}

}  // namespace ptmc::gate::ir
