#include <regex>
#include <sstream>

#include "checker/gate/ir/assembly.hpp"

namespace ptmc::gate::ir {
namespace {

std::string trim(const std::string& s) {
  const auto first = s.find_first_not_of(" \t\r");
  return first == std::string::npos ? "" : s.substr(first, s.find_last_not_of(" \t\r") - first + 1);
}

// What opens and closes text that is not on the main line.
struct Aside {
  const char* open;
  const char* close;
};
constexpr Aside asides[] = {{".pushsection", ".popsection"},
                            {".subsection", ".previous"},
                            {".section", ".previous"},
                            {".irp", ".endr"},
                            {".macro", ".endm"}};

// Statements end at a newline or, but for arm64's comments, at a semicolon.
std::vector<std::string> statements(const std::string& text) {
  static const std::regex comment(R"(/\*[^]*?\*/|//[^\n]*)");
  std::vector<std::string> out;
  std::istringstream lines(std::regex_replace(text, comment, " "));
  for (std::string line; std::getline(lines, line);) {
    if (trim(line).starts_with("# ")) continue;
    std::istringstream parts(line);
    for (std::string part; std::getline(parts, part, ';');) out.push_back(trim(part));
  }
  return out;
}

AsmInstruction split(const std::string& statement) {
  AsmInstruction instruction;
  const auto space = statement.find_first_of(" \t");
  instruction.mnemonic = statement.substr(0, space);
  if (space == std::string::npos) return instruction;
  unsigned depth = 0;
  std::string operand;
  for (const char ch : statement.substr(space)) {
    if (ch == '(' || ch == '[' || ch == '{') ++depth;
    if (ch == ')' || ch == ']' || ch == '}') --depth;
    if (ch == ',' && depth == 0) {
      instruction.operands.push_back(trim(operand));
      operand.clear();
    } else {
      operand += ch;
    }
  }
  instruction.operands.push_back(trim(operand));
  return instruction;
}

}  // namespace

std::vector<AsmInstruction> parse_assembly(const std::string& text) {
  static const std::regex label(R"(^[A-Za-z0-9_.$\\]+:\s*)");
  std::vector<AsmInstruction> out;
  std::vector<std::string> closing;
  bool lock = false;
  for (std::string s : statements(text)) {
    while (std::regex_search(s, label)) s = trim(std::regex_replace(s, label, ""));
    if (!closing.empty() && s.starts_with(closing.back())) {
      closing.pop_back();
      continue;
    }
    for (const Aside& aside : asides)
      if (s.starts_with(aside.open)) closing.push_back(aside.close);
    if (!closing.empty() || s.empty()) continue;
    if (s == "lock") {
      lock = true;
      continue;
    }
    if (s.starts_with("lock ") || s.starts_with("lock\t")) {
      lock = true;
      s = trim(s.substr(4));
    }
    // Of the directives only raw bytes are code.
    if (s.starts_with('.') && !s.starts_with(".byte") && !s.starts_with(".inst")) continue;
    AsmInstruction instruction = split(s);
    if (lock) instruction.mnemonic.insert(0, "lock ");
    lock = false;
    out.push_back(std::move(instruction));
  }
  return out;
}

FeatureBranch classify_feature_branch(Machine machine, const std::string& text) {
  const auto code = parse_assembly(text);
  const bool patched = text.find(".altinstructions") != std::string::npos;
  const std::string first = code.empty() ? "" : code[0].mnemonic;
  if (patched && machine == Machine::x86_64 && first == "jmp" && text.find("testb") != std::string::npos)
    return FeatureBranch::x86_has;
  if (patched && machine == Machine::arm64 && first == "nop") return FeatureBranch::arm64_jump_if;
  if (patched && machine == Machine::arm64 && first == "b" &&
      text.find("alt_cb_patch_nops") != std::string::npos)
    return FeatureBranch::arm64_fall_if;
  throw Unsupported("asm goto \"" + text.substr(0, text.find('\n')) + "\"");
}

}  // namespace ptmc::gate::ir
