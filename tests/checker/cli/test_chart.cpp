// Charts place values where they belong, and their page needs nothing from outside.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "checker/cli/chart.hpp"
#include "checker/cli/time.hpp"

using namespace ptmc;
using namespace ptmc::cli;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void check_ticks(const Axis& axis) {
  CHECK(axis.ticks().size() >= 3);
  CHECK(axis.ticks().size() <= 8);
  for (const double t : axis.ticks()) {
    CHECK(axis.place(t) >= -1e-9);
    CHECK(axis.place(t) <= 1 + 1e-9);
  }
}

}  // namespace

TEST_CASE("a linear axis begins at zero") {
  const Axis axis({20, 50, 70}, false);
  CHECK_FALSE(axis.logarithmic());
  CHECK(axis.place(0) == 0);
  CHECK(axis.place(70) < 1);
  CHECK(axis.ticks().front() == 0);
  check_ticks(axis);
}

TEST_CASE("what lies far apart, and ratios, are told by logarithms") {
  const Axis far({2, 5000}, false);
  CHECK(far.logarithmic());
  CHECK(far.place(100) - far.place(10) == doctest::Approx(far.place(1000) - far.place(100)));
  check_ticks(far);
  const Axis ratios({0.5, 2, 1}, true);
  CHECK(ratios.logarithmic());
  CHECK(ratios.place(1) == doctest::Approx(0.5));
  check_ticks(ratios);
}

TEST_CASE("zeros, infinities and a single value have their place, too") {
  for (const bool by_ratio : {false, true}) {
    CHECK_FALSE(Axis({0, 500}, by_ratio).logarithmic());
    for (const std::vector<double>& values : {std::vector<double>{0},
                                              {0, 0},
                                              {5},
                                              {1},
                                              {-infinite, 3, infinite},
                                              {-infinite, infinite},
                                              {},
                                              {1e-9, 1e9},
                                              {0.98, 1.02}}) {
      const Axis axis(values, by_ratio);
      check_ticks(axis);
      for (const double v : values)
        if (std::isfinite(v)) {
          CHECK(axis.place(v) >= 0);
          CHECK(axis.place(v) <= 1);
        }
    }
  }
}

TEST_CASE("a mark without an interval is hollow") {
  const std::string text =
      chart("t", {{"a<b", native::estimate({1, 2}), "1.5"}, {"c", {2, 1, 3, 9}, "2"}}, 1);
  CHECK(has(text, "class=\"hollow\""));
  CHECK(has(text, "class=\"dot\""));
  CHECK(has(text, "class=\"reference\""));
  CHECK(has(text, "a&lt;b"));
  CHECK_FALSE(has(text, "inf"));
  CHECK_FALSE(has(text, "nan"));
}

TEST_CASE("the page keeps published figures apart and loads nothing") {
  native::kernel::KernelReport r;
  r.seed = "007";
  r.sentence = "A & B";
  r.published = {"19x elsewhere"};
  r.rows = {{"case",
             {{3, "pages"}},
             "as wanted",
             "ns a page",
             native::Estimate{2, 1, 3, 9},
             "other",
             native::Estimate{0.5, 0.4, 0.6, 9}}};
  const std::string page = html_of({"6.18.0", "x86_64", {r}, 1000});
  for (const char* part : {"A &amp; B", "Published: other machine, other unit", "19x elsewhere",
                           "default-src 'none'", "faster, against other", "3 pages"}) {
    CAPTURE(part);
    CHECK(has(page, part));
  }
  for (const char* part : {"http:", "https:", "<script", "<link", "<img", "url(", "@import"}) {
    CAPTURE(part);
    CHECK_FALSE(has(page, part));
  }
}
