#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "checker/cli/report.hpp"
#include "checker/cli/text.hpp"
#include "checker/cli/traces.hpp"

namespace ptmc::cli {
namespace {

// "arm64   HA HD   2 CPUs x 1 PTE" beside the verdict; a bound that does not fit goes below.
std::string first_line(const Result& r, Surprise found, bool colour) {
  std::string text = fmt::format("  {}  {:<7}", painted(r.verdict, found, colour), r.arch);
  std::string below;
  std::size_t width = 2 + 8 + 2 + std::max<std::size_t>(7, r.arch.size());
  for (const std::string& part : {r.features, r.property, r.bound}) {
    if (part.empty()) continue;
    if (below.empty() && width + 2 + part.size() <= columns) {
      text += "  " + part;
      width += 2 + part.size();
    } else {
      below += wrapped(part, 12);
    }
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n" + below;
}

std::string expectation(const Result& r, Surprise found) {
  if (found == Surprise::none) {
    if (r.verdict == Verdict::violated) return "as catalogued";
    return r.verdict == r.expected || r.verdict == Verdict::n_a
               ? ""
               : "stronger than catalogued: " + std::string(to_string(r.expected));
  }
  return "catalogued as " + std::string(to_string(r.expected));
}

std::string result_text(const Result& r, const Claim& claim, const RunOptions& options, Detail detail,
                        bool colour) {
  const Surprise found = judge(r, options);
  std::string text = first_line(r, found, colour);
  auto note = [&](const std::string& lines) {
    std::istringstream split(lines);
    for (std::string line; std::getline(split, line);)
      if (!line.empty()) text += wrapped(line, 12);
  };
  note(expectation(r, found));
  for (const std::string& a : r.assumptions) note("assuming " + a);
  note(r.reason);
  if (detail == Detail::all || found != Surprise::none) {
    for (const std::string& n : r.notes) note(n);
    if (r.states != 0) note(grouped(r.states) + " states, " + grouped(r.edges) + " edges");
    if (r.trace != nullptr) text += "\n" + printed(*r.trace, claim);
  }
  return text;
}

// Properties of one run with the same to say about each are one paragraph.
bool alike(const Result& a, const Result& b) {
  return a.trace == nullptr && b.trace == nullptr && a.arch == b.arch && a.features == b.features &&
         a.verdict == b.verdict && a.expected == b.expected && a.bound == b.bound &&
         a.assumptions == b.assumptions && a.states == b.states && a.edges == b.edges &&
         a.reason == b.reason && a.notes == b.notes;
}
std::vector<Result> merged(const std::vector<Result>& results) {
  std::vector<Result> out;
  for (const Result& r : results)
    if (!out.empty() && alike(out.back(), r))
      out.back().property += ", " + r.property;
    else
      out.push_back(r);
  return out;
}

}  // namespace

std::string text_of(const ClaimRun& run, const ClaimRun* before, const RunOptions& options, Detail detail,
                    bool colour) {
  std::string text;
  const auto expected = [&](const Result& r) { return judge(r, options) == Surprise::none; };
  if (detail == Detail::surprises && std::all_of(run.results.begin(), run.results.end(), expected))
    return text;
  if (before == nullptr || before->claim->name != run.claim->name) {
    text += before == nullptr ? "" : "\n";
    text += run.claim->name + "\n" + wrapped(run.claim->sentence, 2);
  }
  for (const Result& r : merged(run.results)) text += result_text(r, *run.claim, options, detail, colour);
  return text;
}

std::string table_of(const std::vector<ClaimRun>& runs, const RunOptions& options) {
  std::string text = fmt::format("{:<20}{:<7}", "claims", "on");
  for (unsigned v = 0; v < verdict_count; ++v)
    text += fmt::format("{:>9}", to_string(static_cast<Verdict>(v)));
  text += "\n";
  std::vector<std::pair<std::string, std::string>> rows;  // In order of appearance.
  std::map<std::pair<std::string, std::string>, Summary> counts;
  for (const ClaimRun& run : runs) {
    const std::pair key(run.claim->name.substr(0, run.claim->name.find('/')), run.claim->arch);
    if (!counts.contains(key)) rows.push_back(key);
    Summary& s = counts[key];
    for (const Result& r : run.results) {
      ++s.verdicts[static_cast<std::size_t>(r.verdict)];
      s.failed += judge(r, options) != Surprise::none;
    }
  }
  for (const auto& key : rows) {
    text += fmt::format("{:<20}{:<7}", key.first, key.second);
    for (const std::size_t n : counts[key].verdicts)
      text += n == 0 ? fmt::format("{:>9}", "") : fmt::format("{:>9}", n);
    text.erase(text.find_last_not_of(' ') + 1);
    if (counts[key].failed != 0) text += fmt::format("\n{:>27}{} not as catalogued", "", counts[key].failed);
    text += "\n";
  }
  return text;
}

std::string text_of(const Summary& s, const RunOptions& options, const Timing& timing) {
  std::string counts;
  for (unsigned v = 0; v < verdict_count; ++v)
    if (s.verdicts[v] != 0)
      counts += fmt::format(", {} {}", s.verdicts[v], to_string(static_cast<Verdict>(v)));
  std::string text =
      "\n" + wrapped(fmt::format("{} claim{}{}; {} states; {:.1f} s", s.claims, s.claims == 1 ? "" : "s",
                                 counts, grouped(s.states), timing.wall_ms / 1e3),
                     0);
  const std::string mutated = options.mutations.empty() ? "" : " (catalogued without the mutation)";
  if (s.failed > 0) text += wrapped(fmt::format("{} not as catalogued{}", s.failed, mutated), 0);
  if (s.weaker > 0) text += wrapped(fmt::format("{} weaker than catalogued{}", s.weaker, mutated), 0);
  if (s.failed + s.weaker == 0) text += "all as catalogued\n";
  return text;
}

}  // namespace ptmc::cli
