// What the pages of a region really are, as the kernel tells: /proc/self/smaps, pagemap and /proc/kpageflags.
#pragma once
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "checker/native/kernel/environment.hpp"

namespace ptmc::native::kernel {

/// Sums over the mappings that lie within a region; bytes.
struct Mapped {
  u64 mappings = 0;
  u64 size = 0, resident = 0;
  u64 by_pmd = 0;      // Of resident: mapped by PMD entries.
  u64 dirty = 0;       // Of resident, by page flag or entry.
  std::string rights;  // "rw-p", of the first mapping.
};
Mapped parse_smaps(const std::string& text, u64 begin, u64 end);
/// Of this process. mappings is 0 if it cannot be read.
Mapped mapped(const std::byte* begin, u64 bytes, const Environment& environment);

/// Folios as they are mapped: how many of each size, in pages. A folio that is not mapped whole, in order and
/// at adjacent addresses counts as `torn` (each piece once).
struct Folios {
  bool known = false;
  std::string why_not;         // If not known: a clause.
  std::map<u64, u64> of_size;  // Pages of a folio -> folios.
  u64 torn = 0, absent = 0;    // Pieces, pages.
  u64 hash = 0;                // Of the frames in order: the same pages have the same.
};
/// `frames`: a page frame number a page, 0 if absent. `flags`: /proc/kpageflags of each.
Folios folios_in(std::span<const u64> frames, std::span<const u64> flags);
Folios folios(const std::byte* begin, u64 bytes, const Environment& environment);

/// "all 262,144 pages in folios of 4 KiB (/proc/kpageflags)", or what is there instead, or "not verified:
/// ...". `right` becomes false if it is known that not all pages are in whole folios of `pages`.
std::string verified(const Folios& found, u64 pages, const Environment& environment, bool& right);

/// "12,345,678".
std::string grouped(u64 number);

}  // namespace ptmc::native::kernel
