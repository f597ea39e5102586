#include "tests/counterexamples/golden/corpus.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace ptmc::golden {
namespace {

std::string stem(std::string name) {
  for (const char* family : {"bug/", "mremap/"})
    if (name.starts_with(family)) return name.substr(std::string(family).size());
  std::replace(name.begin(), name.end(), '/', '-');
  return name;
}

}  // namespace

const std::filesystem::path folder = std::filesystem::path(PTMC_SOURCE_DIR) / "counterexamples" / "golden";

std::vector<Entry> corpus() {
  std::vector<Entry> all;
  for (Claim& c : catalog())
    if (c.system && c.voice != nullptr && c.expected == Verdict::violated && !c.name.starts_with("litmus/"))
      all.push_back({stem(c.name) + "-" + c.arch, std::move(c)});
  return all;
}

std::string read(const std::string& name) {
  std::ifstream in(folder / name, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write(const std::string& name, const std::string& text) {
  std::ofstream(folder / name, std::ios::binary) << text;
}

}  // namespace ptmc::golden
