#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checker/cli/text.hpp"
#include "checker/cli/time_native.hpp"

namespace ptmc::cli {

std::string size_text(u64 pages) {
  const u64 kib = pages * 4;
  if (kib < 1024) return std::to_string(kib) + " KiB";
  return kib < 1024 * 1024 ? std::to_string(kib / 1024) + " MiB" : std::to_string(kib / 1024 / 1024) + " GiB";
}

namespace {

using Json = nlohmann::ordered_json;
using namespace ptmc::native;

std::string pages_text(u64 pages) { return grouped(pages) + (pages == 1 ? " page" : " pages"); }

// ---- text ----
std::string batches_text(const Way::Counts& counts) {
  std::string text;
  for (const auto& [length, number] : counts.batches)
    text += (text.empty() ? "; " : ", ") + grouped(number) + (number == 1 ? " batch of " : " batches of ") +
            grouped(length);
  return text;
}
// Flushes for each thousand changes; nothing where the tariff has none.
std::string rate_text(const Subject& s, const Way::Counts& counts) {
  const auto flushes = flushes_in(s, counts);
  if (!flushes) return "";
  return fmt::format("; {:.4g} flushes per 1,000 changes",
                     1000 * static_cast<double>(*flushes) / static_cast<double>(counted_max * s.changes));
}
std::string counts_text(const Subject& s) {
  std::string text;
  for (const u64 folio : s.folios) {
    const Layout layout{counted_max, folio, Flush::none};
    text += "  exact counts, " + pages_text(layout.entries) + " in folios of " + grouped(folio) + "\n";
    for (const Way& way : s.ways) {
      const Way::Counts counts = counts_of(s, way, layout);
      text += wrapped(std::string(way.name) + ": " + to_text(counts.bill, *s.tariff) + batches_text(counts) +
                          rate_text(s, counts),
                      4);
    }
  }
  return text;
}
// Four digits, a fraction to three: "0.987", "31.4".
std::string ratio_figure(double ratio) {
  return ratio < 10 ? fmt::format("{:.3f}", ratio) : fmt::format("{:.3g}", ratio);
}
std::string ratio_text(const Estimate& ratio) {
  if (!ratio.bounded()) return ratio_figure(ratio.median) + fmt::format(" ({} runs)", ratio.runs);
  return ratio_figure(ratio.median) + " [" + ratio_figure(ratio.low) + ", " + ratio_figure(ratio.high) +
         "] " + std::string(to_string(compare(ratio)));
}
std::string row_text(const native::Timing& t) {
  std::string text;
  if (t.ways.empty())
    return fmt::format(" {:>7}  the busy CPU was taken away in every round\n", size_text(t.layout.entries));
  for (const Timed& w : t.ways) {
    const bool first = &w == &t.ways.front();
    text += fmt::format(
        " {:>7} {:<8}{:>8.1f} {:<34}{:>7.1f}{}\n", first ? size_text(t.layout.entries) : "", w.way->name,
        w.steps.median, first ? "" : ratio_text(w.ratio), w.by_hand.median,
        first ? "" : fmt::format("{:>5.{}f}", w.ratio_by_hand.median, w.ratio_by_hand.median < 10 ? 2 : 0));
  }
  if (t.dropped != 0) text += fmt::format(" {:>7}  {} rounds dropped\n", "", t.dropped);
  return text;
}
std::string text_of(const SubjectTiming& s) {
  std::string text =
      std::string(s.subject->name) + ", entries of " + s.subject->arch + "\n" +
      wrapped(std::string(s.subject->sentence) + "; at most " + pages_text(s.subject->per_call) + " a call",
              2) +
      wrapped("natively and in the model alike: " + grouped(s.compared.steps) + " steps, " +
                  grouped(s.compared.paths.size()) + " different ones",
              2) +
      counts_text(*s.subject);
  double overhead = 0;
  const Layout* before = nullptr;
  for (const native::Timing& t : s.rows) {
    if (before == nullptr || before->folio != t.layout.folio || before->flush != t.layout.flush)
      text += fmt::format("  ns a change, folios of {}, {}\n {:>7} {:<8}{:>8} {:<34}{:>12}\n", t.layout.folio,
                          t.layout.flush == Flush::none ? "no flush" : "a flush is an interrupt", "size", "",
                          "steps", "ratio [95%]", "by hand");
    before = &t.layout;
    text += row_text(t);
    for (const Timed& w : t.ways) overhead = std::max(overhead, w.overhead_ns);
  }
  return text +
         fmt::format("  a step takes at most {:.1f} ns longer than by hand: {} {} ns\n", overhead,
                     overhead <= overhead_ns_max ? "within" : "NOT within", overhead_ns_max) +
         wrapped("published (other machine, other unit): " + std::string(s.subject->published), 2);
}
std::string interrupts_text(const KernelInterrupts& kernel) {
  if (!kernel.missing.empty())
    return wrapped("TLB interrupts of mprotect are not counted: " + kernel.missing, 0);
  std::string text =
      "\nTLB interrupts of one CPU for mprotect(PROT_READ) and back: what the\n"
      "model sends, and what this kernel sent (median; /proc/interrupts, TLB)\n"
      "   pages   model  kernel\n";
  for (const CallInterrupts& row : kernel.rows)
    text += fmt::format("  {:>6}{:>8}{:>8}  {}{}\n", row.pages, row.model,
                        row.kernel ? fmt::format("{:g}", *row.kernel) : "?",
                        row.busy ? "the CPU is busy" : "nobody is there",
                        row.dropped == 0 ? "" : fmt::format(", {} rounds dropped", row.dropped));
  return text;
}

}  // namespace

std::string text_of(const NativeTiming& timing) {
  std::string text =
      "Steps of the machines that are explored and proved, over tables in\n"
      "memory; medians of runs in turns. By hand: the same as a loop.\n";
  if (timing.against_itself) text += "Against itself: the baseline stands in for every way.\n";
  if (timing.interrupts)
    text += fmt::format("A flush interrupts the busy CPU {:.2f} times (/proc/interrupts, CAL).\n",
                        *timing.interrupts);
  if (!timing.no_interrupts.empty()) text += wrapped("No rows with interrupts: " + timing.no_interrupts, 0);
  if (timing.kernel) text += interrupts_text(*timing.kernel);
  for (const SubjectTiming& s : timing.subjects) text += "\n" + text_of(s);
  return text;
}

namespace {

// ---- JSON ----
Json json_of(const Estimate& e) {
  Json j{{"median", e.median}, {"runs", e.runs}};
  if (e.bounded()) j["low"] = e.low, j["high"] = e.high;
  return j;
}
Json counts_json(const Subject& s, const Way& way, u64 folio) {
  const Way::Counts counts = counts_of(s, way, {counted_max, folio, Flush::none});
  Json j{{"folio_pages", folio}, {"pages", counted_max}, {"way", way.name}};
  for (std::size_t k = 0; k < counts.bill.size(); ++k) j[s.tariff->items[k].many] = counts.bill[k];
  for (const auto& [length, number] : counts.batches) j["batches"][std::to_string(length)] = number;
  return j;
}
Json json_of(const SubjectTiming& s) {
  Json rows = Json::array();
  for (const native::Timing& t : s.rows)
    for (const Timed& w : t.ways)
      rows.push_back({{"pages", t.layout.entries},
                      {"folio_pages", t.layout.folio},
                      {"flush", t.layout.flush == Flush::none ? "none" : "interrupt"},
                      {"way", w.way->name},
                      {"steps_ns", json_of(w.steps)},
                      {"by_hand_ns", json_of(w.by_hand)},
                      {"ratio", json_of(w.ratio)},
                      {"ratio_by_hand", json_of(w.ratio_by_hand)},
                      {"comparison", to_string(compare(w.ratio))},
                      {"overhead_ns_a_step", w.overhead_ns},
                      {"rounds_dropped", t.dropped}});
  return rows;
}
}  // namespace

std::string json_of(const NativeTiming& timing, const std::string& again) {
  Json j{{"command", again}, {"subjects", Json::array()}};
  Json measured = Json::object();
  for (const SubjectTiming& s : timing.subjects) {
    Json one{{"name", s.subject->name},
             {"arch", s.subject->arch},
             {"steps_compared", s.compared.steps},
             {"published", {{"where", "other machine, other unit"}, {"figures", {s.subject->published}}}},
             {"counts", Json::array()}};
    for (const u64 folio : s.subject->folios)
      for (const Way& way : s.subject->ways) one["counts"].push_back(counts_json(*s.subject, way, folio));
    j["subjects"].push_back(std::move(one));
    measured[s.subject->name] = json_of(s);
  }
  j["timing"] = {{"rows", std::move(measured)}};
  if (timing.kernel) {
    Json rows = Json::array();
    for (const CallInterrupts& row : timing.kernel->rows) {
      rows.push_back(
          {{"pages", row.pages}, {"busy", row.busy}, {"model", row.model}, {"dropped", row.dropped}});
      if (row.kernel) rows.back()["kernel"] = *row.kernel;
    }
    j["timing"]["mprotect_interrupts"] = std::move(rows);
  }
  if (timing.interrupts) j["timing"]["interrupts_a_flush"] = *timing.interrupts;
  if (!timing.no_interrupts.empty()) j["timing"]["no_interrupts"] = timing.no_interrupts;
  return j.dump(2) + "\n";
}

}  // namespace ptmc::cli
