#include <fmt/core.h>

#include "checker/cli/chart.hpp"
#include "checker/cli/page.hpp"
#include "checker/cli/text.hpp"
#include "checker/cli/time_native.hpp"

namespace ptmc::cli {
namespace {

using namespace ptmc::native;

std::string row_name(const native::Timing& t, const Timed& w) {
  return fmt::format("{}{}, {}", size_text(t.layout.entries),
                     t.layout.flush == Flush::none ? "" : " interrupts", w.way->name);
}
std::string interval_text(const Estimate& e, const char* unit) {
  return e.bounded() ? fmt::format("{:.3g} [{:.3g}, {:.3g}]{}", e.median, e.low, e.high, unit)
                     : fmt::format("{:.3g}{} ({} runs)", e.median, unit, e.runs);
}
std::string charted(const std::string& title, const std::vector<Mark>& marks,
                    std::optional<double> reference) {
  if (marks.empty()) return "";
  return "<h3>" + escaped(title) + "</h3>\n" + chart(title, marks, reference);
}

std::string counts_table(const Subject& s) {
  std::string text =
      "<h3>Exact counts, one page table</h3>\n<div class=\"table\"><table>\n"
      "<tr><th>folios of</th><th>way</th><th>counts</th><th>batches</th></tr>\n";
  for (const u64 folio : s.folios)
    for (const Way& way : s.ways) {
      const Way::Counts counts = counts_of(s, way, {counted_max, folio, Flush::none});
      std::string batches;
      for (const auto& [length, number] : counts.batches)
        batches += (batches.empty() ? "" : ", ") + grouped(number) + " of " + grouped(length);
      text += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", folio, escaped(way.name),
                          escaped(to_text(counts.bill, *s.tariff)), batches);
    }
  return text + "</table></div>\n";
}

std::string section(const SubjectTiming& s) {
  std::string text = "<section>\n<h2>" + escaped(s.subject->name) + ", entries of " +
                     escaped(s.subject->arch) + "</h2>\n<p>" + escaped(s.subject->sentence) +
                     "; natively and " + "in the model alike for " + grouped(s.compared.steps) +
                     " steps.</p>\n";
  for (const u64 folio : s.subject->folios) {
    std::vector<Mark> times, ratios;
    u64 lost = 0;
    for (const native::Timing& t : s.rows) {
      if (t.layout.folio != folio) continue;
      lost += t.ways.empty();
      for (const Timed& w : t.ways) {
        times.push_back({row_name(t, w), w.steps, interval_text(w.steps, " ns")});
        if (&w != &t.ways.front())
          ratios.push_back({row_name(t, w), w.ratio,
                            interval_text(w.ratio, "") + " " + std::string(to_string(compare(w.ratio))) +
                                fmt::format("; by hand {:.3g}", w.ratio_by_hand.median)});
      }
    }
    const std::string folios = ", folios of " + std::to_string(folio) + (folio == 1 ? " page" : " pages");
    text +=
        charted("Nanoseconds a change" + folios, times, std::nullopt) +
        (lost == 0 ? "" : fmt::format("<p>{} rows are missing: the busy CPU was taken away.</p>\n", lost)) +
        charted("Ratios to " + std::string(s.subject->ways[0].name) + folios + "; 1 is no difference", ratios,
                1);
  }
  text += "<div class=\"other\"><strong>Published: other machine, other unit</strong>\n<p>" +
          escaped(s.subject->published) + ".</p>\n</div>\n";
  return text + counts_table(*s.subject) + "</section>\n";
}

}  // namespace

std::string html_of(const NativeTiming& timing) {
  std::string sections;
  for (const SubjectTiming& s : timing.subjects) sections += section(s);
  return page_of("Steps of the machines over tables in memory",
                 "Medians and 95% intervals of runs in turns: this machine's numbers, nobody else's.",
                 sections);
}

}  // namespace ptmc::cli
