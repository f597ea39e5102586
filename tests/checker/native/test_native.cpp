// Subjects of `ptmc time`: exact counts, the loops written by hand, rows.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "checker/native/measure.hpp"
#include "checker/native/subjects.hpp"
#include "properties/contpte/cost.hpp"
#include "properties/mprotect/cost.hpp"

using namespace ptmc;
using namespace ptmc::native;

namespace {

struct alignas(4096) Table {
  Entry entry[2048];
};
Way::Counts counts(const char* name, std::size_t way, u64 entries, u64 folio) {
  const Subject& s = subject(name);
  const auto table = std::make_unique<Table>();
  s.fill(table->entry, entries, folio);
  return s.ways.at(way).count(table->entry, entries);
}
using Batches = std::vector<std::pair<u64, u64>>;

}  // namespace

TEST_CASE("a run of mprotect: one read, xchg and store an entry and change, and one flush a call") {
  for (const u64 n : {1, 4, 16, 512})
    for (const std::size_t way : {0, 1, 2}) {
      CHECK(counts("mprotect", way, n, 512).bill == Bill{2 * n, 2 * n, 2 * n, 2, 0, 0, 0});
      CHECK(counts("mprotect-arm64", way, n, 512).bill == Bill{2 * n, 2 * n, 2 * n, 0, 0, 2, 4});
    }
  // A batch that ends with its folio has looked at the next entry.
  CHECK(counts("mprotect", 1, 512, 16).bill == Bill{2 * (512 + 31), 1024, 1024, 2, 0, 0, 0});
  CHECK(counts("mprotect", 1, 512, 16).batches == Batches{{16, 64}});
  CHECK(counts("mprotect", 1, 512, 1).batches == Batches{{1, 1024}});
  CHECK(counts("mprotect", 0, 512, 16).batches == Batches{{1, 1024}});
}

TEST_CASE("native counts are the model's, call by call") {
  for (const u64 n : {1, 4, 16}) {
    Bill model = mprotect::cost_of_mprotect(true, n, "");
    const Bill native = counts("mprotect", 1, n, 512).bill;
    model.at(4) = 0;  // IPIs: natively the kernel's.
    for (std::size_t k = 0; k < model.size(); ++k) CHECK(native.at(k) == 2 * model[k]);
  }
  for (const bool bbm2 : {false, true})
    for (const contpte::Variant v : {contpte::batched, contpte::per_pte}) {
      const Bill model = contpte::cost_of_mprotect(v, contpte::folded, contpte::whole,
                                                   contpte::feature_sets()[bbm2 ? 1 : 0], "");
      const Bill native =
          counts(bbm2 ? "contpte-bbm2" : "contpte", v == contpte::per_pte ? 0 : 1, 16, 16).bill;
      for (std::size_t k = 0; k < model.size(); ++k) CHECK(native.at(k) == 2 * model[k]);
    }
}

TEST_CASE("reclaim: a flush a page, a flush a batch of 32, none after mprotect(PROT_NONE)") {
  const auto flushes = [](const char* name, std::size_t way) { return counts(name, way, 512, 1).bill.at(0); };
  CHECK(flushes("unmap", 0) == 512);
  CHECK(flushes("unmap", 1) == 16);
  CHECK(flushes("unmap", 2) == 16);
  CHECK(flushes("unmap-protnone", 0) == 0);  // ptep_clear_flush asks pte_accessible, too.
  CHECK(flushes("unmap-protnone", 1) == 16);
  CHECK(flushes("unmap-protnone", 2) == 0);
}

TEST_CASE("loops written by hand leave the entries that the steps leave, and flush as often") {
  for (const Subject& s : subjects())
    for (const u64 folio : s.folios)
      for (const u64 entries : {16, 48, 512, 1040})
        for (const Way& way : s.ways) {
          CAPTURE(s.name);
          CAPTURE(way.name);
          const auto steps = std::make_unique<Table>(), hand = std::make_unique<Table>();
          s.fill(steps->entry, entries, folio);
          s.fill(hand->entry, entries, folio);
          way.steps(steps->entry, entries, Flush::none);
          way.by_hand(hand->entry, entries, Flush::none);
          CHECK(std::memcmp(steps->entry, hand->entry, entries * sizeof(Entry)) == 0);
          const auto flushes = [&](const native::Loop& loop, Entry* table) {
            s.fill(table, entries, folio);
            const u64 before = Shootdown::asked();
            loop(table, entries, Flush::interrupt);
            return Shootdown::asked() - before;
          };
          CHECK(flushes(way.steps, hand->entry) == flushes(way.by_hand, hand->entry));
          if (!s.repeatable) continue;
          s.fill(hand->entry, entries, folio);
          CHECK(std::memcmp(steps->entry, hand->entry, entries * sizeof(Entry)) == 0);
        }
}

TEST_CASE("rows: every size without a flush, those of few entries with interrupts") {
  const Subject& s = subject("mprotect");
  const auto still = layouts_of(s, false), all = layouts_of(s, true);
  CHECK(still.size() == s.sizes.size() * s.folios.size());
  CHECK(all.size() > still.size());
  CHECK(std::all_of(all.begin(), all.end(),
                    [](const Layout& l) { return l.flush == Flush::none || l.entries <= 512; }));
  MeasureOptions quick;
  quick.limit_ms = 1;
  const Timing t = native::measure(s, {16, 16, Flush::none}, quick);
  REQUIRE(t.ways.size() == 3);
  CHECK(t.ways[0].steps.runs >= runs_min);
  CHECK(t.ways[0].ratio == Estimate{1, 1, 1, t.ways[0].ratio.runs});
  CHECK(t.dropped == 0);
  std::atomic<bool> cancelled{true};
  quick.cancel = &cancelled;
  CHECK(native::measure(s, {16, 16, Flush::none}, quick).ways.empty());
}

TEST_CASE("a subject that does not exist") { CHECK_THROWS_AS(subject("nosuch"), std::invalid_argument); }
