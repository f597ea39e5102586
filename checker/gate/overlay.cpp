#include "checker/gate/overlay.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "checker/verdict.hpp"

namespace ptmc::gate {
namespace fs = std::filesystem;
namespace {

struct Range {
  std::size_t begin, end;
};

// From the opening brace of the function's definition to its closing one.
Range body_of(const std::string& source, const std::string& function) {
  const std::regex head("\\b" + function + R"(\s*\([^;{}]*\)\s*\{)");
  std::smatch match;
  if (!std::regex_search(source, match, head)) return {0, 0};
  Range body{static_cast<std::size_t>(match.position() + match.length()), source.size()};
  unsigned depth = 1;
  for (std::size_t i = body.begin; i < source.size() && depth > 0; ++i) {
    depth += source[i] == '{' ? 1 : 0;
    depth -= source[i] == '}' ? 1 : 0;
    body.end = i;
  }
  return body;
}

}  // namespace

Edit parse_edit(const std::string& spec) {
  const auto equals = spec.find("=s");
  const auto bad = [&] { return InputError("an edit reads FILE[:FUNCTION]=s/PATTERN/TEXT/, not " + spec); };
  if (equals == std::string::npos || equals + 3 > spec.size()) throw bad();
  Edit edit;
  const std::string place = spec.substr(0, equals), script = spec.substr(equals + 2);
  const auto colon = place.find(':');
  edit.file = place.substr(0, colon);
  if (colon != std::string::npos) edit.function = place.substr(colon + 1);
  const auto second = script.find(script[0], 1);
  if (second == std::string::npos || script.size() < second + 2 || script.back() != script[0]) throw bad();
  edit.pattern = script.substr(1, second - 1);
  edit.text = script.substr(second + 1, script.size() - second - 2);
  if (edit.file.empty() || edit.pattern.empty()) throw bad();
  return edit;
}

std::string apply_edit(const std::string& source, const Edit& edit) {
  Range where{0, source.size()};
  if (!edit.function.empty()) where = body_of(source, edit.function);
  if (where.end == 0) throw InputError("no function " + edit.function + " in " + edit.file);
  const std::string before = source.substr(where.begin, where.end - where.begin);
  std::string after;
  try {
    after = std::regex_replace(before, std::regex(edit.pattern), edit.text);
  } catch (const std::regex_error& e) {
    throw InputError("bad pattern " + edit.pattern + ": " + e.what());
  }
  if (after == before) throw InputError(edit.pattern + " changes nothing in " + edit.file);
  return source.substr(0, where.begin) + after + source.substr(where.end);
}

fs::path write_overlay(const fs::path& root, const std::vector<Edit>& edits, const fs::path& folder) {
  std::map<std::string, std::string> texts;
  for (const Edit& edit : edits) {
    auto text = texts.try_emplace(edit.file, "").first;
    if (text->second.empty()) text->second = read_file(root / edit.file);
    text->second = apply_edit(text->second, edit);
  }
  nlohmann::ordered_json roots = nlohmann::ordered_json::array();
  for (const auto& [file, text] : texts) {
    write_file(folder / file, text);
    roots.push_back({{"name", (root / file).string()},
                     {"type", "file"},
                     {"external-contents", (folder / file).string()}});
  }
  const nlohmann::ordered_json overlay = {{"version", 0}, {"use-external-names", false}, {"roots", roots}};
  write_file(folder / "overlay.json", overlay.dump(1));
  return folder / "overlay.json";
}

}  // namespace ptmc::gate
