// A machine that lacks something gets a sentence for it, and no number.
#include <doctest/doctest.h>

#include <algorithm>

#include "checker/native/kernel/scratch_file.hpp"
#include "checker/native/kernel/seeds.hpp"
#include "checker/native/shootdown.hpp"
#include "tests/checker/native/kernel/made_up.hpp"

using namespace ptmc;
using namespace ptmc::native;
using namespace ptmc::native::kernel;
using ptmc::kernel_test::Root;

namespace {

constexpr u64 mib = u64{1} << 20;

// Large enough for everything at its smallest.
Environment small() {
  Environment e = look_around();
  e.available_bytes = 4 * 3 * 16 * mib;
  return e;
}

bool says(const KernelReport& r, const std::string& text) {
  return std::any_of(r.could_not.begin(), r.could_not.end(),
                     [&](const std::string& s) { return s.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("each seed has its name, sentence and published figure, whatever the machine") {
  Environment e = small();
  e.available_bytes = 0;
  e.nodes = {0};
  e.pku = false;
  for (const Seed& seed : seeds()) {
    CAPTURE(seed.name);
    const KernelReport r = seed.measure(Context{e});
    CHECK(r.seed == seed.name);
    CHECK_FALSE(r.sentence.empty());
    CHECK_FALSE(r.published.empty());
    CHECK_FALSE(r.measured());
    CHECK(r.could_not.size() == 1);
  }
}

TEST_CASE("one node, one CPU, no keys") {
  Environment e = small();
  e.nodes = {0};
  CHECK(says(measure_numa(Context{e}), "one NUMA node"));
  e.nodes = {};
  CHECK(says(measure_numa(Context{e}), "tells of no NUMA nodes"));
  e.cpus = {0};
  CHECK(says(measure_pageout(Context{e}), "one CPU only"));
  e.pku = false;
  CHECK(says(measure_pkeys(Context{e}), "no protection keys"));
}

TEST_CASE("without huge pages mprotect has small ones only, and compares nothing") {
  Environment e = small();
  e.huge_bytes = 0;
  const KernelReport r = measure_mprotect(Context{e});
  CHECK(says(r, "PTE-mapped THP: this kernel has no transparent huge pages"));
  CHECK(says(r, "64 KiB mTHP: this kernel has no transparent huge pages"));
  REQUIRE(r.rows.size() == 1);
  CHECK(r.rows[0].value);
  CHECK_FALSE(r.rows[0].ratio);
  CHECK(r.rows[0].counts[0].value == 16 * mib / e.page_bytes);
  CHECK(r.notes[0].starts_with("16 MiB instead of 1 GiB"));
}

TEST_CASE("folios of a size that the kernel does not know") {
  Environment e = small();
  const Root root;
  e.root = root.path("");
  const KernelReport r = measure_mprotect(Context{e});
  if (e.huge_bytes != 0 && e.page_bytes < 64 * 1024) CHECK(says(r, "no anonymous folios of that size"));
  for (const Row& row : r.rows) CHECK(row.verified.starts_with("not verified: "));
}

TEST_CASE("less than one entry of the top level") {
  const Environment e = small();
  if (e.pmd_bytes() > 16 * mib) return;  // Larger pages: their entries map more than all there is.
  const KernelReport r = measure_mremap(Context{e});
  CHECK(says(r, "PUD-aligned: one entry of that level maps "));
  REQUIRE(r.rows.size() == 4);
  CHECK(r.rows[0].against == "PTE-aligned");
  CHECK_FALSE(r.rows[2].ratio);
}

TEST_CASE("a cancel stops each measurement") {
  const std::atomic<bool> cancel{true};
  Environment e = small();
  for (const auto& measure : {measure_mprotect, measure_mremap})
    CHECK_THROWS_AS(measure(Context{e, &cancel}), Stopped);
}

TEST_CASE("TLB interrupts of a CPU") {
  const std::string text =
      "           CPU0       CPU2\n"
      "  0:         12          0   IO-APIC   2-edge      timer\n"
      "TLB:       3703       3148   TLB shootdowns\n";
  CHECK(interrupts_of(text, "TLB:", 0) == 3703);
  CHECK(interrupts_of(text, "TLB:", 2) == 3148);
  CHECK_FALSE(interrupts_of(text, "TLB:", 1));
  CHECK_FALSE(interrupts_of("  CPU0\nIPI0: 1 Rescheduling interrupts\n", "TLB:", 0));
  CHECK_FALSE(interrupts_of("", "TLB:", 0));
}

TEST_CASE("ratios in a word") {
  Row row{"a", {}, "", "ns a page", {}, "b", {}};
  CHECK(row.comparison().empty());
  row.ratio = Estimate{0.5, 0.4, 0.6, 10};
  CHECK(row.comparison() == "faster");
  row.unit = "TLB interrupts";
  CHECK(row.comparison() == "fewer");
  row.ratio = Estimate{2, 1.5, 3, 10};
  CHECK(row.comparison() == "more");
  row.ratio = Estimate{1, 0.5, 3, 10};
  CHECK(row.comparison() == "no difference");
  row.ratio = estimate({0.5, 0.5});
  CHECK(row.comparison().empty());
}

TEST_CASE("a scratch file is never kept in memory") {
  const Environment e = look_around();
  CHECK_THROWS_AS(ScratchFile({"/absent"}, 4096, Context{e}), Impossible);
  CHECK_THROWS_AS(ScratchFile({"/dev/shm"}, 4096, Context{e}), Impossible);
}
