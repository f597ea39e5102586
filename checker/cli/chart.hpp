// Estimates as a picture: a dot for each median, a line for its 95% interval, in SVG that needs nothing from
// outside.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "checker/native/statistics.hpp"

namespace ptmc::cli {

/// Text as HTML or SVG shows it.
std::string escaped(const std::string& text);

/// Where values lie between 0 and 1.
class Axis {
 public:
  /// From zero, or by logarithms if all values are above zero and `by_ratio`, or far apart. Infinite values
  /// are left out.
  Axis(const std::vector<double>& values, bool by_ratio);
  double place(double value) const;
  /// Three to eight, ascending.
  const std::vector<double>& ticks() const { return ticks_; }
  bool logarithmic() const { return logarithmic_; }

 private:
  void tick_logarithmic();
  void tick_linear(double first, double last);

  bool logarithmic_ = false;
  double low_ = 0, high_ = 1;
  std::vector<double> ticks_;
};

struct Mark {
  std::string name;
  native::Estimate estimate;
  std::string text;  // The numbers, beside the mark.
};

/// One line a mark. `reference` (1, of ratios) is drawn through all and makes the axis logarithmic.
std::string chart(const std::string& title, const std::vector<Mark>& marks, std::optional<double> reference);

}  // namespace ptmc::cli
