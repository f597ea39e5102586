#include "checker/native/kernel/pages.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <sstream>

namespace ptmc::native::kernel {
namespace {

constexpr u64 kpf_head = u64{1} << 15, kpf_tail = u64{1} << 16, kpf_huge = u64{1} << 17;
constexpr u64 pagemap_present = u64{1} << 63, pagemap_frame = (u64{1} << 55) - 1;

class File {
 public:
  explicit File(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  bool open() const { return descriptor_ >= 0; }
  /// Words from the index-th on. False, with errno, if not all could be read.
  bool words(u64 index, std::span<u64> out) const {
    std::size_t got = 0;
    while (got < out.size_bytes()) {
      const ssize_t n = ::pread(descriptor_, reinterpret_cast<char*>(out.data()) + got,
                                out.size_bytes() - got, static_cast<off_t>(index * 8 + got));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      got += static_cast<std::size_t>(n);
    }
    return true;
  }

 private:
  int descriptor_;
};

Folios unknown(const std::string& path) { return {false, path + ": " + std::strerror(errno), {}, 0, 0, 0}; }

// Pages of the folio that begins at `at`, as far as it is mapped at adjacent addresses and frames.
std::size_t extent(std::span<const u64> frames, std::span<const u64> flags, std::size_t at) {
  std::size_t end = at + 1;
  while (end < frames.size() && frames[end] == frames[end - 1] + 1 && (flags[end] & kpf_tail) != 0) ++end;
  return end - at;
}

}  // namespace

Mapped parse_smaps(const std::string& text, u64 begin, u64 end) {
  Mapped sum;
  bool within = false;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    u64 first = 0, last = 0;
    const char* const stop = line.data() + line.size();
    const auto a = std::from_chars(line.data(), stop, first, 16);
    if (a.ec == std::errc() && a.ptr != stop && *a.ptr == '-') {
      const auto b = std::from_chars(a.ptr + 1, stop, last, 16);
      if (b.ec == std::errc() && stop - b.ptr > 5 && *b.ptr == ' ') {
        within = first < end && last > begin;
        if (within && ++sum.mappings == 1) sum.rights.assign(b.ptr + 1, 4);
        continue;
      }
    }
    if (!within) continue;
    std::istringstream words(line);
    std::string key;
    u64 kilobytes = 0;
    if (!(words >> key >> kilobytes)) continue;
    if (key == "Size:") sum.size += kilobytes * 1024;
    if (key == "Rss:") sum.resident += kilobytes * 1024;
    if (key == "AnonHugePages:" || key == "FilePmdMapped:" || key == "ShmemPmdMapped:")
      sum.by_pmd += kilobytes * 1024;
    if (key == "Shared_Dirty:" || key == "Private_Dirty:") sum.dirty += kilobytes * 1024;
  }
  return sum;
}

Mapped mapped(const std::byte* begin, u64 bytes, const Environment& environment) {
  const u64 first = reinterpret_cast<std::uintptr_t>(begin);
  return parse_smaps(text_of(environment.path("/proc/self/smaps")), first, first + bytes);
}

Folios folios_in(std::span<const u64> frames, std::span<const u64> flags) {
  Folios f{true, "", {}, 0, 0, 1469598103934665603u};  // FNV-1a
  for (const u64 frame : frames) f.hash = (f.hash ^ frame) * 1099511628211u;
  for (std::size_t at = 0; at < frames.size();) {
    const std::size_t pages = extent(frames, flags, at);
    const bool head = (flags[at] & kpf_head) != 0, tail = (flags[at] & kpf_tail) != 0;
    if (frames[at] == 0) {
      ++f.absent;
      ++at;
      continue;
    }
    // Sizes are powers of two and frames are aligned to them: a piece at the end would be neither.
    const bool whole = head ? (pages & (pages - 1)) == 0 && pages > 1 && frames[at] % pages == 0 : !tail;
    if (whole)
      ++f.of_size[head ? pages : 1];
    else
      ++f.torn;
    at += head || tail ? pages : 1;
  }
  return f;
}

Folios folios(const std::byte* begin, u64 bytes, const Environment& environment) {
  const std::string pagemap = environment.path("/proc/self/pagemap"),
                    kpageflags = environment.path("/proc/kpageflags");
  std::vector<u64> frames(bytes / environment.page_bytes), flags(frames.size());
  const File map(pagemap), kinds(kpageflags);
  if (!map.open() || !map.words(reinterpret_cast<std::uintptr_t>(begin) / environment.page_bytes, frames))
    return unknown(pagemap);
  bool present = false, told = false;
  for (u64& f : frames) {
    present |= (f & pagemap_present) != 0;
    f = (f & pagemap_present) != 0 ? f & pagemap_frame : 0;
    told |= f != 0;
  }
  if (present && !told) return {false, pagemap + " shows no frames without CAP_SYS_ADMIN", {}, 0, 0, 0};
  if (!kinds.open()) return unknown(kpageflags);
  for (std::size_t at = 0; at < frames.size();) {  // Adjacent frames at once.
    std::size_t end = at + 1;
    while (end < frames.size() && frames[end] == frames[end - 1] + 1) ++end;
    if (frames[at] != 0 && !kinds.words(frames[at], std::span(flags).subspan(at, end - at)))
      return unknown(kpageflags);
    at = end;
  }
  if (std::any_of(flags.begin(), flags.end(), [](u64 f) { return (f & kpf_huge) != 0; }))
    return {false, "hugetlb pages", {}, 0, 0, 0};
  return folios_in(frames, flags);
}

std::string verified(const Folios& found, u64 pages, const Environment& environment, bool& right) {
  if (!found.known) return "not verified: " + found.why_not;
  const u64 page = environment.page_bytes;
  right = found.torn == 0 && found.absent == 0 && found.of_size.size() == 1 &&
          found.of_size.begin()->first == pages;
  if (right) return "each page is in a whole folio of " + size_text(pages * page);
  std::string text = "not as wanted:";
  const char* separator = " ";
  const auto add = [&](u64 count, const std::string& what) {
    if (count != 0) text += separator + grouped(count) + " " + what, separator = ", ";
  };
  for (const auto& [size, count] : found.of_size) add(count, "folios of " + size_text(size * page));
  add(found.torn, "parts of folios");
  add(found.absent, "absent pages");
  return text;
}

std::string grouped(u64 number) {
  std::string text = std::to_string(number);
  for (std::size_t k = text.size(); k > 3; k -= 3) text.insert(k - 3, ",");
  return text;
}

}  // namespace ptmc::native::kernel
