#include <fmt/core.h>

#include <algorithm>

#include "checker/cli/chart.hpp"
#include "checker/cli/page.hpp"
#include "checker/cli/text.hpp"
#include "checker/cli/time.hpp"

namespace ptmc::cli {
namespace {

using native::kernel::Count;
using native::kernel::KernelReport;
using native::kernel::Row;

std::string list(const char* title, const std::vector<std::string>& sentences) {
  if (sentences.empty()) return "";
  std::string text = fmt::format("<h3>{}</h3>\n<ul>\n", title);
  for (const std::string& s : sentences) text += "<li>" + escaped(s) + "</li>\n";
  return text + "</ul>\n";
}

// One chart a unit: what is measured in two has no common axis.
std::string charts(const KernelReport& r) {
  std::vector<std::string> units;
  for (const Row& row : r.rows)
    if (row.value && std::find(units.begin(), units.end(), row.unit) == units.end())
      units.push_back(row.unit);
  std::string text;
  for (const std::string& unit : units) {
    std::vector<Mark> marks;
    for (const Row& row : r.rows)
      if (row.value && row.unit == unit) marks.push_back({row.name, *row.value, told(*row.value, "")});
    const std::string title = unit + ", median and 95% interval";
    text += "<h3>" + escaped(title) + "</h3>\n" + chart(title, marks, std::nullopt);
  }
  std::vector<Mark> ratios;
  for (const Row& row : r.rows)
    if (row.ratio)
      ratios.push_back(
          {row.name, *row.ratio, told(*row.ratio, row.comparison()) + ", against " + row.against});
  if (ratios.empty()) return text;
  const std::string title = "Ratios of paired runs; 1 is no difference";
  return text + "<h3>" + title + "</h3>\n" + chart(title, ratios, 1);
}

std::string table(const KernelReport& r) {
  if (r.rows.empty()) return "";
  std::string text =
      "<h3>Exact counts, and what the pages are</h3>\n<div "
      "class=\"table\"><table>\n<tr><th>case</th><th>counts</th>"
      "<th>compared with</th><th>verified</th></tr>\n";
  for (const Row& row : r.rows) {
    std::string counts;
    for (const Count& c : row.counts)
      counts += (counts.empty() ? "" : ", ") + grouped(c.value) + " " + c.what;
    text += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", escaped(row.name),
                        escaped(counts), escaped(row.against), escaped(row.verified));
  }
  return text + "</table></div>\n";
}

std::string section(const KernelReport& r) {
  std::string text =
      "<section>\n<h2>Seed " + escaped(r.seed) + "</h2>\n<p>" + escaped(r.sentence) + ".</p>\n";
  text += charts(r);
  text += "<div class=\"other\"><strong>Published: other machine, other unit</strong>\n";
  for (const std::string& p : r.published) text += "<p>" + escaped(p) + ".</p>\n";
  text += "</div>\n" + list("From these numbers", r.findings) + table(r);
  if (r.measured()) text += list("To read it", r.notes);
  return text + list("Could not be done here", r.could_not) + "</section>\n";
}

}  // namespace

std::string html_of(const KernelTiming& timing) {
  std::string sections;
  for (const KernelReport& r : timing.reports) sections += section(r);
  return page_of("System calls of the running kernel",
                 fmt::format("{} on {}, in {:.1f} s: this machine's numbers, nobody else's.", timing.kernel,
                             timing.machine, timing.wall_ms / 1000),
                 sections);
}

}  // namespace ptmc::cli
