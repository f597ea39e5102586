// What every subject of `ptmc time` leaves in memory and what it costs: the same on every CPU, whatever its
// own page tables look like. tests/arm64/run compares.
#include <xxhash.h>

#include <cstdio>
#include <memory>

#include "checker/native/subjects.hpp"

using namespace ptmc;
using namespace ptmc::native;

int main() {
  struct alignas(4096) Table {
    Entry entry[2048];
  };
  const auto table = std::make_unique<Table>();
  for (const Subject& s : subjects())
    for (const u64 folio : s.folios)
      for (const Way& way : s.ways)
        for (const u64 entries : {16, 48, 512, 2048})
          for (const bool by_hand : {false, true}) {
            s.fill(table->entry, entries, folio);
            (by_hand ? way.by_hand : way.steps)(table->entry, entries, Flush::none);
            const XXH64_hash_t left = XXH64(table->entry, entries * sizeof(Entry), 0);
            s.fill(table->entry, entries, folio);
            const Way::Counts counts = way.count(table->entry, entries);
            std::printf("%s folio %llu %s %llu %s: %016llx, %llu steps, %s\n", s.name,
                        static_cast<unsigned long long>(folio), way.name,
                        static_cast<unsigned long long>(entries), by_hand ? "by hand" : "steps",
                        static_cast<unsigned long long>(left), static_cast<unsigned long long>(counts.steps),
                        to_text(counts.bill, *s.tariff).c_str());
          }
}
