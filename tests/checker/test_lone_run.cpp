// Rounds that nobody disturbs, on a toy.
#include <doctest/doctest.h>

#include "checker/lone_run.hpp"
#include "checker/lower/lower_plain.hpp"
#include "tests/checker/lower/toy.hpp"

using namespace ptmc;

namespace {

std::unique_ptr<Stepper> toy_stepper(const std::vector<std::string>& mutations = {}) {
  static const PlainTables tables = plain_tables<toy::Model>();
  Setup s;
  s.actors = {{"worker", 2}};
  s.config.bound[static_cast<unsigned>(By::actor)] = 2;
  s.config.bound[static_cast<unsigned>(By::page)] = 1;
  s.mutations = mutations;
  return plain_stepper(tables, s);
}

constexpr Tariff::Item items[] = {{"load", "loads"}, {"store", "stores"}};
constexpr Tariff tariff{items,
                        [](const Action& a) -> std::optional<unsigned> {
                          if (a.step == "add/read") return 0;
                          if (a.step == "add/write") return 1;
                          return std::nullopt;
                        },
                        [](const Action&) { return false; }};

}  // namespace

TEST_CASE("a round is paid item by item") {
  const auto naive = toy_stepper({"insert:worker/read=read"});
  LoneRun run(*naive, tariff);
  CHECK(run.round("worker[0]") == Bill{2, 1});
  CHECK(run.round("worker[1]") == Bill{2, 1});
  CHECK(to_text(Bill{2, 1}, tariff) == "2 loads, 1 store");
  CHECK(to_text(Bill{0, 0}, tariff) == "nothing");
}

TEST_CASE("a round that does not end says why") {
  const auto locked = toy_stepper({"drop:worker/unlock"});
  LoneRun run(*locked, tariff);
  CHECK(run.round("worker[0]") == Bill{1, 1});
  CHECK_THROWS_WITH_AS(run.round("worker[1]"), "worker[1] is stuck", Endless);
  const auto whole = toy_stepper();
  LoneRun again(*whole, tariff);
  CHECK(again.round("worker[0]") == Bill{1, 1});
  CHECK_THROWS_WITH_AS(again.round("worker[0]"), "worker[0] is stuck",
                       Endless);  // It rests after two rounds.
}
