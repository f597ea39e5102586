#include "checker/cli/text.hpp"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "checker/cli/output.hpp"

namespace ptmc::cli {

std::string wrapped(const std::string& text, std::size_t indent) {
  std::string out;
  std::string line(indent, ' ');
  const auto end_line = [&] {
    out += line + "\n";
    line = std::string(indent, ' ');
  };
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    if (line.size() > indent && line.size() + 1 + word.size() > columns) end_line();
    if (line.size() > indent) line += ' ';
    while (line.size() + word.size() > columns) {  // Alone on its line.
      const std::size_t room = columns - indent, mark = word.find_last_of("/=", room - 1);
      const std::size_t length = mark == std::string::npos ? room : mark + 1;
      line += word.substr(0, length);
      word.erase(0, length);
      end_line();
    }
    line += word;
  }
  return out + line + "\n";
}

std::string shell_word(const std::string& word) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,@+%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string grouped(u64 number) {
  std::string text = std::to_string(number);
  for (std::size_t k = text.size(); k > 3; k -= 3) text.insert(k - 3, ",");
  return text;
}

std::string painted(Verdict verdict, Surprise surprise, bool colour) {
  std::string text(to_string(verdict));
  text.resize(8, ' ');
  if (!colour) return text;
  const char* code = surprise == Surprise::failed   ? "\033[31m"
                     : surprise == Surprise::weaker ? "\033[33m"
                                                    : "\033[32m";
  return code + text + "\033[0m";
}

bool wants_colour() { return is_terminal(STDOUT_FILENO) && std::getenv("NO_COLOR") == nullptr; }

}  // namespace ptmc::cli
