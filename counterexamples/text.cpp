#include "counterexamples/text.hpp"

#include <algorithm>
#include <map>

namespace ptmc {
namespace {

std::string counted(std::size_t n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : noun.ends_with("ch") ? "es" : "s");
}

// Parts of a text in lines of at most `width` characters, `between` them. A part is broken only if it fits no
// line, at spaces; words that fit no line are broken anywhere.
class Lines {
 public:
  explicit Lines(std::size_t width) : width_(width) {}

  void add(const std::string& part, const std::string& between) {
    if (fits(part, between)) {
      line_ += (line_.empty() ? "" : between) + part;
      return;
    }
    if (part.size() + 1 <= width_) {
      end(between);
      line_ = part;
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

 private:
  // With what may stand between this part and the next at the end of the line.
  bool fits(const std::string& part, const std::string& between) const {
    return (line_.empty() ? 0 : line_.size() + between.size()) + part.size() + 1 <= width_;
  }
  void add_word(std::string word, const std::string& between) {
    if (!line_.empty() && !fits(word, between)) end(between);
    while (word.size() > width_) {  // A path is broken behind a slash.
      const std::size_t slash = word.rfind('/', width_ - 1);
      const std::size_t length = slash == std::string::npos || slash == 0 ? width_ : slash + 1;
      lines_.push_back(word.substr(0, length));
      word.erase(0, length);
    }
    line_ += (line_.empty() ? "" : between) + word;
  }
  void end(std::string between) {
    if (line_.empty()) return;
    while (between.ends_with(' ')) between.pop_back();
    lines_.push_back(line_ + between);
    line_.clear();
  }

  std::size_t width_;
  std::string line_;
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

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& w : words) text += (text.empty() ? "" : between) + w;
  return text;
}

std::string heading_text(const Trace& t, const Heading& heading) {
  const TraceSubject& s = t.subject;
  std::string first = s.claim + (s.arch.empty() ? "" : " on " + s.arch);
  if (!s.features.empty()) first += " (" + joined(s.features, " ") + ")";
  if (!s.instance.empty()) first += ": " + s.instance;
  std::string text = paragraph(first);
  if (!s.mutations.empty()) text += paragraph("Mutation: " + joined(s.mutations, ", "));
  if (!heading.what.empty()) text += paragraph("Bug: " + heading.what);
  if (!heading.commit.empty()) text += paragraph("Fixed by: kernel commit " + heading.commit);
  return text;
}

// ---- what a step says ----
bool names(std::string_view phrase, std::string_view path) {
  if (!path.ends_with(phrase)) return false;
  return path.size() == phrase.size() || path[path.size() - phrase.size() - 1] == '/';
}

std::string by_fields(const Moment& m) {
  std::string text = m.action.step.substr(m.action.step.rfind('/') + 1);
  if (!m.action.instance.empty()) text += "(" + m.action.instance + ")";
  std::string changes;
  for (std::size_t k = 0; k < m.after.size(); ++k) {
    const Field& f = m.after[k];
    const bool same = k < m.before.size() && m.before[k].name == f.name && m.before[k].value == f.value;
    if (same || f.name.ends_with(".pc")) continue;
    changes += (changes.empty() ? ": " : ", ") + f.name + " = " + std::to_string(f.value);
  }
  return text + changes;
}

std::string said(const Moment& m, const Voice& voice) {
  for (const Phrase& p : voice.phrases)
    if (names(p.step, m.action.step)) return p.say != nullptr ? p.say(m) : std::string(p.text);
  return by_fields(m);
}

// ---- the diagram ----
std::string titled(const std::string& name, const Voice& voice) {
  for (const Title& t : voice.titles)
    if (t.of == name) return std::string(t.name);
  return name;
}

std::string title(const Column& c, const Voice& voice) {
  if (c.cpu) return "user";
  if (c.actor.empty()) return "others";
  const std::string actor = c.actor.substr(0, c.actor.find('['));
  std::string copy = c.actor.substr(actor.size());
  copy.erase(std::remove_if(copy.begin(), copy.end(), [](char x) { return x == '[' || x == ']'; }),
             copy.end());
  return titled(actor, voice) + (copy.empty() ? "" : " " + copy);
}

class Diagram {
 public:
  Diagram(const Trace& t, const Columns& columns, const Voice& voice)
      : trace_(t), columns_(columns), voice_(voice) {
    place();
  }

  /// "CPU2", as the column of that user CPU is headed.
  std::string cpu(u64 number) const {
    for (std::size_t c = 0; c < columns_.all.size(); ++c)
      if (columns_.all[c].cpu == number) return "CPU" + std::to_string(c);
    return "user CPU " + std::to_string(number);
  }

  std::string text() {
    std::string names, all;
    for (std::size_t c = 0; c < columns_.all.size(); ++c) {
      names.resize(indent_[c], ' ');
      const std::size_t room = (c + 1 < indent_.size() ? indent_[c + 1] - 1 : text_columns) - indent_[c];
      names += name(c).substr(0, room);
    }
    for (std::size_t k = 0; k < trace_.steps.size();) {
      const unsigned column = columns_.of[k];
      Lines told(text_columns - indent_[column]);
      for (; k < trace_.steps.size() && columns_.of[k] == column; ++k) tell(k, told);
      for (const std::string& line : told.finish()) {
        all += std::string(indent_[column], ' ') + line + "\n";
        ++lines;
      }
    }
    return names + "\n" + all;
  }

  std::size_t lines = 0;

 private:
  std::string name(std::size_t c) const {
    return "CPU" + std::to_string(c) + " " + title(columns_.all[c], voice_);
  }

  // As far apart as the names want, but so that the last column has room for its text.
  void place() {
    const std::size_t n = columns_.all.size();
    std::size_t at = 0, wanted = 0;
    for (std::size_t c = 0; c + 1 < n; ++c) wanted += name(c).size() + 2;
    const std::size_t last = text_columns - room_min;
    for (std::size_t c = 0; c < n; ++c) {
      indent_.push_back(wanted <= last ? at : c * (last / n));
      at += name(c).size() + 2;
    }
  }

  // A function is named where a column enters it.
  void tell(std::size_t k, Lines& told) {
    const Moment m(trace_, k);
    const std::string text = said(m, voice_);
    if (text.empty()) return;
    const std::string& path = m.action.step;
    const std::string function =
        path.find('/') == std::string::npos ? "" : titled(path.substr(0, path.find('/')), voice_);
    std::string& last = function_[columns_.of[k]];
    told.add((function.empty() || function == last ? "" : function + "(): ") + text, "; ");
    if (m.action.actor == columns_.all[columns_.of[k]].actor) last = function;
  }

  static constexpr std::size_t room_min = 20;
  const Trace& trace_;
  const Columns& columns_;
  const Voice& voice_;
  std::vector<std::size_t> indent_;
  std::map<unsigned, std::string> function_;
};

std::string finding_text(const Trace& t, const Voice& voice, const Diagram& diagram, unsigned switches) {
  std::string text;
  if (t.ending == Trace::Ending::deadlock)
    text = paragraph("Deadlock: no step is enabled.");
  else
    text = paragraph((t.ending == Trace::Ending::violated ? "Violated: always " : "Reached: sometimes ") +
                     t.sentence + " (" + t.predicate + ").");
  const std::string culprit =
      voice.culprit == nullptr ? "" : voice.culprit(t, [&](u64 c) { return diagram.cpu(c); });
  if (!culprit.empty()) text += paragraph(culprit);
  return text + paragraph(counted(t.steps.size(), "step") + " in " + counted(diagram.lines, "line") + ", " +
                          counted(switches, "context switch") + ".");
}

}  // namespace

Text print(const Trace& trace, const Columns& columns, const Voice& voice, const Heading& heading) {
  Diagram diagram(trace, columns, voice);
  Text text;
  text.heading = heading_text(trace, heading);
  text.diagram = diagram.text();
  text.lines = diagram.lines;
  text.switches = context_switches(columns);
  text.finding = finding_text(trace, voice, diagram, text.switches);
  return text;
}

}  // namespace ptmc
