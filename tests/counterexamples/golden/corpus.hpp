// What counterexamples/golden holds: of each machine in the catalogue what is expected to be violated.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "properties/catalog.hpp"

namespace ptmc::golden {

extern const std::filesystem::path folder;

struct Entry {
  std::string name;  // "B06-arm64", "seed000-H1-stale-x86_64": its files without their endings.
  Claim claim;
};
std::vector<Entry> corpus();

std::string read(const std::string& name);
void write(const std::string& name, const std::string& text);

}  // namespace ptmc::golden
