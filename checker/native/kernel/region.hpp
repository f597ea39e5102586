// Address space for a measurement: mappings that go away with their owner, and a clock.
#pragma once
#include <cstddef>

#include "checker/native/kernel/report.hpp"

namespace ptmc::native::kernel {

/// Address space [begin, begin + bytes) of this process, unmapped at the end, whatever is mapped there by
/// then.
class Region {
 public:
  /// Reserves `bytes` that start at a multiple of `alignment_bytes` (a power of two); inaccessible. Throws
  /// Impossible.
  Region(u64 bytes, u64 alignment_bytes);
  ~Region();
  Region(Region&& other) noexcept;
  Region& operator=(Region&&) = delete;

  std::byte* begin() const { return begin_; }
  u64 bytes() const { return bytes_; }

 private:
  std::byte* begin_ = nullptr;
  u64 bytes_ = 0;
};

/// "mprotect: Cannot allocate memory."; from errno.
std::string failure(const std::string& what);

/// Replaces [begin, begin + bytes) by new private anonymous memory, readable and writable. Throws Impossible.
void map_anonymous(std::byte* begin, u64 bytes);

/// Writes one byte in each `step_bytes`, so that the pages exist. Throws Stopped.
void fill(std::byte* begin, u64 bytes, u64 step_bytes, const Context& context);
/// Reads one byte of each page; what it returns keeps the compiler from leaving it out.
u64 read_all(const std::byte* begin, u64 bytes, u64 page_bytes);

/// Throw Impossible, naming the call and errno.
void protect(std::byte* begin, u64 bytes, int protection);
void advise(std::byte* begin, u64 bytes, int advice, const char* name);

/// Nanoseconds since some moment.
double now_ns();

}  // namespace ptmc::native::kernel
