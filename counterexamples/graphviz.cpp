#include "counterexamples/graphviz.hpp"

#include <map>

namespace ptmc {
namespace {

// A string of the DOT language. Labels know backslash escapes and HTML entities; each `lines` part ends left
// aligned.
std::string quoted(const std::vector<std::string>& lines) {
  std::string out = "\"";
  for (const std::string& line : lines) {
    for (const char c : line) {
      if (c == '"' || c == '\\') out += '\\';
      out += c == '\n' || c == '\r' ? ' ' : c;
      if (c == '&') out += "amp;";
    }
    if (lines.size() > 1) out += "\\l";
  }
  return out + "\"";
}

std::string node(std::size_t step) { return "s" + std::to_string(step + 1); }
std::string edge(std::size_t from, std::size_t to) { return "  " + node(from) + " -> " + node(to); }

std::string clusters(const Trace& trace, const Columns& columns, const Voice& voice) {
  const std::vector<Told> told = tell(trace, columns, voice);
  std::string all;
  for (std::size_t c = 0; c < columns.all.size(); ++c) {
    all += "  subgraph cluster_" + std::to_string(c);
    all += " {\n    label=" + quoted({column_name(columns, c, voice)}) + ";\n";
    for (std::size_t k = 0; k < told.size(); ++k) {
      if (columns.of[k] != c) continue;
      const bool silent = told[k].text.empty();
      const std::string text = silent ? label(trace.steps[k].action) : told[k].whole();
      all += "    " + node(k) + " [label=" + quoted({std::to_string(k + 1) + ". " + text});
      if (silent) all += ", style=dotted";
      if (k + 1 == told.size()) all += ", peripheries=2";
      all += "];\n";
    }
    all += "  }\n";
  }
  return all;
}

std::string program_order(const Columns& columns) {
  std::map<unsigned, std::size_t> last;  // By column.
  std::string all;
  for (std::size_t k = 0; k < columns.of.size(); ++k) {
    const unsigned column = columns.of[k];
    if (last.contains(column)) all += edge(last[column], k) + ";\n";
    if (k > 0 && columns.of[k - 1] != column) all += edge(k - 1, k) + " [style=invis];\n";
    last[column] = k;
  }
  return all;
}

// By step, from which steps of other columns it takes over which fields.
std::string handovers(const Trace& trace, const Columns& columns) {
  std::map<std::string, std::size_t> writer;  // By field: who changed it last.
  std::string all;
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    const Moment m(trace, k);
    std::map<std::size_t, std::string> from;
    for (std::size_t f = 0; f < m.after.size(); ++f) {
      const Field& field = m.after[f];
      if (f >= m.before.size() || m.before[f].name != field.name || m.before[f].value == field.value)
        continue;
      const auto last = writer.find(field.name);
      if (last != writer.end() && columns.of[last->second] != columns.of[k]) {
        std::string& names = from[last->second];
        names += (names.empty() ? "" : ", ") + std::string(plain_name(field.name));
      }
      writer[field.name] = k;
    }
    for (const auto& [step, names] : from)
      all += edge(step, k) + " [style=dashed, label=" + quoted({names}) + "];\n";
  }
  return all;
}

}  // namespace

std::string to_graphviz(const Trace& trace, const Columns& columns, const Voice& voice,
                        const Heading& heading) {
  const Account account = account_of(trace, columns, voice, heading);
  std::vector<std::string> caption{account.title};
  for (const Account::Fact& f : account.facts) caption.push_back(f.name + ": " + f.text);
  caption.push_back(account.ending);
  if (!account.culprit.empty()) caption.push_back(account.culprit);
  return "digraph trace {\n  fontname=\"monospace\";\n  node [shape=box, fontname=\"monospace\"];\n"
         "  edge [fontname=\"monospace\", fontsize=10];\n" +
         clusters(trace, columns, voice) + program_order(columns) + handovers(trace, columns) +
         "  labelloc=t;\n  labeljust=l;\n  label=" + quoted(caption) + ";\n}\n";  // Last: clusters inherit.
}

}  // namespace ptmc
