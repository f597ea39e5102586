#include "properties/machine/names.hpp"

#include <sstream>

namespace ptmc::machine {

std::string commas(const std::string& names) {
  std::string text;
  for (const char c : names) text += c == ' ' ? std::string(", ") : std::string(1, c);
  return text;
}

bool lists(const std::string& names, const std::string& name) {
  return (" " + names + " ").find(" " + name + " ") != std::string::npos;
}

std::string without(const std::string& names, const std::string& others) {
  std::istringstream in(names);
  std::string left;
  for (std::string one; in >> one;)
    if (!lists(others, one)) left += (left.empty() ? "" : " ") + one;
  return left;
}

}  // namespace ptmc::machine
