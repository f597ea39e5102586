#include <algorithm>
#include <nlohmann/json.hpp>

#include "checker/gate/conform.hpp"

namespace ptmc::gate {
namespace {

constexpr std::size_t columns = 72;

std::string hex64(u64 v) {
  std::string out = "0x";
  for (unsigned n = 64; n != 0;) out += "0123456789abcdef"[(v >> (n -= 4)) & 15];
  return out;
}

// Words separated by spaces, broken after at most `columns`.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t first) {
  std::string out;
  std::size_t column = first, at = 0;
  while (at < text.size()) {
    const std::size_t space = std::min(text.find(' ', at), text.size());
    if (column + 1 + (space - at) > columns && column > indent) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (at > 0) {
      out += ' ';
      ++column;
    }
    out += text.substr(at, space - at);
    column += space - at;
    at = space + 1;
  }
  return out;
}

std::string list(const std::string& title, const std::vector<std::string>& names) {
  if (names.empty()) return "";
  std::string all = title + " (" + std::to_string(names.size()) + "):";
  for (const std::string& n : names) all += " " + n;
  return "  " + wrapped(all, 4, 2) + "\n";
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

std::string one_helper(const HelperReport& h) {
  std::string out = "  " + padded(h.helper, 40) + std::string(to_string(h.verdict));
  if (!h.kernel.empty() && h.kernel != h.helper) out += "\n    compared with " + h.kernel;
  if (!h.reason.empty()) out += "\n    " + wrapped(h.reason, 4, 4);
  for (const ConformWord& w : h.words) {
    const std::string head = "    " + padded(w.name, 10) + " " +
                             (w.decoded.empty() && w.value < 16 ? std::to_string(w.value) : hex64(w.value));
    out += "\n" + head +
           (w.decoded.empty()       ? ""
            : w.decoded.size() > 40 ? "\n      " + wrapped(w.decoded, 6, 6)
                                    : "  " + w.decoded);
  }
  return out + "\n";
}

std::vector<std::string> names_with(const ConformArch& a, Verdict verdict) {
  std::vector<std::string> out;
  for (const HelperReport& h : a.helpers)
    if (h.verdict == verdict) out.push_back(h.helper);
  return out;
}

std::string one_arch(const ConformArch& a) {
  std::string out = "\n" + a.arch + ", layout " + a.layout + ", " + a.compiler + "\n";
  for (const HelperReport& h : a.helpers)
    if (h.verdict == Verdict::violated || h.verdict == Verdict::unknown) out += one_helper(h);
  out += list("proved for all words", names_with(a, Verdict::proved));
  std::vector<std::string> once;
  std::map<std::string, std::vector<std::string>> assumed;
  for (const HelperReport& h : a.helpers) {
    if (h.verdict != Verdict::proved) continue;
    if (h.one_iteration) once.push_back(h.helper);
    for (const std::string& text : h.assumptions) assumed[text].push_back(h.helper);
  }
  out += list("of these, one successful iteration", once);
  for (const auto& [text, names] : assumed) out += list("assuming " + text, names);
  out += list("proved for all values of", a.cpus);
  out += list("n/a, not in this tree, architecture or configuration", names_with(a, Verdict::n_a));
  out += list("without effect on words, skipped", a.skipped);
  out += list("configuration", a.config);
  return out + list("in the tree's headers and not in the model", a.uncovered);
}

u64 count(const ConformReport& report, Verdict verdict) {
  u64 n = 0;
  for (const ConformArch& a : report.archs) n += names_with(a, verdict).size();
  return n;
}

}  // namespace

std::string conform_text(const ConformReport& report) {
  if (!report.unavailable.empty()) return "conform: n/a: " + report.unavailable + "\n";
  std::string out = "conform: the model's helpers against Linux " + report.release + "\n";
  for (const std::string& e : report.edits) out += "  edited " + wrapped(e, 4, 9) + "\n";
  for (const ConformArch& a : report.archs) out += one_arch(a);
  out += "\n";
  for (const Verdict v : {Verdict::proved, Verdict::violated, Verdict::unknown, Verdict::n_a})
    out += (v == Verdict::proved ? "" : ", ") + std::to_string(count(report, v)) + " " +
           std::string(to_string(v));
  return out + "\n";
}

std::string conform_json(const ConformReport& report) {
  using Json = nlohmann::ordered_json;
  Json results = Json::array(), archs = Json::array();
  for (const ConformArch& a : report.archs) {
    archs.push_back({{"arch", a.arch},
                     {"layout", a.layout},
                     {"compiler", a.compiler},
                     {"config", a.config},
                     {"cpus", a.cpus},
                     {"skipped", a.skipped},
                     {"uncovered", a.uncovered},
                     {"opcodes", a.opcodes}});
    for (const HelperReport& h : a.helpers) {
      Json words = Json::object();
      for (const ConformWord& w : h.words)
        words[w.name] = {{"value", hex64(w.value)}, {"decoded", w.decoded}};
      results.push_back({{"helper", h.helper},
                         {"kernel", h.kernel},
                         {"arch", a.arch},
                         {"layout", a.layout},
                         {"verdict", to_string(h.verdict)},
                         {"reason", h.reason},
                         {"one_iteration", h.one_iteration},
                         {"assumptions", h.assumptions},
                         {"words", words}});
    }
  }
  Json summary = {{"release", report.release},
                  {"hash", report.hash},
                  {"unavailable", report.unavailable},
                  {"edits", report.edits}};
  for (const Verdict v : {Verdict::proved, Verdict::violated, Verdict::unknown, Verdict::n_a})
    summary[std::string(to_string(v))] = count(report, v);
  return Json({{"results", results}, {"archs", archs}, {"summary", summary}}).dump(1) + "\n";
}

}  // namespace ptmc::gate
