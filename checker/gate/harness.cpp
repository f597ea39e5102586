#include "checker/gate/harness.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

#include "checker/verdict.hpp"

namespace ptmc::gate {
namespace {

using words::Form;
using words::Type;

constexpr const char* preamble =
    "#include <linux/mm.h>\n"
    "#include <linux/mm_inline.h>\n"
    "#include <linux/pgtable.h>\n"
    "#include <linux/swapops.h>\n"
    "#include <asm/tlbflush.h>\n"
    "#include <asm/tlb.h>\n"
    "#ifdef CONFIG_ARM64_4K_PAGES\n"
    "bool pgattr_change_is_safe(u64 old, u64 new);\n"  // Static in some versions: see conform.cpp.
    "#endif\n"
    "typedef unsigned long ptmc_word;\n"
    "struct mm_struct ptmc_mm;\n"
    "struct vm_area_struct ptmc_vma;\n";
constexpr unsigned preamble_lines = 12;
constexpr unsigned rounds_max = 5;

// C text around an argument or a result.
struct CForm {
  std::string declare, build, take;
};
CForm c_form(Type type) {
  switch (type) {
    case Type::pte:
      return {"pte_t", "__pte", "pte_val"};
    case Type::pmd:
      return {"pmd_t", "__pmd", "pmd_val"};
    case Type::pud:
      return {"pud_t", "__pud", "pud_val"};
    case Type::prot:
      return {"pgprot_t", "__pgprot", "pgprot_val"};
    case Type::swp:
      return {"swp_entry_t", "(swp_entry_t)", ""};
    default:
      return {"ptmc_word", "", "(ptmc_word)"};
  }
}

std::string argument(const words::Helper& helper, unsigned n) {
  const std::string word = "a" + std::to_string(n);
  switch (helper.args[n]) {
    case Type::number:
      return word;
    case Type::flag:
      return "(" + word + " != 0)";
    case Type::mm:
      return "&ptmc_mm";
    case Type::vm_flags:
      return helper.result == Type::prot ? word : "&ptmc_vma";
    case Type::swp:
      return "(swp_entry_t){ .val = " + word + " }";
    default:
      return c_form(helper.args[n]).build + "(" + word + ")";
  }
}

// What an argument needs before the call: facts that the helper reads through a pointer.
std::string set_up(const words::Helper& helper, unsigned n) {
  const std::string word = "a" + std::to_string(n);
  if (helper.args[n] == Type::mm) return "atomic_set(&ptmc_mm.tlb_flush_pending, " + word + " != 0); ";
  if (helper.args[n] == Type::vm_flags && helper.result != Type::prot)
    return "ptmc_vma.__vm_flags = " + word + "; ";
  return "";
}

std::string result(Type type, const std::string& call) {
  if (type == Type::flag) return "(" + call + ") ? 1 : 0";
  if (type == Type::swp) return "(" + call + ").val";
  return c_form(type).take + "(" + call + ")";
}

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& p : parts) out += (out.empty() ? "" : ", ") + p;
  return out;
}

Probe wrapper(const words::Helper& helper, const std::string& kernel) {
  std::vector<std::string> parameters, arguments;
  std::string before;
  for (unsigned n = 0; n < helper.args.size(); ++n) {
    if (helper.args[n] == Type::keys) continue;
    parameters.push_back("ptmc_word a" + std::to_string(n));
    before += set_up(helper, n);
    arguments.push_back(argument(helper, n));
  }
  std::string body;
  if (helper.form == Form::loop_body) {
    // The entry lies in a local; wrprotect takes the mm, the others the VMA.
    const CForm entry = c_form(helper.args[0]);
    arguments[0] = "&entry";
    arguments.insert(arguments.begin(),
                     {kernel.find("wrprotect") != std::string::npos ? "&ptmc_mm" : "&ptmc_vma", "0"});
    body = entry.declare + " entry = " + entry.build + "(a0); " + kernel + "(" + joined(arguments) +
           "); return " + entry.take + "(entry);";
  } else {
    body = "return " + result(helper.result, kernel + "(" + joined(arguments) + ")") + ";";
  }
  const std::string name = "ptmc_" + kernel;
  const std::string takes = parameters.empty() ? "void" : joined(parameters);
  return {name, kernel, "ptmc_word " + name + "(" + takes + ") { " + before + body + " }"};
}

struct Complaint {
  unsigned line;
  std::string message;
};

std::vector<Complaint> errors_in(const std::string& diagnostics, const std::string& file) {
  std::vector<Complaint> out;
  std::istringstream lines(diagnostics);
  for (std::string line; std::getline(lines, line);) {
    const auto at = line.find(": error: ");
    if (at == std::string::npos || !line.starts_with(file + ":")) continue;
    out.push_back({static_cast<unsigned>(std::stoul(line.substr(file.size() + 1))), line.substr(at + 9)});
  }
  return out;
}

std::string head(const std::string& text) {
  std::size_t at = 0;
  for (unsigned lines = 0; at < text.size() && lines < 12; ++at) lines += text[at] == '\n' ? 1 : 0;
  return text.substr(0, at);
}

}  // namespace

std::vector<Probe> probes_of(const words::Helper& helper, const std::string& arch) {
  std::vector<Probe> out;
  const std::string name = helper.name;
  if (helper.form == Form::loop_body && arch == "arm64" && name.starts_with("ptep"))
    out.push_back(wrapper(helper, "__" + name));
  out.push_back(wrapper(helper, name));
  return out;
}

Probe constant_probe(const std::string& name) {
  const std::string function = "ptmc_value_of_" + name;
  return {function, name, "ptmc_word " + function + "(void) { return " + name + "; }"};
}

Probed compile_probes(const Build& build, const std::vector<Probe>& probes, const std::vector<Edit>& edits) {
  Probed probed;
  for (unsigned round = 0; round < rounds_max; ++round) {
    std::string text = preamble;
    for (const Probe& p : probes) text += (probed.missing.count(p.function) ? "" : p.line) + "\n";
    const auto file = build.directory / "ptmc" / ("probes-" + content_hash(text).substr(0, 12) + ".c");
    write_file(file, text);
    const Compiled compiled = compile(build, file, edits);
    probed.module = compiled.module;
    if (!compiled.module.empty()) return probed;
    const std::vector<Complaint> complaints = errors_in(compiled.diagnostics, file.string());
    std::size_t blanked = 0;
    for (const Complaint& c : complaints) {
      if (c.line <= preamble_lines || c.line > preamble_lines + probes.size()) continue;
      const Probe& probe = probes[c.line - preamble_lines - 1];
      blanked += probed.missing.emplace(probe.function, c.message).second ? 1 : 0;
    }
    if (blanked == 0)
      throw InputError("the tree's headers do not compile for " + build.arch + ":\n" +
                       head(compiled.diagnostics));
  }
  throw InputError("the probes still do not compile for " + build.arch);
}

bool says_absent(const std::string& message, const std::string& kernel_function) {
  const bool named = message.find("'" + kernel_function + "'") != std::string::npos;
  return named && (message.find("implicit declaration of function") != std::string::npos ||
                   message.find("undeclared identifier") != std::string::npos);
}

}  // namespace ptmc::gate
