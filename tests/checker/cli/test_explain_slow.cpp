// Hints for known bugs through the real command. They were expected before the run as written here, but for
// what a comment says.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/checker/cli/process.hpp"

using namespace ptmc::cli_test;
using Json = nlohmann::ordered_json;

namespace {

Json explained(const std::string& claim, const std::string& arch) {
  const Run r = run(PTMC_BINARY, {"explain", claim, "--arch", arch, "--json", "--limit-time", "10m"});
  REQUIRE(r.code == 0);
  const Json all = Json::parse(r.out)["claims"];
  REQUIRE(all.size() == 1);
  CHECK(all[0]["verdict"] == "violated");
  CHECK(all[0]["hints"]["open"] == 0);
  return all[0];
}

std::vector<std::string> mutations(const Json& j) {
  std::vector<std::string> all;
  for (const Json& h : j["hints"]["found"]) {
    CHECK(h["all_go_on"] == true);
    all.push_back(h["mutation"]);
  }
  return all;
}

}  // namespace

// The count of open gathers must be looked at once the PTL is taken: whoever cleared the entry still counts.
// Four places were expected; the fifth is that behind read_batched, after the drain that is not taken here.
TEST_CASE("B09: mm_tlb_flush_nested anywhere from the PTL on, first where the kernel has it") {
  for (const char* arch : {"x86_64", "arm64"}) {
    CAPTURE(arch);
    const Json j = explained("bug/B09", arch);
    const std::string actor = "insert:madvise_dontneed/", step = "=mm_tlb_flush_nested";
    CHECK(mutations(j) ==
          std::vector<std::string>{actor + "pte_unmap_unlock" + step, actor + "pte_offset_map_lock" + step,
                                   actor + "read_batched" + step, actor + "cmpxchg_batched" + step,
                                   actor + "ptep_get_and_clear_full" + step});
    for (const Json& h : j["hints"]["found"]) {
      CHECK(h["as_the_kernel_does"] == (h["mutation"] == actor + "pte_unmap_unlock" + step));
      CHECK(h["costs"].empty());
    }
    CHECK(j["commit"] == "99baac21e458");
    REQUIRE(j["elsewhere"].size() == 3);
    for (const Json& e : j["elsewhere"]) CHECK(e["verdict"] == "violated");
  }
}

// A flush is two steps, and reclaim has neither a TLBI nor IPIs to wait for once it took the entry for
// inaccessible.
TEST_CASE("B06: no single step helps") {
  for (const char* arch : {"x86_64", "arm64"}) {
    CAPTURE(arch);
    CHECK(mutations(explained("bug/B06", arch)).empty());
  }
}

// bug/B04 is about a field that arm64's flushes do not have.
TEST_CASE("elsewhere: n/a comes with the catalogue's reason") {
  const Json j = explained("bug/B04", "x86_64");
  REQUIRE(j["elsewhere"].size() == 3);
  for (const Json& e : j["elsewhere"]) {
    CHECK(e["verdict"] == "n/a");
    CHECK(e["reason"] == "knob:flush_tlb_func=gen-zero-is-old: no flush request carries a generation");
  }
}
