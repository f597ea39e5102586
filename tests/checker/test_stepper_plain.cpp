// The naive stepper on toys: states by name, actions by name, and what it refuses.
#include <doctest/doctest.h>

#include <algorithm>

#include "checker/lower/lower_plain.hpp"
#include "tests/checker/lower/toy.hpp"

using namespace ptmc;

namespace {

const PlainTables& tables() {
  static const PlainTables t = plain_tables<toy::Model>();
  return t;
}
std::unique_ptr<Stepper> stepper(bool fuse = true) {
  Setup s;
  s.actors = {{"worker", 1}};
  s.config.bound[static_cast<unsigned>(By::cpu)] = 2;
  s.config.bound[static_cast<unsigned>(By::page)] = 1;
  s.fuse = fuse;
  return plain_stepper(tables(), s);
}
u64 value(const DecodedState& s, const std::string& name) {
  for (const Field& f : s)
    if (f.name == name) return f.value;
  throw std::out_of_range(name);
}

}  // namespace

TEST_CASE("runs one addition") {
  const auto naive = stepper();
  REQUIRE(naive->initial().size() == 1);
  DecodedState s = naive->initial().front();
  CHECK(s.size() == 2 + 2 + 2 + 1 + 1);
  std::vector<std::string> enabled;
  for (const Action& a : naive->enabled(s)) enabled.push_back(label(a));
  CHECK(enabled == std::vector<std::string>{"worker/add/lock", "hw/switch_on(cpu=0)", "hw/switch_on(cpu=1)"});
  for (const char* step : {"lock", "read", "write", "unlock"}) {
    const auto next = naive->apply(s, {"worker", std::string("add/") + step, ""});
    REQUIRE(next);
    s = *next;
    if (step == std::string("lock")) CHECK(naive->holds(s, "locked") == true);
  }
  CHECK(value(s, "total") == 1u << 12);
  CHECK(value(s, "worker[0].rounds") == 1);
  CHECK(naive->holds(s, "sum") == true);
  CHECK(naive->holds(s, "full") == false);
  CHECK(naive->holds(s, "no such claim") == std::nullopt);
}

TEST_CASE("what is not enabled or has no such name is not applied") {
  const auto naive = stepper(false);
  const DecodedState s = naive->initial().front();
  CHECK(naive->apply(s, {"worker", "add/read", ""}) == std::nullopt);
  CHECK(naive->apply(s, {"hw", "switch_on", "cpu=2"}) == std::nullopt);
  const auto lit = naive->apply(s, {"hw", "switch_on", "cpu=1"});
  REQUIRE(lit);
  CHECK(naive->apply(*lit, {"hw", "switch_on", "cpu=1"}) == std::nullopt);
}

TEST_CASE("what is no state is refused") {
  const auto naive = stepper();
  const DecodedState good = naive->initial().front();
  DecodedState s = good;
  s.pop_back();
  CHECK_THROWS_AS(naive->enabled(s), std::invalid_argument);
  s = good;
  s.push_back({"extra", 0, 1, false});
  CHECK_THROWS_AS(naive->enabled(s), std::invalid_argument);
  s = good;
  s.front().value = 4;  // lock: 2 bits.
  CHECK_THROWS_AS(naive->enabled(s), std::invalid_argument);
  s = good;
  s.back().value = 99;  // worker.pc
  CHECK_THROWS_AS(naive->enabled(s), std::invalid_argument);
  std::reverse(s.begin(), s.end());
  s.front().value = 0;
  CHECK(naive->enabled(s).size() == 3);  // The order of fields is of no matter.
}

TEST_CASE("a value that does not fit is an error, not a state") {
  const auto naive = stepper();
  DecodedState s = naive->initial().front();
  for (Field& f : s) {
    if (f.name == "lock") f.value = 1;
    if (f.name == "total") f.value = u64{8} << 12;
    if (f.name == "worker.pc") f.value = 1;  // read
  }
  CHECK_THROWS_AS(naive->apply(s, {"worker", "add/read", ""}), WidthError);
}
