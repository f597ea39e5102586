// Control flow, calls, intrinsics and inline assembly.
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InlineAsm.h>

#include <algorithm>
#include <deque>

#include "checker/gate/ir/function.hpp"

namespace ptmc::gate::ir {

using llvm::Instruction;

bool FunctionRun::control(const Instruction& i) {
  Block here = i.getParent();
  switch (i.getOpcode()) {
    case Instruction::Br: {
      const auto& branch = llvm::cast<llvm::BranchInst>(i);
      if (branch.isUnconditional()) {
        edge(here, branch.getSuccessor(0), path_);
      } else {
        const z3::expr taken = value(branch.getCondition()).term();
        edge(here, branch.getSuccessor(0), path_ && taken);
        edge(here, branch.getSuccessor(1), path_ && !taken);
      }
      return true;
    }
    case Instruction::Switch: {
      const auto& choice = llvm::cast<llvm::SwitchInst>(i);
      const z3::expr selector = value(choice.getCondition()).term();
      z3::expr rest = path_;
      for (const auto& option : choice.cases()) {
        const z3::expr match = selector == value(option.getCaseValue()).term();
        edge(here, option.getCaseSuccessor(), path_ && match);
        rest = rest && !match;
      }
      edge(here, choice.getDefaultDest(), rest);
      return true;
    }
    case Instruction::Ret: {
      const Value result = i.getNumOperands() == 0 ? Value() : value(i.getOperand(0));
      if (!returned_ || i.getNumOperands() == 0)
        returned_ = result;
      else
        returned_ = merge(path_, result, *returned_);
      return true;
    }
    case Instruction::Unreachable:
      w_.require(w_.defined, path_, w_.truth(false));
      return true;
    case Instruction::CallBr:
      feature_branch(llvm::cast<llvm::CallBrInst>(i));
      return true;
    default:
      return false;
  }
}

bool FunctionRun::call(const Instruction& i) {
  const auto* site = llvm::dyn_cast<llvm::CallInst>(&i);
  if (site == nullptr) return false;
  if (const auto* known = llvm::dyn_cast<llvm::IntrinsicInst>(&i)) {
    set(i, intrinsic(*known));
  } else if (site->isInlineAsm()) {
    set(i, assembly(*site));
  } else {
    // Linked modules may name one struct twice: the call then goes through a cast.
    const auto* callee = llvm::dyn_cast<llvm::Function>(site->getCalledOperand()->stripPointerCasts());
    if (callee == nullptr) throw Unsupported("a call through a pointer");
    if (callee->isDeclaration()) {
      set(i, outside_call(*site, *callee));
    } else {
      std::vector<Value> arguments;
      for (const auto& a : site->args()) arguments.push_back(value(a.get()));
      set(i, FunctionRun(s_, *callee, std::move(arguments), path_, depth_ + 1).run());
    }
  }
  return true;
}

Value FunctionRun::outside_call(const llvm::CallBase& i, const llvm::Function& callee) {
  std::string name = callee.getName().str();
  const auto& opaque = w_.policy.opaque;
  if (std::find(opaque.begin(), opaque.end(), name) == opaque.end()) throw Unsupported("call of " + name);
  if (i.getType()->isVoidTy()) {
    w_.skip(name);
    return {};
  }
  // The same constant arguments give the same result: such functions read boot-time facts.
  std::string arguments;
  for (const auto& a : i.args()) {
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(a.get());
    arguments +=
        (arguments.empty() ? "" : ",") + (number ? std::to_string(number->getZExtValue()) : std::string("?"));
  }
  return any_value(i.getType(), name + "(" + arguments + ")");
}

Value FunctionRun::intrinsic(const llvm::IntrinsicInst& i) {
  switch (i.getIntrinsicID()) {
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::lifetime_end:
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::dbg_value:
    case llvm::Intrinsic::dbg_declare:
    case llvm::Intrinsic::donothing:
      return {};
    case llvm::Intrinsic::expect:
      return value(i.getOperand(0));
    case llvm::Intrinsic::umin:
      return z3::ite(z3::ult(term(i, 0), term(i, 1)), term(i, 0), term(i, 1));
    case llvm::Intrinsic::umax:
      return z3::ite(z3::ult(term(i, 0), term(i, 1)), term(i, 1), term(i, 0));
    case llvm::Intrinsic::smin:
      return z3::ite(term(i, 0) < term(i, 1), term(i, 0), term(i, 1));
    case llvm::Intrinsic::smax:
      return z3::ite(term(i, 0) < term(i, 1), term(i, 1), term(i, 0));
    case llvm::Intrinsic::fshl: {
      const z3::expr a = term(i, 0), b = term(i, 1);
      const unsigned width = a.get_sort().bv_size();
      const z3::expr both = z3::concat(a, b), by = z3::urem(term(i, 2), w_.number(width, width));
      return z3::shl(both, z3::zext(by, width)).extract(2 * width - 1, width);
    }
    case llvm::Intrinsic::fshr: {
      const z3::expr a = term(i, 0), b = term(i, 1);
      const unsigned width = a.get_sort().bv_size();
      const z3::expr both = z3::concat(a, b), by = z3::urem(term(i, 2), w_.number(width, width));
      return z3::lshr(both, z3::zext(by, width)).extract(width - 1, 0);
    }
    default:
      throw Unsupported("intrinsic " + i.getCalledFunction()->getName().str());
  }
}

Value FunctionRun::assembly(const llvm::CallBase& i) {
  const auto* text = llvm::cast<llvm::InlineAsm>(i.getCalledOperand());
  std::deque<AsmOperand> slots;
  std::vector<AsmOperand*> operands;
  std::vector<AsmOperand*> outputs;
  const auto* result_struct = llvm::dyn_cast<llvm::StructType>(i.getType());
  unsigned argument = 0;
  for (const auto& constraint : text->ParseConstraints()) {
    if (constraint.Type == llvm::InlineAsm::isClobber) continue;
    const std::string code = constraint.Codes.empty() ? "" : constraint.Codes[0];
    const bool output = constraint.Type == llvm::InlineAsm::isOutput;
    AsmOperand* slot = nullptr;
    const bool number = !code.empty() &&
                        std::all_of(code.begin(), code.end(), [](char ch) { return ch >= '0' && ch <= '9'; });
    if (!output && number) slot = operands.at(std::stoul(code));
    if (!output && code.starts_with('{'))
      for (AsmOperand* o : outputs)
        if (o->constraint == code) slot = o;
    if (slot == nullptr) slot = &slots.emplace_back(AsmOperand{code, {}, {}, 64});
    operands.push_back(slot);
    if (constraint.isIndirect) {
      slot->memory = value(i.getArgOperand(argument++)).pointer();
    } else if (output) {
      const auto n = static_cast<unsigned>(outputs.size());
      outputs.push_back(slot);
      slot->width = integer_width(result_struct != nullptr ? result_struct->getElementType(n) : i.getType());
    } else {
      const llvm::Value* given = i.getArgOperand(argument++);
      if (given->getType()->isIntegerTy() && !number) slot->width = integer_width(given->getType());
      slot->value = value(given);
    }
  }
  run_assembly(s_.machine, std::string(text->getAsmString()), operands, w_, path_);
  std::vector<Value> results;
  for (AsmOperand* o : outputs) results.push_back(o->value ? *o->value : Value(w_.unknown(o->width)));
  if (i.getType()->isVoidTy()) return {};
  return result_struct != nullptr ? Value(results) : results.at(0);
}

void FunctionRun::feature_branch(const llvm::CallBrInst& i) {
  const auto* text = llvm::cast<llvm::InlineAsm>(i.getCalledOperand());
  const FeatureBranch kind = classify_feature_branch(s_.machine, std::string(text->getAsmString()));
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(i.getArgOperand(0));
  if (number == nullptr) throw Unsupported("asm goto without a feature number");
  const z3::expr has = w_.symbol("feature " + std::to_string(number->getZExtValue()), 1);
  Block here = i.getParent();
  if (kind == FeatureBranch::x86_has) {
    edge(here, i.getDefaultDest(), path_ && has);
    edge(here, i.getIndirectDest(1), path_ && !has);
    // Before the alternatives are patched, target 0 is taken instead of falling through: same code, same
    // path.
    edge(here, i.getIndirectDest(0), w_.truth(false));
    return;
  }
  const bool fall_if = kind == FeatureBranch::arm64_fall_if;
  edge(here, i.getDefaultDest(), path_ && (fall_if ? has : !has));
  edge(here, i.getIndirectDest(0), path_ && (fall_if ? !has : has));
}

}  // namespace ptmc::gate::ir
