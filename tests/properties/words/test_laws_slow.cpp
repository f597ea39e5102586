// Each law is proved on each of its layouts, each premise is needed, and each bad twin is caught: over all
// words.
#include "tests/properties/words/law_checks.hpp"

using namespace ptmc;
using namespace ptmc::words;

TEST_CASE("every law holds for all words and needs each of its premises") {
  CHECK(check_laws(laws()) == 174);
}

TEST_CASE("every bad twin is caught on every layout it exists on") { CHECK(check_twins(laws()) == 210); }

TEST_CASE("names are unique, every law has a twin and every twin a layout") { check_names(laws()); }

TEST_CASE("a witness reads as named bits") {
  CHECK(decode_witness(Layout::x86_64, {{"p", 0x8000000000003067}, {"prot", 0x25}, {"n", 7}}) ==
        "p = P RW US A D pfn=0x3 NX, prot = P US A, n = 0x7");
  CHECK(decode_witness(Layout::x86_64, {{"entry", 0x67}, {"vma", 3 | bit(37) | bit(60)}, {"vma", 0}}) ==
        "entry = P RW US A D pfn=0x0, vma = READ WRITE SHADOW_STACK 0x1000000000000000, vma = 0");
}
