#include "checker/native/kernel/region.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <utility>

namespace ptmc::native::kernel {

std::string failure(const std::string& what) { return what + ": " + std::strerror(errno) + "."; }

Region::Region(u64 bytes, u64 alignment_bytes) : bytes_(bytes) {
  const u64 all = bytes + alignment_bytes;
  void* const got = ::mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) throw Impossible(failure("no address space for the measurement"));
  auto* const first = static_cast<std::byte*>(got);
  const u64 before =
      (alignment_bytes - reinterpret_cast<std::uintptr_t>(first) % alignment_bytes) % alignment_bytes;
  begin_ = first + before;
  if (before > 0) ::munmap(first, before);
  ::munmap(begin_ + bytes, alignment_bytes - before);
}

Region::~Region() {
  if (begin_ != nullptr) ::munmap(begin_, bytes_);
}

Region::Region(Region&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

void map_anonymous(std::byte* begin, u64 bytes) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  if (::mmap(begin, bytes, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED)
    throw Impossible(failure("no memory for the measurement"));
}

void fill(std::byte* begin, u64 bytes, u64 step_bytes, const Context& context) {
  constexpr u64 chunk_bytes = u64{16} << 20;  // Between two looks at the cancel flag.
  for (u64 at = 0; at < bytes; at += step_bytes) {
    if (at % chunk_bytes == 0) context.stop_if_asked();
    reinterpret_cast<volatile std::byte&>(begin[at]) = std::byte{1};
  }
}

u64 read_all(const std::byte* begin, u64 bytes, u64 page_bytes) {
  u64 sum = 0;
  for (u64 at = 0; at < bytes; at += page_bytes)
    sum += static_cast<u64>(reinterpret_cast<const volatile std::byte&>(begin[at]));
  return sum;
}

void protect(std::byte* begin, u64 bytes, int protection) {
  if (::mprotect(begin, bytes, protection) != 0) throw Impossible(failure("mprotect"));
}

void advise(std::byte* begin, u64 bytes, int advice, const char* name) {
  if (::madvise(begin, bytes, advice) != 0) throw Impossible(failure(name));
}

double now_ns() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace ptmc::native::kernel
