#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checker/cli/commands.hpp"
#include "checker/cli/select.hpp"
#include "checker/cli/text.hpp"

namespace ptmc::cli {
namespace {

// Entries that differ in architecture or features only, in one paragraph.
std::string paragraphs(const std::vector<Claim>& claims) {
  std::string text;
  const Claim* before = nullptr;
  for (const Claim& c : claims) {
    if (before == nullptr || before->name != c.name) text += c.name + "\n" + wrapped(c.sentence, 2);
    std::string line = fmt::format("    {:<7} {}", c.arch, to_string(c.expected));
    if (!c.features.empty()) line += "  " + c.features;
    if (!c.instance.empty()) line += "  in " + c.instance;
    text += line.size() <= columns ? line + "\n" : wrapped(line, 4);
    before = &c;
  }
  return text;
}

std::string json_of(const std::vector<Claim>& claims) {
  nlohmann::ordered_json j;
  j["claims"] = nlohmann::ordered_json::array();
  for (const Claim& c : claims)
    j["claims"].push_back({{"claim", c.name},
                           {"sentence", c.sentence},
                           {"arch", c.arch},
                           {"features", c.features},
                           {"instance", c.instance},
                           {"property", c.property},
                           {"expected", to_string(c.expected)}});
  return j.dump(1) + "\n";
}

std::string told_paths(const std::vector<Claim>& claims, const Options& options) {
  const std::vector<std::string> paths = paths_of(claims);
  if (paths.empty()) throw InputError("these claims have no steps that --mutate could name");
  if (options.json) return nlohmann::ordered_json{{"paths", paths}}.dump(1) + "\n";
  std::string text;
  for (const std::string& p : paths) text += p + "\n";
  return text;
}

}  // namespace

Exit list(const Options& options, const Catalog& catalog, Output& out) {
  const auto claims = select(catalog, options.claims, options.arch);
  if (options.paths)
    deliver(options, told_paths(claims, options), out);
  else
    deliver(options, options.json ? json_of(claims) : paragraphs(claims), out);
  return Exit::ok;
}

}  // namespace ptmc::cli
