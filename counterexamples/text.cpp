#include "counterexamples/text.hpp"

#include <algorithm>

namespace ptmc {
namespace {

using Edge = Scope::Edge;

// Parts of a text in lines of at most `width` characters, `between` them. A part is broken only if it fits no
// line, at spaces; words that fit no line are broken anywhere.
class Lines {
 public:
  explicit Lines(std::size_t width) : width_(width) {}

  /// Lines that begin from now on begin with `depth` bars, as many as leave room for words.
  void inside(unsigned depth) {
    next_bars_.clear();
    while (depth-- > 0 && next_bars_.size() + bar.size() + room_min <= width_) next_bars_ += bar;
  }
  /// `tail`: characters that will follow the part on its line, whatever comes next.
  void add(const std::string& part, const std::string& between, std::size_t tail = 1) {
    if (fits(part, between, tail)) {
      append(part, between);
      return;
    }
    if (next_bars_.size() + part.size() + tail <= width_) {
      end(between);
      append(part, "");
      return;
    }
    for (std::size_t at = 0; at < part.size();) {
      const std::string word = part.substr(at, part.find(' ', at) - at);
      add_word(word, at == 0 ? between : " ");
      at += word.size() + 1;
    }
  }
  std::vector<std::string> finish() {
    end("");
    return std::move(lines_);
  }

  static constexpr std::string_view bar = "| ";

 private:
  const std::string& bars() const { return line_.empty() ? next_bars_ : bars_; }
  bool fits(const std::string& part, const std::string& between, std::size_t tail) const {
    const std::size_t before = line_.empty() ? 0 : line_.size() + between.size();
    return bars().size() + before + part.size() + tail <= width_;
  }
  void append(const std::string& part, const std::string& between) {
    if (line_.empty()) bars_ = next_bars_;
    line_ += (line_.empty() ? "" : between) + part;
  }
  void add_word(std::string word, const std::string& between) {
    if (!line_.empty() && !fits(word, between, 1)) end(between);
    const std::size_t room = width_ - bars().size();
    while (word.size() > room) {  // A path is broken behind a slash.
      const std::size_t slash = word.rfind('/', room - 1);
      const std::size_t length = slash == std::string::npos || slash == 0 ? room : slash + 1;
      lines_.push_back(bars() + word.substr(0, length));
      word.erase(0, length);
    }
    append(word, between);
  }
  void end(std::string between) {
    if (line_.empty()) return;
    while (between.ends_with(' ')) between.pop_back();
    lines_.push_back(bars_ + line_ + between);
    line_.clear();
  }

  static constexpr std::size_t room_min = 16;
  std::size_t width_;
  std::string line_, bars_, next_bars_;  // The line without its bars.
  std::vector<std::string> lines_;
};

// A paragraph, its lines but the first indented.
std::string paragraph(const std::string& text, std::size_t indent = 2) {
  Lines lines(text_columns - indent);
  for (std::size_t at = 0; at < text.size();) {
    const std::string word = text.substr(at, text.find(' ', at) - at);
    lines.add(word, " ");
    at += word.size() + 1;
  }
  std::string all;
  for (const std::string& line : lines.finish())
    all += (all.empty() ? "" : std::string(indent, ' ')) + line + "\n";
  return all;
}

std::string heading_text(const Account& account) {
  std::string text = paragraph(account.title);
  for (const Account::Fact& f : account.facts) text += paragraph(f.name + ": " + f.text);
  return text;
}

class Diagram {
 public:
  Diagram(const Trace& t, const Columns& columns, const Voice& voice)
      : columns_(columns), told_(tell(t, columns, voice)), depth_(columns.all.size()) {
    for (std::size_t c = 0; c < columns.all.size(); ++c) names_.push_back(column_name(columns, c, voice));
    place();
  }

  std::string text() {
    std::string names, all;
    for (std::size_t c = 0; c < names_.size(); ++c) {
      names.resize(indent_[c], ' ');
      names += names_[c].substr(0, (c + 1 < indent_.size() ? indent_[c + 1] - 1 : text_columns) - indent_[c]);
    }
    for (std::size_t k = 0; k < told_.size();) {
      const unsigned column = columns_.of[k];
      std::vector<const Told*> run;
      for (; k < told_.size() && columns_.of[k] == column; ++k)
        if (!told_[k].text.empty()) run.push_back(&told_[k]);
      Lines said(text_columns - indent_[column]);
      for (std::size_t j = 0; j < run.size(); ++j)
        add(*run[j], j == 0 ? nullptr : run[j - 1], j + 1 == run.size() ? nullptr : run[j + 1], said);
      for (const std::string& line : said.finish()) {
        all += with_bars(line, column) + "\n";
        ++lines;
      }
      if (!run.empty()) depth_[column] = run.back()->depth_after();
    }
    return names + "\n" + all;
  }

  std::size_t lines = 0;

 private:
  // Between `before` and `next` of the same run; null if there is none.
  static void add(const Told& told, const Told* before, const Told* next, Lines& said) {
    const bool closes = told.edge == Edge::closes, opens = told.edge == Edge::opens;
    const bool first = before != nullptr && before->edge == Edge::opens;  // Of its scope.
    const bool last = next == nullptr || next->edge == Edge::closes;
    said.inside(told.depth);
    said.add((closes ? "} " : "") + told.whole() + (opens ? " {" : ""), closes || first ? " " : "; ",
             opens || last ? 0 : 1);
  }

  // A line of `column`, with the bars of what the other columns hold meanwhile.
  std::string with_bars(const std::string& text, unsigned column) const {
    const std::string shifted = std::string(indent_[column], ' ') + text;
    std::string line = shifted;
    for (unsigned c = 0; c < depth_.size(); ++c) {
      const std::size_t end = c + 1 < indent_.size() ? indent_[c + 1] - 1 : text_columns;
      for (unsigned d = 0; d < depth_[c] && c != column; ++d) {
        const std::size_t at = indent_[c] + d * Lines::bar.size();
        if (at >= end || (c > column && at <= shifted.size())) break;
        if (line.size() <= at) line.resize(at + 1, ' ');
        line[at] = Lines::bar[0];
      }
    }
    return line;
  }

  // As far apart as the names want, but so that the last column has room for its text.
  void place() {
    const std::size_t n = columns_.all.size();
    std::size_t at = 0, wanted = 0;
    for (std::size_t c = 0; c + 1 < n; ++c) wanted += names_[c].size() + 2;
    const std::size_t last = text_columns - room_min;
    for (std::size_t c = 0; c < n; ++c) {
      indent_.push_back(wanted <= last ? at : c * (last / n));
      at += names_[c].size() + 2;
    }
  }

  static constexpr std::size_t room_min = 20;
  const Columns& columns_;
  const std::vector<Told> told_;
  std::vector<std::string> names_;
  std::vector<std::size_t> indent_;
  std::vector<unsigned> depth_;  // By column: scopes open now.
};

}  // namespace

Text print(const Trace& trace, const Columns& columns, const Voice& voice, const Heading& heading) {
  Diagram diagram(trace, columns, voice);
  const Account account = account_of(trace, columns, voice, heading);
  Text text;
  text.heading = heading_text(account);
  text.diagram = diagram.text();
  text.lines = diagram.lines;
  text.switches = context_switches(columns);
  text.size = counted(trace.steps.size(), "step") + " in " + counted(text.lines, "line") + ", " +
              counted(text.switches, "context switch") + ".";
  text.finding = paragraph(account.ending) + paragraph(account.culprit) + paragraph(text.size);
  return text;
}

}  // namespace ptmc
