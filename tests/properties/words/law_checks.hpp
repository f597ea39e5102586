// What must hold of every book of laws.
#pragma once
#include <doctest/doctest.h>

#include <set>

#include "properties/words/law.hpp"

namespace ptmc::words {

template <class F>
void each(const Texts& texts, F f) {
  for (const Layout layout : layouts)
    if (const Text text = texts[static_cast<unsigned>(layout)]) f(layout, text);
}

/// Each law has the verdict it is expected to have; a proved one needs each of its premises. How many proofs.
inline unsigned check_laws(const std::vector<Law>& book) {
  LawProver prover;
  unsigned proofs = 0;
  for (const Law& law : book)
    each(law.text, [&](Layout layout, Text text) {
      CAPTURE(law.name);
      CAPTURE(name_of(layout).name);
      const ValueResult r = prover.prove(text);
      CAPTURE(r.reason);
      CAPTURE(decode_witness(layout, r.witness));
      CHECK(r.verdict == law.expected);
      if (law.expected != Verdict::proved) return;
      const auto assumptions = prover.assumptions(text);
      REQUIRE(r.necessary.size() == assumptions.size());
      for (std::size_t i = 0; i < assumptions.size(); ++i) {
        CAPTURE(assumptions[i]);
        CHECK(r.necessary[i].has_value());
      }
      ++proofs;
    });
  return proofs;
}

/// Each bad twin is caught on every layout it exists on. How many were.
inline unsigned check_twins(const std::vector<Law>& book) {
  LawProver prover;
  unsigned caught = 0;
  for (const Law& law : book)
    for (const Twin& twin : law.twins)
      each(twin.text, [&](Layout layout, Text text) {
        CAPTURE(law.name);
        CAPTURE(twin.name);
        CAPTURE(name_of(layout).name);
        const ValueResult r = prover.prove(text);
        CHECK(r.verdict == Verdict::violated);
        CHECK(!r.witness.empty());
        ++caught;
      });
  return caught;
}

/// Names are unique, every proved law has a twin, and every twin a layout that its law has.
inline void check_names(const std::vector<Law>& book) {
  std::set<std::string> names;
  for (const Law& law : book) {
    CAPTURE(law.name);
    CHECK(names.insert(law.name).second);
    CHECK(law.twins.empty() == (law.expected == Verdict::violated));
    for (const Twin& twin : law.twins) {
      CHECK(names.insert(std::string(law.name) + "/" + twin.name).second);
      unsigned layouts_of_twin = 0;
      each(twin.text, [&](Layout layout, Text) {
        ++layouts_of_twin;
        const bool law_applies = law.text[static_cast<unsigned>(layout)] != nullptr;
        CHECK(law_applies);
      });
      CHECK(layouts_of_twin > 0);
    }
  }
}

}  // namespace ptmc::words
