#include <cmath>
#include <map>

#include "checker/cli/options.hpp"

namespace ptmc::cli {
namespace {

// `units` maps a suffix to its factor.
u64 parse_quantity(const std::string& option, const std::string& text,
                   const std::map<std::string, double>& units, const char* examples) {
  const std::string cure = option + " takes a number such as " + examples + ", not '" + text + "'";
  std::size_t used = 0;
  double number = 0;
  try {
    if (text.empty() || (text[0] < '0' || text[0] > '9')) throw InputError(cure);
    number = std::stod(text, &used);
  } catch (const std::logic_error&) {
    throw InputError(cure);
  }
  while (used < text.size() && text[used] == ' ') ++used;
  const auto unit = units.find(text.substr(used));
  if (unit == units.end()) throw InputError(cure);
  const double value = std::floor(number * unit->second);
  if (!(value >= 1))
    throw InputError(option + " of " + text + " would run nothing; leave it out for no limit");
  if (value >= 0x1p63)
    throw InputError(option + " of " + text + " is beyond any machine; leave it out for no limit");
  return static_cast<u64>(value);
}

}  // namespace

u64 parse_count(const std::string& option, const std::string& text) {
  return parse_quantity(option, text, {{"", 1}, {"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}},
                        "2000000 or 2M");
}

u64 parse_bytes(const std::string& option, const std::string& text) {
  std::map<std::string, double> units{{"", 1}, {"B", 1}};
  double factor = 1;
  for (const char* prefix : {"K", "M", "G", "T"}) {
    factor *= 1024;
    for (const char* ending : {"", "B", "iB"}) units[std::string(prefix) + ending] = factor;
  }
  return parse_quantity(option, text, units, "512M or 2G");
}

u64 parse_time_ms(const std::string& option, const std::string& text) {
  return parse_quantity(
      option, text, {{"", 1e3}, {"s", 1e3}, {"ms", 1}, {"m", 6e4}, {"min", 6e4}, {"h", 3.6e6}}, "90s or 2m");
}

}  // namespace ptmc::cli
