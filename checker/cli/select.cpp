#include "checker/cli/select.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "checker/lower/setup.hpp"

namespace ptmc::cli {
namespace {

bool named(const Claim& claim, const std::string& name) {
  return claim.name == name || claim.name.starts_with(name + "/") || claim.instance == name ||
         fnmatch(name.c_str(), claim.name.c_str(), 0) == 0;
}

bool on(const Claim& claim, const std::string& arch) {
  return arch == "all" || claim.arch == "any" || claim.arch == arch;
}

std::vector<std::string> names_of(const std::vector<Claim>& catalog) {
  std::vector<std::string> names;
  for (const Claim& c : catalog) {
    names.push_back(c.name);
    names.push_back(c.name.substr(0, c.name.find('/')));
    names.push_back(c.instance);
  }
  return names;
}

}  // namespace

std::vector<std::string> paths_of(const std::vector<Claim>& claims) {
  std::vector<std::string> paths;
  std::set<std::string> seen;
  for (const Claim& c : claims) {
    if (!c.paths) continue;
    try {
      for (std::string& p : c.paths())
        if (seen.insert(p).second) paths.push_back(std::move(p));
    } catch (const NotApplicable&) {
      // A twin whose mutation another architecture has.
    } catch (const std::invalid_argument&) {  // Or a step that another architecture has.
    }
  }
  return paths;
}

std::string did_you_mean(const std::string& name, std::vector<std::string> candidates) {
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  // Half of the letters wrong is no longer a slip of the finger; what contains the name always counts.
  auto rank = [&](const std::string& c) {
    return c.find(name) != std::string::npos ? 1u : distance(name, c) * 2;
  };
  const auto far = static_cast<unsigned>(std::max<std::size_t>(name.size(), 4));
  std::erase_if(candidates, [&](const std::string& c) { return c.empty() || rank(c) > far; });
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  if (candidates.size() > 3) candidates.resize(3);
  std::string text;
  for (std::size_t k = 0; k < candidates.size(); ++k)
    text += (k == 0 ? "; did you mean " : k + 1 == candidates.size() ? " or " : ", ") + candidates[k];
  return text.empty() ? text : text + "?";
}

std::vector<Claim> select(const std::vector<Claim>& catalog, const std::vector<std::string>& names,
                          const std::string& arch) {
  for (const std::string& name : names)
    if (std::none_of(catalog.begin(), catalog.end(), [&](const Claim& c) { return named(c, name); }))
      throw InputError("there is no claim '" + name + "'" + did_you_mean(name, names_of(catalog)) +
                       " (`ptmc list` shows all)");
  std::vector<Claim> chosen;
  for (const Claim& c : catalog)
    if (on(c, arch) && (names.empty() || std::any_of(names.begin(), names.end(),
                                                     [&](const auto& name) { return named(c, name); })))
      chosen.push_back(c);
  if (chosen.empty()) throw InputError("nothing to do: no such claim speaks of " + arch);
  return chosen;
}

}  // namespace ptmc::cli
