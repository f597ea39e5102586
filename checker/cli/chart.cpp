#include "checker/cli/chart.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "checker/cli/time.hpp"

namespace ptmc::cli {
namespace {

constexpr double width = 1080, names_width = 210, plot = 330, row_height = 26, top = 8, bottom = 34;
constexpr double far_apart = 20;  // Greatest by least: beyond it a linear axis shows nothing of the least.

double x_of(const Axis& axis, double value) { return names_width + plot * axis.place(value); }

// Of one mark: interval with its ends, and the dot; hollow without an interval.
std::string drawn(const Mark& m, const Axis& axis, double y) {
  const native::Estimate& e = m.estimate;
  std::string text = fmt::format("<g><title>{}: {}</title>", escaped(m.name), escaped(m.text));
  text += fmt::format("<text x=\"0\" y=\"{:.1f}\">{}</text>", y + 4, escaped(m.name));
  if (e.bounded()) {
    const double left = x_of(axis, e.low), right = x_of(axis, e.high);
    text += fmt::format(
        "<path class=\"interval\" d=\"M{:.1f} {:.1f}V{:.1f}M{:.1f} {:.1f}H{:.1f}M{:.1f} {:.1f}V{:.1f}\"/>",
        left, y - 5, y + 5, left, y, right, right, y - 5, y + 5);
  }
  text += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>",
                      e.bounded() ? "dot" : "hollow", x_of(axis, e.median), y);
  text += fmt::format("<text class=\"number\" x=\"{:.0f}\" y=\"{:.1f}\">{}</text></g>\n",
                      names_width + plot + 18, y + 4, escaped(m.text));
  return text;
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

Axis::Axis(const std::vector<double>& values, bool by_ratio) {
  double least = INFINITY, greatest = -INFINITY;
  for (const double v : values) {
    if (!std::isfinite(v)) continue;
    least = std::min(least, v);
    greatest = std::max(greatest, v);
  }
  if (greatest < least) least = 0, greatest = 1;
  logarithmic_ = least > 0 && (by_ratio || greatest > far_apart * least);
  if (logarithmic_) {
    low_ = std::log10(least) - 0.05;
    high_ = std::log10(greatest) + 0.05;
    tick_logarithmic();
  } else {
    low_ = std::min(0.0, least);
    high_ = greatest > low_ ? greatest + (greatest - low_) * 0.05 : low_ + 1;
    tick_linear(low_, high_);
  }
}

double Axis::place(double value) const {
  return ((logarithmic_ ? std::log10(value) : value) - low_) / (high_ - low_);
}

// Powers of ten; 2 and 5 between them where there are few; steps of one length where there are fewer.
void Axis::tick_logarithmic() {
  const std::vector<std::vector<double>> finer{{1}, {1, 2, 5}};
  for (const auto& steps : finer) {
    ticks_.clear();
    for (int power = static_cast<int>(std::floor(low_)); power <= high_; ++power)
      for (const double step : steps) {
        const double at = std::log10(step) + power;
        if (at >= low_ && at <= high_) ticks_.push_back(step * std::pow(10.0, power));
      }
    if (ticks_.size() >= 3) break;
  }
  if (ticks_.size() < 3) tick_linear(std::pow(10.0, low_), std::pow(10.0, high_));
  while (ticks_.size() > 8) {
    std::vector<double> fewer;
    for (std::size_t k = 0; k < ticks_.size(); k += 2) fewer.push_back(ticks_[k]);
    ticks_ = fewer;
  }
}

void Axis::tick_linear(double first, double last) {
  const double rough = (last - first) / 4, power = std::pow(10.0, std::floor(std::log10(rough)));
  const double step = rough / power >= 5 ? 5 * power : rough / power >= 2 ? 2 * power : power;
  ticks_.clear();
  for (double k = std::ceil(first / step); k * step <= last; ++k) ticks_.push_back(k * step);
}

std::string chart(const std::string& title, const std::vector<Mark>& marks, std::optional<double> reference) {
  std::vector<double> values;
  for (const Mark& m : marks)
    values.insert(values.end(), {m.estimate.median, m.estimate.low, m.estimate.high});
  if (reference) values.push_back(*reference);
  const Axis axis(values, reference.has_value());
  const double end = top + row_height * static_cast<double>(marks.size()), height = end + bottom;
  std::string text =
      fmt::format("<div class=\"chart\"><svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n",
                  width, height, escaped(title));
  for (const double t : axis.ticks())
    text += fmt::format(
        "<path class=\"grid\" d=\"M{0:.1f} {1:.0f}V{2:.0f}\"/><text class=\"tick\" x=\"{0:.1f}\" "
        "y=\"{3:.0f}\">{4:g}</text>\n",
        x_of(axis, t), top, end, end + 16, t);
  if (reference)
    text += fmt::format("<path class=\"reference\" d=\"M{0:.1f} {1:.0f}V{2:.0f}\"/>\n",
                        x_of(axis, *reference), top, end);
  for (std::size_t k = 0; k < marks.size(); ++k)
    text += drawn(marks[k], axis, top + row_height * (static_cast<double>(k) + 0.5));
  return text + "</svg></div>\n";
}

}  // namespace ptmc::cli
