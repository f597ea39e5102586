#include <fmt/core.h>

#include <algorithm>

#include "checker/cli/chart.hpp"
#include "checker/cli/text.hpp"
#include "checker/cli/time.hpp"

namespace ptmc::cli {
namespace {

using native::kernel::Count;
using native::kernel::KernelReport;
using native::kernel::Row;

constexpr const char* style = R"(
:root { color-scheme: light dark; --back: #ffffff; --text: #1c1c1e; --quiet: #5a5a62; --line: #d5d5dc;
  --panel: #f5f5f8; --accent: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --back: #17181c; --text: #e6e6ea; --quiet: #a5a6b0;
  --line: #3a3b44;
  --panel: #202127; --accent: #8ab4f8; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 66rem; padding: 0.75rem 1rem; background: var(--back);
  color: var(--text);
  font: 0.9375rem/1.45 system-ui, sans-serif; }
h1 { font-size: 1.2rem; margin: 0 0 0.25rem; }
h2 { font-size: 1.05rem; margin: 2rem 0 0.25rem; border-top: 1px solid var(--line);
  padding-top: 0.75rem; }
h3 { font-size: 0.9375rem; margin: 1rem 0 0.2rem; }
p, ul { margin: 0.25rem 0; }
ul { padding-left: 1.2rem; }
.quiet { color: var(--quiet); }
.chart, .table { overflow-x: auto; }
svg { display: block; width: 100%; min-width: 50rem; height: auto; font: 13px system-ui, sans-serif; }
svg text { fill: var(--text); }
svg .tick { fill: var(--quiet); text-anchor: middle; font-size: 12px; }
svg .number { font-variant-numeric: tabular-nums; }
.grid { stroke: var(--line); fill: none; }
.reference { stroke: var(--quiet); stroke-dasharray: 4 3; fill: none; }
.interval { stroke: var(--accent); stroke-width: 2; fill: none; }
.dot { fill: var(--accent); }
.hollow { fill: var(--back); stroke: var(--accent); stroke-width: 2; }
table { border-collapse: collapse; font-size: 0.875rem; }
th, td { text-align: left; vertical-align: top; padding: 0.15rem 1rem 0.15rem 0;
  border-bottom: 1px solid var(--line); }
.other { background: var(--panel); border: 1px dashed var(--quiet); border-radius: 6px;
  padding: 0.5rem 0.75rem;
  margin: 0.75rem 0; }
)";

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
  std::string text =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n"
      "<title>System calls of the running kernel</title>\n<style>" +
      std::string(style) + "</style>\n</head>\n<body>\n<h1>System calls of the running kernel</h1>\n";
  text +=
      fmt::format("<p class=\"quiet\">{} on {}, in {:.1f} s: this machine's numbers, nobody else's.</p>\n",
                  escaped(timing.kernel), escaped(timing.machine), timing.wall_ms / 1000);
  for (const KernelReport& r : timing.reports) text += section(r);
  return text + "</body>\n</html>\n";
}

}  // namespace ptmc::cli
