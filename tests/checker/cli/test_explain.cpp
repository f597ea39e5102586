// `ptmc explain` over the catalogue of toys: claims that hold, are violated, or have no machine.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/checker/cli/process.hpp"

using namespace ptmc::cli_test;
using Json = nlohmann::ordered_json;

namespace {

Json explained(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "explain");
  arguments.emplace_back("--json");
  const Run r = toy(arguments);
  CHECK(r.code == 0);
  return Json::parse(r.out)["claims"];
}

}  // namespace

TEST_CASE("a claim that holds: the shortest run to each cover, by architecture") {
  const Json all = explained({"good/counts"});
  REQUIRE(all.size() == 2);
  CHECK(all[0]["arch"] == "x86_64");
  CHECK(all[1]["arch"] == "arm64");
  for (const Json& j : all) {
    CHECK(j["verdict"].is_null());  // It was not run.
    CHECK(j["expected"] == "bounded");
    REQUIRE(j["covers"].size() == 1);
    CHECK(j["covers"][0]["cover"] == "two");
    CHECK(j["covers"][0]["trace"]["states"].size() == 3);
    CHECK(j["hints"].is_null());
  }
  CHECK(explained({"good/counts", "--arch", "arm64"}).size() == 1);
  const Run text = toy({"explain", "good/counts", "--arch", "arm64"});
  CHECK(contains(text.out, "Reached: sometimes the count is two (two)."));
  CHECK(contains(text.out, "Catalogued as bounded; `ptmc prove good/counts` checks it."));
}

TEST_CASE("a cover beyond the machine is said to be out of reach") {
  const Run r = toy({"explain", "good/counts", "--arch", "x86_64", "--mutate", "drop:counter/step"});
  CHECK(r.code == 0);
  CHECK(contains(r.out, "bounded"));
  CHECK(contains(r.out, "not reached within the limits: sometimes the count is two"));
}

TEST_CASE("a claim that is violated: the smallest trace; no hints where actors are no data") {
  const Json j = explained({"good/breaks"}).at(0);
  CHECK(j["verdict"] == "violated");
  CHECK(j["trace"]["states"].size() == 5);
  CHECK(j["hints"].is_null());
  CHECK(j["covers"].empty());
  const Run text = toy({"explain", "good/breaks"});
  CHECK(contains(text.out, "Violated: always the count stays small (small)."));
  CHECK(!contains(text.out, "Fix hints"));
}

TEST_CASE("a claim without a machine names those that show it at work") {
  const Json j = explained({"good/words"}).at(0);
  CHECK(j["at_work"] == Json({"good/counts"}));
  CHECK(contains(toy({"explain", "good/words"}).out, "`ptmc explain good/counts` shows it"));
  CHECK(contains(toy({"explain", "weak/bounded"}).out, "there is no run to show"));
}

TEST_CASE("bad input") {
  CHECK(toy({"explain"}).code == 2);
  CHECK(toy({"explain", "good/count"}).code == 2);
  CHECK(toy({"explain", "good/counts", "--mutate", "drop:counter/stop"}).code == 2);
  CHECK(toy({"explain", "good/counts", "--limit-time", "0"}).code == 2);
}
