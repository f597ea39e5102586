// C text of our own that calls each kernel helper once, compiled with the tree's command: one wrapper a line,
// so that a line whose helper this tree lacks can be blanked.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "checker/gate/kbuild.hpp"
#include "properties/words/helpers.hpp"

namespace ptmc::gate {

/// One wrapper. Parameters are 64-bit words, one for each argument of the helper but `keys`.
struct Probe {
  std::string function;  // "ptmc_pte_mkdirty"
  std::string kernel;    // The kernel's function: "pte_mkdirty", "__ptep_set_wrprotect".
  std::string line;      // Its C text.
};

/// How the helper may be called, best first (arm64's loops also have a form below the contpte layer).
std::vector<Probe> probes_of(const words::Helper& helper, const std::string& arch);
/// A wrapper that returns the value of a constant expression: the number of a CPU feature.
Probe constant_probe(const std::string& name);

struct Probed {
  std::filesystem::path module;                // LLVM IR of the lines that compile.
  std::map<std::string, std::string> missing;  // Function of a blanked line -> clang's message.
};

/// Throws InputError if something outside the probes does not compile.
Probed compile_probes(const Build& build, const std::vector<Probe>& probes, const std::vector<Edit>& edits);

/// True if the message says that the function does not exist, and not that it is called wrongly.
bool says_absent(const std::string& message, const std::string& kernel_function);

}  // namespace ptmc::gate
