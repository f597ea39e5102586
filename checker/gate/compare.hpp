// One helper of the model against one function of the kernel's IR. Built with LLVM only.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "checker/gate/conform.hpp"
#include "checker/gate/ir/module.hpp"
#include "properties/words/helpers.hpp"

namespace ptmc::gate {

/// What the comparisons of one architecture share.
struct Comparison {
  words::Layout layout;
  std::map<u64, std::string> features;  // The tree's number of a feature -> its name.
  unsigned solver_steps_max;
  std::set<std::string> cpus;     // Grows: facts that helpers read.
  std::set<std::string> skipped;  // Grows: what has no effect on words.
};

/// Constants of the tree whose values name its features.
const std::vector<std::string>& feature_names(const std::string& arch);

/// Fills verdict, reason, words and assumptions. `function` is the wrapper in the module.
HelperReport compare(Comparison& shared, ir::Module& kernel, z3::context& context,
                     const words::Helper& helper, const std::string& function);

}  // namespace ptmc::gate
