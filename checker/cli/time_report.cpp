#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "checker/cli/text.hpp"
#include "checker/cli/time.hpp"

namespace ptmc::cli {
namespace {

using Json = nlohmann::ordered_json;
using native::Estimate;
using native::kernel::Count;
using native::kernel::KernelReport;
using native::kernel::Row;

constexpr std::size_t name_columns = 28;

// Verified once for all rows of which it is said.
std::string verified_text(const KernelReport& r) {
  std::string text;
  std::vector<std::string> told;
  for (const Row& row : r.rows) {
    if (row.verified.empty() || std::find(told.begin(), told.end(), row.verified) != told.end()) continue;
    told.push_back(row.verified);
    std::string names;
    bool all = true;
    for (const Row& other : r.rows) {
      if (other.verified == row.verified)
        names += (names.empty() ? "" : "; ") + other.name;
      else if (!other.verified.empty())
        all = false;
    }
    text += wrapped((all ? "all" : names) + ": " + row.verified, 4);
  }
  return text;
}

std::string counts_text(const Row& row) {
  std::string text;
  for (const Count& c : row.counts) text += (text.empty() ? "" : ", ") + grouped(c.value) + " " + c.what;
  return text;
}

// A name in its column, and what is said of it beside.
std::string line_of(const std::string& name, const std::string& text) {
  return fmt::format("    {:<{}}{}\n", name, name_columns, text);
}

std::string section(const char* title, const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& s : sentences) text += wrapped(s, 4);
  return text.empty() ? text : "  " + std::string(title) + "\n" + text;
}

// What all divide by is said once.
std::string ratios_text(const KernelReport& r) {
  std::vector<std::string> against;
  for (const Row& row : r.rows)
    if (row.ratio) against.push_back(row.against);
  if (against.empty()) return "";
  const bool same = std::count(against.begin(), against.end(), against[0]) == std::ssize(against);
  std::string text = wrapped("ratios of paired runs" + (same ? ", against " + against[0] : ""), 2);
  for (const Row& row : r.rows) {
    if (!row.ratio) continue;
    text += line_of(row.name, told(*row.ratio, row.comparison()));
    if (!same) text += wrapped("against " + row.against, 6);
  }
  return text;
}

std::string text_of(const KernelReport& r) {
  std::string text = "seed " + r.seed + "\n" + wrapped(r.sentence, 2);
  std::string counts, values;
  for (const Row& row : r.rows) {
    if (!row.counts.empty()) counts += line_of(row.name, counts_text(row));
    if (row.value) values += line_of(row.name, told(*row.value, row.unit));
  }
  if (!counts.empty()) text += "  exact counts\n" + counts;
  if (!r.rows.empty()) text += "  what the pages are\n" + verified_text(r);
  if (!values.empty()) text += "  measured: median [95% interval]\n" + values;
  text += ratios_text(r) + section("from these numbers", r.findings) +
          (r.measured() ? section("to read it", r.notes) : "") +
          section("could not be done here", r.could_not);
  return text + section("published (other machine, other unit)", r.published);
}

Json json_of(const Estimate& e) {
  Json j{{"median", e.median}};
  j["low"] = e.bounded() ? Json(e.low) : Json();  // No interval, no number.
  j["high"] = e.bounded() ? Json(e.high) : Json();
  j["runs"] = e.runs;
  return j;
}

Json cases_of(const KernelReport& r) {
  Json cases = Json::array();
  for (const Row& row : r.rows) {
    Json counts = Json::array();
    for (const Count& c : row.counts) counts.push_back({{"count", c.value}, {"what", c.what}});
    cases.push_back({{"case", row.name}, {"unit", row.unit}, {"against", row.against}, {"counts", counts}});
  }
  return cases;
}

Json measured_of(const KernelReport& r) {
  Json rows = Json::array();
  for (const Row& row : r.rows) {
    Json j{{"case", row.name}, {"verified", row.verified}};
    j["value"] = row.value ? json_of(*row.value) : Json();
    j["ratio"] = row.ratio ? json_of(*row.ratio) : Json();
    j["comparison"] = row.comparison().empty() ? Json() : Json(row.comparison());
    rows.push_back(std::move(j));
  }
  return {{"seed", r.seed}, {"rows", rows}, {"findings", r.findings}};
}

}  // namespace

std::string figure(double number) {
  const double size = std::abs(number);
  const int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 || size == 0 ? 2 : 3;
  return fmt::format("{:.{}f}", number, size == 0 ? 0 : decimals);
}

std::string told(const Estimate& e, const std::string& unit) {
  const std::string suffix = unit.empty() ? "" : " " + unit;
  if (!e.bounded()) return figure(e.median) + suffix + fmt::format(" ({} runs: no interval)", e.runs);
  return figure(e.median) + " [" + figure(e.low) + ", " + figure(e.high) + "]" + suffix;
}

std::string text_of(const KernelTiming& timing) {
  std::string text = wrapped("System calls of the running kernel, " + timing.kernel + " on " +
                                 timing.machine + ": this machine's numbers, nobody else's.",
                             0);
  for (const KernelReport& r : timing.reports) text += "\n" + text_of(r);
  return text + fmt::format("\n{:.1f} s\n", timing.wall_ms / 1000);
}

std::string json_of(const KernelTiming& timing, const std::string& again) {
  Json j{{"kernel", timing.kernel}, {"machine", timing.machine}};
  j["seeds"] = Json::array();
  Json measured = Json::array();
  for (const KernelReport& r : timing.reports) {
    j["seeds"].push_back({{"seed", r.seed},
                          {"sentence", r.sentence},
                          {"published", {{"where", "other machine, other unit"}, {"figures", r.published}}},
                          {"cases", cases_of(r)},
                          {"notes", r.notes},
                          {"could_not", r.could_not}});
    measured.push_back(measured_of(r));
  }
  j["reproduce"] = again;
  j["timing"] = {{"seeds", measured}, {"wall_ms", timing.wall_ms}};
  return j.dump(1) + "\n";
}

}  // namespace ptmc::cli
