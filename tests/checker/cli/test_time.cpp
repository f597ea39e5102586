// Reports of `ptmc time --kernel`: their shape, not their numbers.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "checker/cli/options.hpp"
#include "checker/cli/text.hpp"
#include "checker/cli/time.hpp"
#include "tests/checker/cli/process.hpp"

using namespace ptmc;
using namespace ptmc::cli;
using native::Estimate;
using ptmc::cli_test::Run;

namespace {

KernelTiming made_up(double factor) {
  native::kernel::KernelReport r;
  r.seed = "007";
  r.sentence = "A thing that is done to many pages, over and over again, until it is known how long it takes";
  r.published = {"another machine: 19x"};
  r.notes = {"One is the other's half."};
  r.could_not = {"The third case needs a processor that has not been built yet, and never will be."};
  const Estimate fast{123.4 * factor, 120 * factor, 130 * factor, 20}, ratio{0.5, 0.45, 0.55, 20};
  r.rows = {{"large pages", {{1234567, "entries"}}, "as wanted", "ns an entry", fast, "small pages", ratio},
            {"small pages",
             {{1, "entry"}},
             "not verified: no permission",
             "ns an entry",
             native::estimate({1.0 * factor, 2.0 * factor}),
             "",
             {}}};
  r.findings = {"It took " + std::to_string(factor) + " s."};
  return {"6.18.0", "x86_64", {r}, 1500 * factor};
}

}  // namespace

TEST_CASE("figures have three digits or more") {
  CHECK(figure(0) == "0");
  CHECK(figure(0.0123) == "0.012");
  CHECK(figure(1.234) == "1.23");
  CHECK(figure(45.67) == "45.7");
  CHECK(figure(123.4) == "123");
  CHECK(figure(1234567) == "1234567");
  CHECK(told({2, 1, 3, 9}, "ns") == "2.00 [1.00, 3.00] ns");
  CHECK(told(native::estimate({2, 2, 2}), "ns") == "2.00 ns (3 runs: no interval)");
}

TEST_CASE("a report fits a mail and says all") {
  const std::string text = text_of(made_up(1));
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    CAPTURE(line);
    CHECK(line.size() <= columns);
  }
  for (const char* part :
       {"seed 007", "1,234,567 entries", "123 [120, 130] ns an entry", "(2 runs: no interval)",
        "0.500 [0.450, 0.550] faster", "against small pages", "large pages: as wanted",
        "not verified: no permission", "published (other machine, other unit)", "19x",
        "could not be done here", "It took"}) {
    CAPTURE(part);
    CHECK(contains(text, part));
  }
}

TEST_CASE("for machines only the last member changes") {
  auto a = nlohmann::ordered_json::parse(json_of(made_up(1), "./ptmc time --kernel"));
  auto b = nlohmann::ordered_json::parse(json_of(made_up(2), "./ptmc time --kernel"));
  CHECK(a != b);
  CHECK(std::prev(a.end()).key() == "timing");
  const auto rows = a["timing"]["seeds"][0]["rows"];
  CHECK(rows[0]["value"]["low"] == 120);
  CHECK(rows[0]["comparison"] == "faster");
  CHECK(rows[1]["value"]["low"].is_null());
  CHECK(rows[1]["ratio"].is_null());
  CHECK(rows[1]["comparison"].is_null());
  a.erase("timing");
  b.erase("timing");
  CHECK(a.dump() == b.dump());
  CHECK(a["seeds"][0]["cases"][0]["counts"][0]["count"] == 1234567);
  CHECK(a["seeds"][0]["published"]["where"] == "other machine, other unit");
}

TEST_CASE("the command line") {
  const char* const line[]{"ptmc", "time", "--kernel", "002", "seed004", "--json"};
  const Options o = parse(6, line).options;
  CHECK(o.command == "time");
  CHECK(o.kernel);
  CHECK(o.claims == std::vector<std::string>{"002", "seed004"});
  CHECK(o.again == "./ptmc time --kernel 002 seed004");
  const Run unknown = cli_test::run(PTMC_TOY, {"time", "--kernel", "005"});
  CHECK(unknown.code == 2);
  CHECK(contains(unknown.err, "there are 000 to 004"));
  const Run help = cli_test::run(PTMC_TOY, {"time", "--help"});
  CHECK(help.code == 0);
  CHECK(contains(help.out, "64 KiB folios need a setting"));
}

TEST_CASE("what cannot be measured here is no error of ours") {
  const Run text = cli_test::run(PTMC_TOY, {"time", "--kernel", "003"});
  const Run json = cli_test::run(PTMC_TOY, {"time", "--kernel", "003", "--json"});
  const bool measured = !nlohmann::json::parse(json.out)["timing"]["seeds"][0]["rows"].empty();
  CHECK(json.code == (measured ? 0 : 3));
  CHECK(text.code == json.code);
  CHECK(contains(text.out, "seed 003"));
  CHECK(measured != contains(text.out, "could not be done here"));
}
