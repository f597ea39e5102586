// Columns and their text, on scripts.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "counterexamples/text.hpp"
#include "tests/counterexamples/script.hpp"

using namespace ptmc;

namespace {

std::size_t widest(const std::string& text) {
  std::size_t width = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) width = std::max(width, line.size());
  return width;
}

std::string names(const Columns& columns) {
  std::string text;
  for (const Column& c : columns.all)
    text += c.actor + (c.cpu ? "cpu" + std::to_string(*c.cpu) : c.actor.empty() ? "others" : "") + " ";
  for (const unsigned c : columns.of) text += std::to_string(c);
  return text;
}

const std::vector<script::Step> machine{{"hw", "fill", "cpu=1, page=0", {}},
                                        {"reclaim", "lock", "", {}},
                                        {"reclaim", "flush/send", "", {1}},
                                        {"hw", "invalidate", "cpu=0, actor=0", {2}},
                                        {"hw", "invalidate", "cpu=1, actor=0", {2}},
                                        {"hw", "fault", "page=0", {0}},
                                        {"hw", "alloc", "frame=1", {}},
                                        {"change_prot[1]", "lock", "", {}}};

Voice toy_voice() {
  static constexpr Phrase phrases[] = {
      {"lock", "lock PTL"},
      {"fill", "",
       [](const Moment& m) { return "TLB of cpu " + std::to_string(m.index("cpu").value_or(9)); }},
      {"send", "send IPIs"},
      {"invalidate", ""}};
  static constexpr Title titles[] = {{"change_prot", "scan"}};
  Voice v{phrases, titles, nullptr, nullptr, nullptr};
  v.served = [](const Action& a) { return std::string(a.step == "invalidate" ? "reclaim" : ""); };
  v.culprit = [](const Trace&, const std::function<std::string(u64)>& cpu) {
    return cpu(1) + " did it, not " + cpu(7) + ".";
  };
  return v;
}

}  // namespace

TEST_CASE("a column is an actor's copy or a user CPU") {
  const auto t = script::system(machine, bits(7, 0));
  const Trace trace = script::trace(t, {0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(names(columns_of(trace)) == "reclaim change_prot[1] cpu0 cpu1 others 30023341");
  // CPU 0 only serves; the fault is that of the CPU with the same page.
  const Columns served = columns_of(trace, toy_voice());
  CHECK(names(served) == "reclaim change_prot[1] cpu1 others 20002231");
  CHECK(context_switches(served) == 4);
}

TEST_CASE("a moment finds what changed") {
  const auto t = script::system(machine, bits(7, 0));
  const Trace trace = script::trace(t, {1, 0});
  const Moment m(trace, 1);
  const auto change = m.change("step[*].done");
  REQUIRE(change.has_value());
  CHECK(change->captured == std::vector<std::string>{"0"});
  CHECK(change->was == 0);
  CHECK(change->now == 1);
  CHECK(m.was("step[1].done") == 1);
  CHECK(m.now("nothing") == 0);
  CHECK_FALSE(m.changed("step[1].*"));
  CHECK_FALSE(m.changed("*"));  // A star ends at a bracket or a dot.
  CHECK(m.changed("*[*].done"));
  CHECK(m.index("page") == 0);
  CHECK_FALSE(m.index("pag").has_value());
  CHECK_FALSE(m.index("frame").has_value());
}

TEST_CASE("the whole text of a toy") {
  const auto t = script::system(machine, bits(7, 0));
  Trace trace = script::trace(t, {0, 1, 2, 3, 4, 5, 6, 7});
  trace.subject = {"toy/all", "reclaim+scan", "x86_64", {"PCID", "LAZY"}, {"drop:reclaim/flush"}};
  const Voice voice = toy_voice();
  const Text text =
      print(trace, columns_of(trace, voice), voice, {"123456789abc", "somebody forgets a flush"});
  CHECK(text.whole() == R"(toy/all on x86_64 (PCID LAZY): reclaim+scan
Mutation: drop:reclaim/flush
Bug: somebody forgets a flush
Fixed by: kernel commit 123456789abc

CPU0 reclaim  CPU1 scan 1  CPU2 user  CPU3 others
                           TLB of cpu 1
lock PTL; flush(): send IPIs
                           fault(page=0): step[5].done = 1
                                      alloc(frame=1): step[6].done = 1
              lock PTL

Violated: always something is left to do (all).
CPU2 did it, not user CPU 7.
8 steps in 5 lines, 4 context switches.
)");
  CHECK(text.lines == 5);
  CHECK(text.switches == 4);
}

TEST_CASE("other endings") {
  const auto t = script::system(machine, bits(7, 0));
  Trace trace = script::trace(t, {1});
  trace.ending = Trace::Ending::reached;
  CHECK(print(trace, columns_of(trace)).finding ==
        "Reached: sometimes something is left to do (all).\n1 step in 1 line, 0 context switches.\n");
  trace.ending = Trace::Ending::deadlock;
  CHECK(print(trace, columns_of(trace)).finding ==
        "Deadlock: no step is enabled.\n1 step in 1 line, 0 context switches.\n");
  trace = script::trace(t, {});
  CHECK(print(trace, columns_of(trace)).lines == 0);
}

TEST_CASE("no line is wider than 72 columns, whatever the names are") {
  const std::string word(200, 'w'), phrase = "a phrase of several words that is longer than " + word;
  std::vector<std::string> actors;
  for (unsigned a = 0; a < 9; ++a) actors.push_back("an_actor_with_a_long_name_" + std::to_string(a));
  std::vector<script::Step> steps;
  for (unsigned a = 0; a < 9; ++a)
    for (const char* step : {word.c_str(), phrase.c_str(), "short"})
      steps.push_back({actors[a].c_str(), step, "", {}});
  const auto t = script::system(steps, bits(26, 0));
  std::vector<unsigned> order;
  for (unsigned k = 0; k < 27; ++k) order.push_back(k);
  for (std::size_t used = 3; used <= 27; used += 3) {
    Trace trace = script::trace(t, {order.begin(), order.begin() + static_cast<std::ptrdiff_t>(used)});
    trace.subject = {word, phrase, word, {phrase}, {word, phrase}};
    trace.sentence = phrase;
    const Text text = print(trace, columns_of(trace), {}, {word, phrase});
    CHECK(widest(text.whole()) <= text_columns);
    CHECK(std::count(text.diagram.begin(), text.diagram.end(), '\n') == static_cast<long>(text.lines) + 1);
  }
}

TEST_CASE("a step that fits a line is never broken") {
  const auto t = script::system(std::vector<script::Step>(9, {"p", "twelve chars", "", {}}), bits(8, 0));
  static constexpr Phrase phrases[] = {{"twelve chars", "twelve chars"}};
  const Trace trace = script::trace(t, {0, 1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(print(trace, columns_of(trace), {phrases, {}, nullptr, nullptr, nullptr}).diagram ==
        "CPU0 p\n"
        "twelve chars; twelve chars; twelve chars; twelve chars; twelve chars;\n"
        "twelve chars; twelve chars; twelve chars; twelve chars\n");
}
