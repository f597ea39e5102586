// What the command prints: for machines, for people, and for replay.
#include <doctest/doctest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/checker/cli/process.hpp"

using namespace ptmc::cli_test;
using Json = nlohmann::ordered_json;

namespace {

std::string without_timing(const std::string& report) {
  return report.substr(0, report.find("\n \"timing\": {"));
}

std::size_t longest_line(const std::string& text) {
  std::istringstream in(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(in, line);) longest = std::max(longest, line.size());
  return longest;
}

}  // namespace

TEST_CASE("prove --json has the promised members, in order, timing last") {
  const Json j = Json::parse(toy({"prove", "good", "--json"}).out);
  std::vector<std::string> top, members;
  for (const auto& [name, value] : j.items()) top.push_back(name);
  CHECK(top == std::vector<std::string>{"results", "summary", "timing"});
  REQUIRE(j["results"].size() == 5);
  for (const auto& [name, value] : j["results"][1].items()) members.push_back(name);
  members.resize(12);
  CHECK(members == std::vector<std::string>{"claim", "instance", "arch", "features", "property", "verdict",
                                            "expected", "bound", "assumptions", "states", "edges", "trace"});
  CHECK(j["results"][1]["arch"] == "x86_64");
  CHECK(j["results"][1]["states"] == 10);
  CHECK(j["results"][1]["trace"].is_null());
  CHECK(j["results"][3]["verdict"] == "violated");
  CHECK(j["results"][3]["trace"]["states"].size() == 5);
  CHECK(j["summary"]["claims"] == 5);
  CHECK(j["summary"]["verdicts"]["bounded"] == 2);
  CHECK(j["summary"]["exit"] == 0);
}

TEST_CASE("the same bytes from run to run and at any thread count") {
  const std::vector<std::string> line{"prove", "good", "weak", "bad", "--json", "--threads"};
  std::vector<std::string> reports;
  for (const char* threads : {"1", "2", "7", "7"}) {
    auto arguments = line;
    arguments.push_back(threads);
    const Run r = toy(arguments);
    CHECK(r.code == 1);
    REQUIRE(r.out.find("\n \"timing\": {") != std::string::npos);
    reports.push_back(without_timing(r.out));
  }
  for (const std::string& r : reports) CHECK(r == reports[0]);
}

TEST_CASE("text fits 72 columns and has no colours in a file") {
  const std::vector<std::vector<std::string>> lines{{"--help"},
                                                    {"prove", "--help"},
                                                    {"list", "--help"},
                                                    {"explore", "--help"},
                                                    {"replay", "--help"},
                                                    {"conform", "--help"},
                                                    {"explain", "--help"},
                                                    {"explain", "good", "weak"},
                                                    {"bench", "--help"},
                                                    {"list"},
                                                    {"prove", "good"},
                                                    {"prove", "weak", "bad"},
                                                    {"explore", "good"},
                                                    {"prove", "good", "--mutate", "drop:counter/step"}};
  for (const auto& line : lines) {
    CAPTURE(line[0]);
    const Run r = toy(line);
    CHECK(!r.out.empty());
    CHECK(longest_line(r.out) <= 72);
    CHECK(r.out.find('\033') == std::string::npos);
    CHECK(r.err.empty());
  }
}

TEST_CASE("an unexpected violation shows its trace, an expected one only when asked for") {
  CHECK(toy({"prove", "bad/breaks"}).out.find("CPU0 counter\n") != std::string::npos);
  CHECK(toy({"prove", "good/breaks"}).out.find("as catalogued") != std::string::npos);
  CHECK(toy({"prove", "bad/breaks"}).out.find("catalogued as proved") != std::string::npos);
}

TEST_CASE("without a name: surprises in full, all as a table, and nothing that is for full bounds only") {
  const Run r = toy({"prove"});
  CHECK(r.code == 1);
  CHECK(longest_line(r.out) <= 72);
  CHECK(r.out.find("bad/breaks\n") != std::string::npos);
  CHECK(r.out.find("good/counts\n") == std::string::npos);
  CHECK(r.out.find("good                any") != std::string::npos);
  CHECK(r.out.find("2 not as catalogued") != std::string::npos);
  CHECK(r.out.find("10 claims") != std::string::npos);
  CHECK(toy({"prove", "--bounds", "full", "--limit-states", "1k"}).code == 70);  // Some of those are broken.
}

TEST_CASE("a mutation: n/a where it means nothing, no surprise unless that is everywhere") {
  const Run r = toy({"prove", "good/words", "good/counts", "--mutate", "drop:counter/step"});
  CHECK(r.code == 0);
  CHECK(r.out.find("n/a") != std::string::npos);
  CHECK(r.out.find("words have no steps") != std::string::npos);
  CHECK(toy({"prove", "good/breaks", "--mutate", "drop:counter/step"}).code == 1);
  CHECK(toy({"prove", "good/words", "--mutate", "drop:counter/step"}).code == 2);
}

TEST_CASE("list says what may be mutated") {
  CHECK(toy({"list", "good", "--paths"}).out == "counter/step\n");
  CHECK(toy({"list", "good/words", "--paths"}).code == 2);
  const Json j = Json::parse(toy({"list", "good", "--json"}).out);
  CHECK(j["claims"].size() == 5);
  CHECK(j["claims"][0]["expected"] == "proved");
}

TEST_CASE("claims are chosen by name, family, instance and pattern") {
  auto count = [](const std::string& name) {
    return Json::parse(toy({"list", name, "--json"}).out)["claims"].size();
  };
  CHECK(count("good/counts") == 2);
  CHECK(count("good") == 5);
  CHECK(count("counter-19") == 1);
  CHECK(count("*/breaks") == 2);
  CHECK(Json::parse(toy({"list", "good", "--arch", "arm64", "--json"}).out)["claims"].size() == 4);
}

TEST_CASE("explore counts, and shares the machine of claims about one instance") {
  const Json j =
      Json::parse(toy({"explore", "good/counts", "good/breaks", "bad/never-breaks", "--json"}).out);
  REQUIRE(j["machines"].size() == 3);
  CHECK(j["machines"][0]["instance"] == "counter-9");
  CHECK(j["machines"][1]["states"] == 20);
  CHECK(j["machines"][1]["edges"] == 19);
  CHECK(j["machines"][1]["deadlocks"] == 1);
  CHECK(j["machines"][1]["covers"][0]["level"] == 2);
  CHECK(j["machines"][1]["actions"][0]["fired"] == 19);
}

TEST_CASE("a trace that explore finds says of what it is one") {
  const Json j = Json::parse(toy({"explore", "bad/breaks", "--json"}).out);
  const Json meta = j["machines"][0]["violations"][0]["trace"]["#meta"];
  CHECK(meta["claim"] == "bad/breaks");
  CHECK(meta["instance"] == "counter-9");
  CHECK(meta["arch"] == "x86_64");
}

TEST_CASE("a violation is written, replayed, and refused when it is another's") {
  const Folder folder;
  CHECK(toy({"prove", "good/breaks", "--traces", folder.path("traces")}).code == 0);
  const std::string file = folder.path("traces/good-breaks-arm64.itf.json");
  const std::string text = read(file);
  REQUIRE(!text.empty());
  const Run good = toy({"replay", file});
  CHECK(good.code == 0);
  CHECK(good.out.find("replayed: 4 steps") != std::string::npos);
  CHECK(Json::parse(toy({"replay", file, "--json"}).out)["replays"] == true);

  write(folder.path("cut"), text.substr(0, text.size() / 2));
  CHECK(toy({"replay", folder.path("cut")}).code == 2);
  write(folder.path("other"), "{\"a\": 1}\n");
  CHECK(toy({"replay", folder.path("other")}).code == 2);
  CHECK(run(PTMC_BINARY, {"replay", file}).code == 2);
}

TEST_CASE("a trace in each format, on its own") {
  const Folder folder;
  const std::string itf = folder.path("traces/good-breaks-arm64.itf.json");
  CHECK(toy({"prove", "good/breaks", "--traces", folder.path("traces")}).code == 0);
  const std::vector<std::array<std::string, 3>> formats{
      {"text", ".txt", "good/breaks on arm64: counter-9\n"},
      {"markdown", ".md", "## good/breaks on arm64: counter-9\n"},
      {"dot", ".dot", "digraph trace {\n"},
      {"html", ".html", "<!DOCTYPE html>\n"},
      {"itf", ".itf.json", "{\n  \"#meta\": {\n"}};
  for (const auto& [format, ending, begin] : formats) {
    CAPTURE(format);
    CHECK(toy({"prove", "good/breaks", "--traces", folder.path(format), "--format", format}).code == 0);
    const std::string written = read(folder.path(format + "/good-breaks-arm64" + ending));
    CHECK(written.starts_with(begin));
    const Run again = toy({"replay", itf, "--format", format});
    CHECK(again.code == 0);
    if (format != "text") CHECK(again.out == written);
    CHECK(toy({"replay", itf, "--format", format, "--output", folder.path("out")}).out.empty());
    CHECK(read(folder.path("out")) == again.out);
  }
  CHECK(read(folder.path("itf/good-breaks-arm64.itf.json")) == read(itf));
  CHECK(
      read(folder.path("markdown/good-breaks-arm64.md")).find("\n./ptmc prove good/breaks --arch arm64\n") !=
      std::string::npos);
  CHECK(toy({"replay", itf, "--format", "pdf"}).code == 2);
  CHECK(toy({"replay", itf, "--format", "html", "--json"}).code == 2);
  CHECK(toy({"prove", "good/breaks", "--format", "html"}).code == 2);
}
