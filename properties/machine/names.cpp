#include "properties/machine/names.hpp"

#include <sstream>

namespace ptmc::machine {

std::string commas(const std::string& names) {
  std::string text;
  for (const char c : names) text += c == ' ' ? std::string(", ") : std::string(1, c);
  return text;
}

std::string without(const std::string& names, const std::string& others) {
  std::istringstream in(names);
  std::string left;
  for (std::string one; in >> one;)
    if ((" " + others + " ").find(" " + one + " ") == std::string::npos)
      left += (left.empty() ? "" : " ") + one;
  return left;
}

}  // namespace ptmc::machine
