// `ptmc time`: what it prints, and what it refuses.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/checker/cli/process.hpp"

using namespace ptmc::cli_test;
using Json = nlohmann::ordered_json;

TEST_CASE("a subject that does not exist: exit 2, with the nearest spelling") {
  const Run r = run(PTMC_BINARY, {"time", "mprotct"});
  CHECK(r.code == 2);
  CHECK(r.out.empty());
  CHECK(r.err.find("did you mean mprotect?") != std::string::npos);
  CHECK(r.err.find("unmap-protnone") != std::string::npos);
  CHECK(run(PTMC_BINARY, {"time", "--kernel", "--against-itself"}).code == 2);
}

TEST_CASE("the JSON report: exact counts first, the same in each run; what was measured is in `timing`") {
  const std::vector<std::string> line{"time", "unmap-protnone", "--json"};
  Json first = Json::parse(run(PTMC_BINARY, line).out), second = Json::parse(run(PTMC_BINARY, line).out);
  REQUIRE(first.contains("timing"));
  const Json rows = first["timing"]["rows"]["unmap-protnone"];
  REQUIRE(rows.size() >= 12);
  CHECK(rows[0]["way"] == "eager");
  CHECK(rows[0]["steps_ns"]["median"] > 0);
  CHECK(rows[0]["ratio"]["median"] == 1.0);
  first.erase("timing");
  second.erase("timing");
  CHECK(first == second);
  const Json counts = first["subjects"][0]["counts"];
  REQUIRE(counts.size() == 3);
  CHECK(counts[1]["way"] == "batched");
  CHECK(counts[1]["flushes"] == 16);
  CHECK(counts[2]["flushes"] == 0);
  CHECK(first["subjects"][0]["steps_compared"] > 50000);
}

TEST_CASE("the text fits a mail") {
  const Run r = run(PTMC_BINARY, {"time", "unmap"});
  CHECK(r.code == 0);
  CHECK(r.out.find("  batched: 16 flushes; 31.25 flushes per 1,000 changes\n") != std::string::npos);
  std::istringstream in(r.out);
  for (std::string text; std::getline(in, text);) CHECK(text.size() <= 72);
}
