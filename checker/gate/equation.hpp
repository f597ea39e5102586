// A helper of the model and a function of the kernel as two terms over the same words. Built with LLVM only.
#pragma once
#include "checker/gate/compare.hpp"

namespace ptmc::gate {

struct Assumption {
  std::string text;
  z3::expr holds;
};

struct Equation {
  std::vector<z3::expr> arguments;
  std::vector<std::string> names;
  z3::expr ours, theirs;
  ir::Evaluation kernel;
  std::vector<Assumption> assumptions;
};

/// Throws ir::Unsupported.
Equation build_equation(Comparison& shared, ir::Module& module, z3::context& context,
                        const words::Helper& helper, const std::string& function);

/// "X86_FEATURE_SHSTK" for "feature 519" of this tree; other symbols are their own names.
std::string name_of_symbol(const Comparison& shared, const std::string& symbol);

}  // namespace ptmc::gate
