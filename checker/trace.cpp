#include "checker/trace.hpp"

#include <algorithm>
#include <tuple>

namespace ptmc {

bool less(const DecodedState& a, const DecodedState& b) {
  const std::size_t common = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < common; ++i)
    if (a[i].value != b[i].value) return a[i].value < b[i].value;
  if (a.size() != b.size()) return a.size() < b.size();
  for (std::size_t i = 0; i < common; ++i)
    if (a[i].name != b[i].name) return a[i].name < b[i].name;
  return false;
}

bool equal(const DecodedState& a, const DecodedState& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Field& x, const Field& y) {
    return std::tie(x.name, x.value, x.width) == std::tie(y.name, y.value, y.width);
  });
}

std::string to_text(const Dimensions& dimensions) {
  std::string text;
  for (const Dimension& d : dimensions) {
    if (d.value == 0) continue;
    const bool one = d.value == 1 && d.name.ends_with('s');
    text += (text.empty() ? "" : ", ") + std::to_string(d.value) + " " +
            d.name.substr(0, d.name.size() - (one ? 1 : 0));
  }
  return text;
}

std::string label(const Action& action) {
  std::string text = action.actor.empty() ? action.step : action.actor + "/" + action.step;
  if (!action.instance.empty()) text += "(" + action.instance + ")";
  return text;
}

}  // namespace ptmc
