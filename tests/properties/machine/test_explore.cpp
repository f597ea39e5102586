// What becomes of a bad twin's exploration.
#include <doctest/doctest.h>

#include <stdexcept>

#include "properties/machine/explore.hpp"

using namespace ptmc;

namespace {

Claim twin(Verdict expected) {
  Claim c;
  c.name = "bug/B00";
  c.property = "stale";
  c.expected = expected;
  return c;
}
Result result(const char* property, Verdict verdict, bool traced) {
  Result r;
  r.property = property;
  r.verdict = verdict;
  r.reason = traced ? "" : "cover reached is never reached; ";
  if (traced) r.trace = std::make_shared<const Trace>();
  return r;
}
Result concluded(Verdict expected, const std::vector<Result>& results) {
  return machine::twin_result(twin(expected), [&] { return results; });
}

}  // namespace

TEST_CASE("a twin is violated by a trace to its own property") {
  const Result r = concluded(Verdict::violated, {result("excess", Verdict::violated, true),
                                                 result("stale", Verdict::violated, true)});
  CHECK(r.property == "stale");
  CHECK(r.verdict == Verdict::violated);
  CHECK(r.notes == std::vector<std::string>{"also breaks excess"});
  CHECK(concluded(Verdict::violated,
                  {result("excess", Verdict::violated, true), result("stale", Verdict::bounded, false)})
            .verdict == Verdict::bounded);
}

TEST_CASE("a cover that is never reached breaks no property of a twin") {
  const Result r = concluded(Verdict::violated, {result("stale", Verdict::violated, false)});
  CHECK(r.verdict == Verdict::unknown);
  CHECK(r.reason == "cover reached is never reached; ");
}

TEST_CASE("a step that does not exist is n/a where that was expected, and an error elsewhere") {
  const auto absent = []() -> std::vector<Result> { throw std::invalid_argument("no such step"); };
  const Result r = machine::twin_result(twin(Verdict::n_a), absent);
  CHECK(r.verdict == Verdict::n_a);
  CHECK(r.reason == "no such step");
  CHECK_THROWS_AS(machine::twin_result(twin(Verdict::violated), absent), std::invalid_argument);
}
