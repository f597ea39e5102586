#include <doctest/doctest.h>

#include "checker/verdict.hpp"

using namespace ptmc;

TEST_CASE("verdicts have five names") {
  CHECK(to_string(Verdict::proved) == "proved");
  CHECK(to_string(Verdict::n_a) == "n/a");
}

TEST_CASE("what is a surprise") {
  using enum Verdict;
  for (const Verdict v : {proved, bounded, violated, unknown, n_a}) CHECK(surprise(v, v) == Surprise::none);
  // An unwanted violation, and a wanted one that is missing.
  for (const Verdict v : {proved, bounded, unknown, n_a}) CHECK(surprise(violated, v) == Surprise::failed);
  for (const Verdict v : {proved, bounded}) CHECK(surprise(v, violated) == Surprise::failed);
  // Less than was promised.
  CHECK(surprise(bounded, proved) == Surprise::weaker);
  for (const Verdict v : {proved, bounded, violated}) {
    CHECK(surprise(unknown, v) == Surprise::weaker);
    CHECK(surprise(n_a, v) == Surprise::weaker);
  }
  // More than was promised.
  CHECK(surprise(proved, bounded) == Surprise::none);
}
