#include "tests/tidy/rules.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <sstream>

namespace ptmc::tidy {
namespace {

struct Context {
  const File& file;
  std::vector<std::string> lines;
  std::vector<Finding> findings;

  void report(const char* rule, std::size_t line, std::string text) {
    findings.push_back({rule, file.path, line, std::move(text)});
  }
  bool in(const std::string& folder) const { return file.path.starts_with(folder + "/"); }
  bool ends(const char* suffix) const { return file.path.ends_with(suffix); }
  bool source() const { return ends(".cpp") || ends(".hpp"); }
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void sizes(Context& c) {
  if (c.lines.size() > file_lines_max)
    c.report("file-length", 0, std::to_string(c.lines.size()) + " lines, at most 300");
  for (std::size_t k = 0; k < c.lines.size(); ++k) {
    const auto columns = std::count_if(c.lines[k].begin(), c.lines[k].end(),
                                       [](char x) { return (static_cast<unsigned char>(x) & 0xC0) != 0x80; });
    if (static_cast<std::size_t>(columns) > columns_max)
      c.report("columns", k + 1, std::to_string(columns) + " columns, at most 110");
  }
}

// Whether the brace after `head` (the text since the last ';', '{' or '}') opens code rather than a scope or
// a list.
bool opens_code(const std::string& head) {
  static const std::regex ends_like_code(R"((\)|\b(const|noexcept|override|final|mutable|else|do|try))\s*$)");
  static const std::regex scope(R"(^\s*(inline\s+)?(namespace|extern)\b)");
  if (std::regex_search(head, scope)) return false;
  // After '}' comes the body of a constructor whose last initialiser used braces.
  return std::regex_search(head, ends_like_code) || head.find("->") != std::string::npos ||
         head.find_first_not_of(" \n") == std::string::npos;
}

void functions(Context& c) {
  struct Open {
    std::size_t line;
    bool code;
  };
  const std::string text = without_comments_and_strings(c.file.text);
  std::vector<Open> stack;
  std::string head;
  std::size_t line = 1;
  for (const char x : text) {
    if (x == '\n') ++line;
    if (x == '{') stack.push_back({line, opens_code(head)});
    if (x == '}' && !stack.empty()) {
      const Open open = stack.back();
      stack.pop_back();
      const std::size_t length = line - open.line + 1;
      if (open.code && length > function_lines_max)
        c.report("function-length", open.line, std::to_string(length) + " lines, at most 60");
    }
    if (x == ';' || x == '{' || x == '}')
      head.clear();
    else
      head += x;
  }
}

struct Ban {
  const char* rule;
  const char* header;   // Of the included name.
  const char* places;   // Files that may not include it.
  const char* excused;  // Those of them that may.
};
constexpr const char* nobody = "^$";
constexpr std::array bans{
    Ban{"z3", R"(^z3)", R"(^)", R"(^(checker/symbolic/|checker/(?!cli/).*\.cpp$|checker/gate/ir/|tests/))"},
    Ban{"llvm", R"(^llvm)", R"(^)", R"(^(tests/)?checker/gate/ir/)"},
    Ban{"model-io", R"(^(iostream|fstream|cstdio|stdio\.h|thread|mutex|condition_variable|future)$)",
        R"(^model/)", nobody},
    Ban{"model-arrow", R"(^(checker|properties|counterexamples|tests|nlohmann|fmt|CLI)/)", R"(^model/)",
        nobody},
    Ban{"core-arrow", R"(^model/(?!core/))", R"(^model/core/)", nobody},
    Ban{"engine-arrow", R"(^(model/(?!core/)|properties/|counterexamples/|checker/(cli|gate|native)/))",
        R"(^checker/)", R"(^checker/(cli|gate|native)/)"},
    Ban{"engine-prints", R"(^(iostream|cstdio|stdio\.h|fmt/.*)$)", R"(^(checker|properties)/)",
        R"(^checker/(cli|gate|native)/)"},
    Ban{"properties-arrow", R"(^(counterexamples/|checker/(cli|gate|native)/))", R"(^properties/)", nobody},
    Ban{"counterexamples-arrow", R"(^(model/(opt|mm|hw)/|properties/|checker/(cli|gate|native)/))",
        R"(^counterexamples/)", nobody},
};

struct Patterns {
  std::regex header, places, excused;
  explicit Patterns(const Ban& ban) : header(ban.header), places(ban.places), excused(ban.excused) {}
};

void includes(Context& c) {
  static const std::regex include(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  static const std::vector<Patterns> patterns(bans.begin(), bans.end());
  for (std::size_t k = 0; k < c.lines.size(); ++k) {
    std::smatch m;
    if (c.lines[k].find("include") == std::string::npos || !std::regex_search(c.lines[k], m, include))
      continue;
    const std::string name = m[1];
    for (std::size_t b = 0; b < bans.size(); ++b) {
      const Patterns& p = patterns[b];
      if (std::regex_search(name, p.header) && std::regex_search(c.file.path, p.places) &&
          !std::regex_search(c.file.path, p.excused))
        c.report(bans[b].rule, k + 1, "may not include " + name);
    }
  }
}

void pattern(Context& c, const char* rule, const std::string& text, const std::regex& regex,
             const char* what) {
  const auto lines = split(text);
  for (std::size_t k = 0; k < lines.size(); ++k)
    if (std::regex_search(lines[k], regex)) c.report(rule, k + 1, what);
}

void words(Context& c) {
  // Written in pieces, so that this file passes its own test.
  static const std::regex stray(
      "\\b(TO"
      "DO|FIX"
      "ME|XX"
      "X)\\b");
  static const std::regex machine(
      "(^|[^\\w.])/(wo"
      "rk|t"
      "mp|ho"
      "me|ro"
      "ot)(/|\\b)");
  pattern(c, "stray", c.file.text, stray, "a note to oneself");
  pattern(c, "machine-path", c.file.text, machine, "a path of one machine");
}

void model(Context& c) {
  // A path and nothing else: `auto b = s.count == 1` is a value already.
  static const std::regex copied(R"(\bauto\s+\w+\s*=\s*(s|r|m|w)([.\[][\w.\[\]]*)+\s*;)");
  static const std::regex actor(R"(\b(sequence|step)\()");
  const std::string code = without_comments_and_strings(c.file.text);
  pattern(c, "captured-value", code, copied, "neither value nor reference: load(...), or auto&&");
  if (c.ends(".hpp") && !c.file.text.starts_with("//"))
    c.report("header", 1, "opens without a comment that says what it is");
  const bool acts = (c.in("model/opt") || c.in("model/mm")) && std::regex_search(code, actor);
  const bool kernel = acts || c.in("model/arch/x86_64") || c.in("model/arch/arm64");
  if (kernel && !c.file.text.starts_with("// SPDX-License-Identifier: GPL-2.0\n"))
    c.report("licence", 1, "restates kernel logic: first line // SPDX-License-Identifier: GPL-2.0");
  if (!acts || !c.in("model/opt")) return;
  const std::string opening = c.file.text.substr(0, c.file.text.find("#pragma once"));
  for (const char* part : {"Kernel", "Claim", "Omitted"})
    if (!std::regex_search(opening, std::regex(std::string("\\b") + part + "\\b")))
      c.report("header", 1, std::string("its opening comment has no ") + part);
}

}  // namespace

std::vector<Finding> check(const File& file) {
  Context c{file, split(file.text), {}};
  words(c);
  if (!c.source()) return c.findings;
  sizes(c);
  functions(c);
  includes(c);
  if (c.in("model")) model(c);
  return c.findings;
}

std::vector<Finding> check_spdlog(const std::vector<File>& files) {
  static const std::regex include(R"(#\s*include\s*[<"]spdlog/)");
  std::vector<Finding> findings;
  std::size_t users = 0;
  for (const File& f : files) {
    if (f.path.starts_with("tests/tidy/") || !std::regex_search(f.text, include)) continue;
    ++users;
    if (!f.path.starts_with("checker/cli/") || !f.path.ends_with(".cpp") || users > 1)
      findings.push_back({"spdlog", f.path, 0, "spdlog lives behind one .cpp of checker/cli"});
  }
  if (users == 0) findings.push_back({"spdlog", "checker/cli", 0, "nothing includes spdlog"});
  return findings;
}

}  // namespace ptmc::tidy
