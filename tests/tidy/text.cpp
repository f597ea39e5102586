#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "tests/tidy/rules.hpp"

namespace ptmc::tidy {
namespace {

// Index just after the literal or comment that starts at `at`, or `at` if none does.
std::size_t skip(const std::string& s, std::size_t at) {
  auto past = [&](const std::string& end, std::size_t from) {
    const std::size_t found = s.find(end, from);
    return found == std::string::npos ? s.size() : found + end.size();
  };
  if (s.compare(at, 2, "//") == 0) return std::min(s.find('\n', at), s.size());
  if (s.compare(at, 2, "/*") == 0) return past("*/", at + 2);
  if (s.compare(at, 2, "R\"") == 0) {
    const std::size_t open = s.find('(', at);
    return open == std::string::npos ? at : past(")" + s.substr(at + 2, open - at - 2) + "\"", open);
  }
  const bool digits = at > 0 && std::isxdigit(static_cast<unsigned char>(s[at - 1])) != 0;  // 1'000
  if (s[at] != '"' && (s[at] != '\'' || digits)) return at;
  std::size_t end = at + 1;
  while (end < s.size() && s[end] != s[at] && s[end] != '\n') end += s[end] == '\\' ? 2u : 1u;
  return std::min(end + 1, s.size());
}

// "a/{b,c}/d" -> a/b/d, a/c/d.
std::vector<std::string> expand(const std::string& path) {
  const std::size_t open = path.find('{'), close = path.find('}');
  if (open == std::string::npos || close == std::string::npos) return {path};
  std::vector<std::string> paths;
  std::istringstream choices(path.substr(open + 1, close - open - 1));
  for (std::string choice; std::getline(choices, choice, ',');)
    paths.push_back(path.substr(0, open) + choice + path.substr(close + 1));
  return paths;
}

}  // namespace

std::string without_comments_and_strings(const std::string& text) {
  std::string out = text;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = skip(text, at);
    for (std::size_t k = at; k < end; ++k)
      if (out[k] != '\n') out[k] = ' ';
    at = std::max(end, at + 1);
  }
  return out;
}

std::vector<Finding> check_paths(const File& markdown,
                                 const std::function<bool(const std::string&)>& exists) {
  static const std::regex quoted("`([^`\\s]+)`");
  static const std::regex bare_file(R"(^[\w.-]+\.(cpp|hpp|md|json|txt|cmake|pml|m)$)");
  std::vector<Finding> findings;
  std::istringstream in(markdown.text);
  std::size_t number = 0;
  bool fenced = false;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.starts_with("```")) fenced = !fenced;
    if (fenced) continue;
    for (std::sregex_iterator m(line.begin(), line.end(), quoted), end; m != end; ++m) {
      const std::string name = (*m)[1];
      const std::string top = name.substr(0, name.find('/'));
      // `bug/B06` is a claim and `build/` is made: only what starts at a folder of ours, or looks like a
      // file.
      const bool below = top.size() < name.size() && top != "build" && exists(top);
      if (!below && !std::regex_match(name, bare_file) && !name.starts_with("./")) continue;
      for (const std::string& path : expand(name))
        if (!exists(path)) findings.push_back({"dead-path", markdown.path, number, "no such file: " + path});
    }
  }
  return findings;
}

std::vector<File> read_tree(const std::filesystem::path& root) {
  namespace fs = std::filesystem;
  static const std::set<std::string> suffixes{".cpp", ".hpp", ".cmake", ".txt", ".json",
                                              ".md",  ".sh",  ".py",    ""};
  std::vector<File> files;
  auto add = [&](const fs::path& path) {
    if (!fs::is_regular_file(path) || !suffixes.contains(path.extension().string())) return;
    std::ifstream in(path, std::ios::binary);
    files.push_back({fs::relative(path, root).generic_string(), {std::istreambuf_iterator<char>(in), {}}});
  };
  for (const char* folder : {"model", "checker", "properties", "counterexamples", "tests", ".ci"})
    if (fs::exists(root / folder))
      for (const auto& entry : fs::recursive_directory_iterator(root / folder)) add(entry.path());
  for (const auto& entry : fs::directory_iterator(root)) add(entry.path());
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.path < b.path; });
  return files;
}

}  // namespace ptmc::tidy
