// What the kernel tells of pages, read from texts and words made up here, and once from the running kernel.
#include <doctest/doctest.h>
#include <sys/mman.h>

#include "checker/native/kernel/pages.hpp"
#include "checker/native/kernel/region.hpp"

using namespace ptmc;
using namespace ptmc::native::kernel;

namespace {

constexpr u64 head = u64{1} << 15, tail = u64{1} << 16;

const char* const smaps =
    "7f0000000000-7f0000200000 rw-p 00000000 00:00 0 \n"
    "Size:               2048 kB\n"
    "Rss:                1024 kB\n"
    "Shared_Dirty:          4 kB\n"
    "Private_Dirty:         8 kB\n"
    "AnonHugePages:       512 kB\n"
    "VmFlags: rd wr mr mw me ac \n"
    "7f0000200000-7f0000300000 ---s 00000000 fd:00 123   /some/file with spaces\n"
    "Size:               1024 kB\n"
    "Rss:                 100 kB\n"
    "FilePmdMapped:        16 kB\n";

std::string told(const Folios& f, u64 pages, bool expected) {
  const Environment e;
  bool right = true;
  const std::string text = verified(f, pages, e, right);
  CHECK(right == expected);
  return text;
}

}  // namespace

TEST_CASE("smaps are summed over the mappings of a region") {
  const Mapped both = parse_smaps(smaps, 0x7f0000000000, 0x7f0000300000);
  CHECK(both.mappings == 2);
  CHECK(both.size == 3072 * 1024);
  CHECK(both.resident == 1124 * 1024);
  CHECK(both.by_pmd == 528 * 1024);
  CHECK(both.dirty == 12 * 1024);
  CHECK(both.rights == "rw-p");
  const Mapped second = parse_smaps(smaps, 0x7f0000200000, 0x7f0000300000);
  CHECK(second.mappings == 1);
  CHECK(second.rights == "---s");
  CHECK(parse_smaps(smaps, 0, 4096).mappings == 0);
  CHECK(parse_smaps("", 0, ~u64{0}).mappings == 0);
}

TEST_CASE("folios of one size, whole") {
  const std::vector<u64> frames{8, 9, 10, 11, 16, 17, 18, 19},
      large{head, tail, tail, tail, head, tail, tail, tail};
  const Folios f = folios_in(frames, large);
  CHECK(f.of_size == std::map<u64, u64>{{4, 2}});
  CHECK(told(f, 4, true) == "each page is in a whole folio of 16 KiB");
  CHECK(told(f, 1, false) == "not as wanted: 2 folios of 16 KiB");
  const Folios adjacent = folios_in(std::vector<u64>{8, 9, 10, 11}, std::vector<u64>{head, tail, head, tail});
  CHECK(adjacent.of_size == std::map<u64, u64>{{2, 2}});
  const Folios small = folios_in(std::vector<u64>{5, 6, 7}, std::vector<u64>{0, 0, 0});
  CHECK(told(small, 1, true) == "each page is in a whole folio of 4 KiB");
}

TEST_CASE("folios that are mapped in part, and pages that are not there") {
  const Folios cut = folios_in(std::vector<u64>{10, 11, 5, 0}, std::vector<u64>{tail, tail, 0, 0});
  CHECK(cut.torn == 1);
  CHECK(cut.absent == 1);
  CHECK(told(cut, 1, false) == "not as wanted: 1 folios of 4 KiB, 1 parts of folios, 1 absent pages");
  // Out of order: pages of one folio, not adjacent.
  const Folios mixed = folios_in(std::vector<u64>{8, 10, 9, 11}, std::vector<u64>{head, tail, tail, tail});
  CHECK(mixed.torn == 4);
  // Three of four.
  CHECK(folios_in(std::vector<u64>{8, 9, 10}, std::vector<u64>{head, tail, tail}).torn == 1);
}

TEST_CASE("the same frames have the same hash") {
  const std::vector<u64> none{0, 0}, a{5, 6}, b{6, 5};
  CHECK(folios_in(a, none).hash == folios_in(a, none).hash);
  CHECK(folios_in(a, none).hash != folios_in(b, none).hash);
}

TEST_CASE("what is not known is not said") {
  const Folios unknown{false, "no permission", {}, 0, 0, 0};
  CHECK(told(unknown, 1, true) == "not verified: no permission");
  Environment e;
  e.root = "/absent";
  std::byte none{};
  CHECK_FALSE(folios(&none, 4096, e).known);
  CHECK(mapped(&none, 4096, e).mappings == 0);
}

TEST_CASE("the running kernel's own pages") {
  const Environment e = look_around();
  const Region region(16 * e.page_bytes, e.page_bytes);
  CHECK(reinterpret_cast<u64>(region.begin()) % e.page_bytes == 0);
  map_anonymous(region.begin(), region.bytes());
  if (e.huge_bytes != 0) advise(region.begin(), region.bytes(), MADV_NOHUGEPAGE, "MADV_NOHUGEPAGE");
  fill(region.begin(), region.bytes() / 2, e.page_bytes, Context{e});
  const Mapped m = mapped(region.begin(), region.bytes(), e);
  if (m.mappings != 0) {
    CHECK(m.resident == 8 * e.page_bytes);
    CHECK(m.rights == "rw-p");
  }
  const Folios f = folios(region.begin(), region.bytes(), e);
  if (f.known) {
    CHECK(f.of_size == std::map<u64, u64>{{1, 8}});
    CHECK(f.absent == 8);
  }
  CHECK(read_all(region.begin(), region.bytes(), e.page_bytes) == 8);
}
