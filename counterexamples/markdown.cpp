#include "counterexamples/markdown.hpp"

#include <algorithm>
#include <cctype>

#include "counterexamples/text.hpp"

namespace ptmc {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

std::string on_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return text;
}

// Text that is only text, in CommonMark and in GitHub's dialect. An underscore within a word marks nothing,
// and kernel names stay readable without a backslash.
std::string escaped(const std::string& raw) {
  const std::string text = on_one_line(raw);
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    const bool inner = k > 0 && k + 1 < text.size() && is_word(text[k - 1]) && is_word(text[k + 1]);
    const bool special = std::string_view("\\`*[]<>&|~!").find(c) != std::string_view::npos;
    if (special || (c == '_' && !inner)) out += '\\';
    out += c;
  }
  return out;
}

// The longest run of backticks in `text`, plus one, but at least `least`.
std::string fence(const std::string& text, std::size_t least) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(std::max(least, longest + 1), '`');
}

std::string code(const std::string& raw) {
  const std::string text = on_one_line(raw), ticks = fence(text, 1);
  const bool pad = text.starts_with('`') || text.ends_with('`');
  return ticks + (pad ? " " : "") + text + (pad ? " " : "") + ticks;
}

std::string block(const std::string& text) {
  const std::string ticks = fence(text, 3);
  return ticks + "text\n" + text + (text.ends_with('\n') ? "" : "\n") + ticks + "\n";
}

}  // namespace

std::string to_markdown(const Trace& trace, const Columns& columns, const Voice& voice,
                        const Heading& heading) {
  const Account account = account_of(trace, columns, voice, heading);
  const Text text = print(trace, columns, voice, heading);
  std::string all = "## " + escaped(account.title) + "\n\n";
  for (const std::string& m : trace.subject.mutations) all += "- Mutation: " + code(m) + "\n";
  for (const Account::Fact& f : account.facts)
    if (f.name != "Mutation") all += "- " + f.name + ": " + escaped(f.text) + "\n";
  all +=
      (all.ends_with("\n\n") ? "" : "\n") + block(text.diagram) + "\n**" + escaped(account.ending) + "**\n";
  if (!account.culprit.empty()) all += escaped(account.culprit) + "\n";
  all += text.size + "\n";
  if (!heading.again.empty()) all += "\nReproduce\n\n" + block(on_one_line(heading.again));
  return all;
}

}  // namespace ptmc
