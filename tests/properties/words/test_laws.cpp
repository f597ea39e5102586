// Each law is proved on each of its layouts, each premise is needed, and each bad twin is caught: over all
// words.
#include <doctest/doctest.h>

#include <set>

#include "properties/words/law.hpp"

using namespace ptmc;
using namespace ptmc::words;

namespace {

template <class F>
void each(const Texts& texts, F f) {
  for (const Layout layout : layouts)
    if (const Text text = texts[static_cast<unsigned>(layout)]) f(layout, text);
}

}  // namespace

TEST_CASE("every law holds for all words and needs each of its premises") {
  LawProver prover;
  unsigned proofs = 0;
  for (const Law& law : laws())
    each(law.text, [&](Layout layout, Text text) {
      CAPTURE(law.name);
      CAPTURE(name_of(layout).name);
      const ValueResult r = prover.prove(text);
      CAPTURE(r.reason);
      CAPTURE(decode_witness(layout, r.witness));
      CHECK(r.verdict == Verdict::proved);
      const auto assumptions = prover.assumptions(text);
      REQUIRE(r.necessary.size() == assumptions.size());
      for (std::size_t i = 0; i < assumptions.size(); ++i) {
        CAPTURE(assumptions[i]);
        CHECK(r.necessary[i].has_value());
      }
      ++proofs;
    });
  CHECK(proofs == 174);
}

TEST_CASE("every bad twin is caught on every layout it exists on") {
  LawProver prover;
  unsigned caught = 0;
  for (const Law& law : laws())
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
  CHECK(caught == 210);
}

TEST_CASE("names are unique, every law has a twin and every twin a layout") {
  std::set<std::string> names;
  for (const Law& law : laws()) {
    CAPTURE(law.name);
    CHECK(names.insert(law.name).second);
    CHECK(!law.twins.empty());
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

TEST_CASE("a witness reads as named bits") {
  CHECK(decode_witness(Layout::x86_64, {{"p", 0x8000000000003067}, {"prot", 0x25}, {"n", 7}}) ==
        "p = P RW US A D pfn=0x3 NX, prot = P US A, n = 0x7");
}
