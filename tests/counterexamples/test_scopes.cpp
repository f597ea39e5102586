// What a column does under a lock: braces and bars, and when there are none.
#include <doctest/doctest.h>

#include <sstream>

#include "counterexamples/text.hpp"
#include "tests/counterexamples/small.hpp"

using namespace ptmc;

namespace {

// Steps "ACTOR WORD...": "+x" takes lock x, "-x" gives it back, ".x" changes nothing, other words are said.
// Their names are theirs as well.
Trace of(const std::vector<std::string>& steps) {
  Trace t;
  t.predicate = "p", t.sentence = "s";
  t.states.push_back({{"lock.a", 0, 1}, {"lock.b", 0, 1}, {"lock.c", 0, 1}});
  for (const std::string& s : steps) {
    const std::string actor = s.substr(0, s.find(' ')), word = s.substr(s.find(' ') + 1);
    DecodedState next = t.states.back();
    for (Field& f : next)
      if (word.size() == 2 && f.name[5] == word[1] && word[0] != '.') f.value = word[0] == '+';
    t.steps.push_back({0, {actor, word, ""}});
    t.states.push_back(next);
  }
  return t;
}

std::string diagram(const std::vector<std::string>& steps) {
  static constexpr Phrase phrases[] = {
      {"+a", "lock a", nullptr, opens("lock.*")},    {"-a", "unlock a", nullptr, closes("lock.*")},
      {"+b", "lock b", nullptr, opens("lock.*")},    {"-b", "unlock b", nullptr, closes("lock.*")},
      {".a", "trylock a", nullptr, opens("lock.*")}, {"+c", "", nullptr, opens("lock.*")},
      {"-c", "unlock c", nullptr, closes("lock.*")}};
  Voice voice;
  voice.phrases = phrases;
  const Trace t = of(steps);
  const std::string text = print(t, columns_of(t, voice), voice).diagram;
  return text.substr(text.find('\n') + 1);
}

}  // namespace

TEST_CASE("scopes nest in a line") {
  CHECK(diagram({"p x", "p +a", "p y", "p +b", "p -b", "p z", "p -a", "p x"}) ==
        "x; lock a { y; lock b { } unlock b; z } unlock a; x\n");
}

TEST_CASE("where a line ends, bars go on; a brace that closes begins a line instead of its bar") {
  const std::string w(30, 'w');
  CHECK(diagram({"p +a", "p " + w, "p " + w, "p +b", "p " + w, "p " + w + w, "p -b", "p -a"}) ==
        "lock a { " + w + "; " + w + ";\n| lock b { " + w + ";\n| | " + w + w +
            "\n| } unlock b } unlock a\n");
}

TEST_CASE("a lock is held while others run") {
  CHECK(diagram({"p +a", "q x", "p y", "q +b", "p z", "q -b", "q x", "p -a", "q x"}) ==
        "lock a {\n"
        "|       x\n"
        "| y\n"
        "|       lock b {\n"
        "| z     |\n"
        "|       } unlock b; x\n"
        "} unlock a\n"
        "        x\n");
}

TEST_CASE("a bar gives way to longer lines of a column before it") {
  CHECK(diagram({"p 0", "q +b", "p 123456", "p 7", "q x"}) ==
        "0\n"
        "        lock b {\n"
        "123456; 7\n"
        "        | x\n");
  CHECK(diagram({"p 0", "q +b", "p 1234567", "q x"}) ==
        "0\n"
        "        lock b {\n"
        "1234567 |\n"
        "        | x\n");
}

TEST_CASE("no brace lies: of scopes that cross, the one that is not closed last has none") {
  CHECK(diagram({"p +a", "p +b", "p x", "p -a", "p y", "p -b"}) ==
        "lock a; lock b { x; unlock a; y } unlock b\n");
}

TEST_CASE("what is not taken is not held") {
  CHECK(diagram({"p .a", "p x", "p -b", "p y"}) == "trylock a; x; unlock b; y\n");
  CHECK(diagram({"p +c", "p x", "p -c"}) == "x; unlock c\n");                      // Not told, so not drawn.
  CHECK(diagram({"p +a", "q -a", "p x"}) == "lock a {\n|       unlock a\n| x\n");  // Of another column.
}

TEST_CASE("bars leave room for words, however deep") {
  Trace t = of({});
  static constexpr Phrase phrases[] = {{"in", "in", nullptr, opens("depth")}};
  Voice voice;
  voice.phrases = phrases;
  t.states = {{{"depth", 0, 8}}};
  for (u64 k = 1; k <= 60; ++k) {
    t.steps.push_back({0, {"p", k % 2 == 0 ? "in" : std::string(30, 'w'), ""}});
    t.states.push_back({{"depth", k, 8}});
  }
  std::istringstream lines(print(t, columns_of(t, voice), voice).diagram);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= text_columns);
}
