#include "checker/gate/ir/module.hpp"

#include <llvm/Config/llvm-config.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include "checker/gate/ir/function.hpp"

namespace ptmc::gate::ir {
namespace {

std::unique_ptr<llvm::Module> parse(const std::string& path, llvm::LLVMContext& context) {
  llvm::SMDiagnostic error;
  auto module = llvm::parseIRFile(path, error, context);
  if (module) return module;
  std::string message;
  llvm::raw_string_ostream out(message);
  error.print("", out, false);
  throw std::runtime_error(out.str());
}

}  // namespace

struct Module::Impl {
  z3::context& z3;
  llvm::LLVMContext llvm;
  std::unique_ptr<llvm::Module> module;
  std::map<std::string, u64> opcodes;

  const llvm::Function& function(const std::string& name) const {
    const auto* f = module->getFunction(name);
    if (f == nullptr || f->isDeclaration()) throw std::out_of_range("no function " + name);
    return *f;
  }
};

Module::Module(z3::context& context, const std::string& path) : impl_(new Impl{context, {}, nullptr, {}}) {
  impl_->module = parse(path, impl_->llvm);
}
Module::~Module() = default;
Module::Module(Module&&) noexcept = default;
Module& Module::operator=(Module&&) noexcept = default;

void Module::link(const std::string& path) {
  if (llvm::Linker::linkModules(*impl_->module, parse(path, impl_->llvm), llvm::Linker::LinkOnlyNeeded))
    throw std::runtime_error("cannot link " + path);
}

bool Module::defines(const std::string& function) const {
  const auto* f = impl_->module->getFunction(function);
  return f != nullptr && !f->isDeclaration();
}

std::vector<unsigned> Module::parameters(const std::string& function) const {
  std::vector<unsigned> widths;
  for (const llvm::Argument& a : impl_->function(function).args())
    widths.push_back(integer_width(a.getType()));
  return widths;
}

Evaluation Module::evaluate(const std::string& function, const std::vector<z3::expr>& arguments,
                            const Policy& policy) {
  const std::vector<unsigned> widths = parameters(function);
  if (widths.size() != arguments.size()) throw std::invalid_argument(function + " takes other arguments");
  std::vector<Value> values;
  for (std::size_t n = 0; n < widths.size(); ++n) {
    if (as_bits(arguments[n]).get_sort().bv_size() != widths[n])
      throw std::invalid_argument(function + ": argument width");
    values.emplace_back(as_width(arguments[n], widths[n]));
  }
  const std::string triple = impl_->module->getTargetTriple();
  World world(impl_->z3, policy);
  Session session{impl_->module->getDataLayout(),
                  triple.starts_with("aarch64") ? Machine::arm64 : Machine::x86_64, world, impl_->opcodes};
  FunctionRun run(session, impl_->function(function), std::move(values), world.truth(true), 0);
  const z3::expr result = as_bits(run.run().term());
  return {result, world.defined, world.once, world.loops, std::move(world.symbols), std::move(world.skipped)};
}

const std::map<std::string, u64>& Module::opcodes() const { return impl_->opcodes; }

unsigned llvm_major() { return LLVM_VERSION_MAJOR; }

}  // namespace ptmc::gate::ir
