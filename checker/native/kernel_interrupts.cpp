#include "checker/native/kernel_interrupts.hpp"

#include <sys/mman.h>

#include <algorithm>

#include "checker/native/measure.hpp"

namespace ptmc::native {
namespace {

constexpr int iterations = 60;

/// What the model sends for both calls: its flushes, each to every CPU that runs the process.
u64 sent_by_model(u64 pages, u64 busy_cpus) {
  const Subject& s = subject("mprotect");
  return busy_cpus * flushes_in(s, counts_of(s, s.ways.at(1), {pages, pages, Flush::none})).value();
}

/// Pages of small size, written.
class Mapping {
 public:
  explicit Mapping(u64 pages) : bytes_(pages * 4096) {
    memory_ = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) return;
    ::madvise(memory_, bytes_, MADV_NOHUGEPAGE);
    write();
  }
  ~Mapping() {
    if (memory_ != MAP_FAILED) ::munmap(memory_, bytes_);
  }
  Mapping(const Mapping&) = delete;
  /// Both calls, and a store to each page, so that its entry is dirty again.
  bool protect_and_back() {
    return memory_ != MAP_FAILED && ::mprotect(memory_, bytes_, PROT_READ) == 0 &&
           ::mprotect(memory_, bytes_, PROT_READ | PROT_WRITE) == 0;
  }
  void write() {
    for (u64 at = 0; at < bytes_; at += 4096) static_cast<volatile char*>(memory_)[at] = 1;
  }

 private:
  u64 bytes_;
  void* memory_;
};

/// `sibling` null: nobody else runs, and `cpu` is where one would.
CallInterrupts count(u64 pages, const Sibling* sibling, unsigned cpu) {
  const bool busy = sibling != nullptr;
  CallInterrupts row{pages, busy, sent_by_model(pages, busy ? 1 : 0), std::nullopt, 0};
  Mapping mapping(pages);
  std::vector<u64> counts;
  for (int k = 0; k < iterations; ++k) {
    mapping.write();
    const Watch watch(sibling);
    const auto before = interrupt_count("TLB:", cpu);
    const bool done = mapping.protect_and_back();
    const auto after = interrupt_count("TLB:", cpu);
    if (!done || !before || !after || !watch.undisturbed())
      ++row.dropped;
    else
      counts.push_back(*after - *before);
  }
  if (counts.empty()) return row;
  std::nth_element(counts.begin(), counts.begin() + static_cast<long>(counts.size() / 2), counts.end());
  row.kernel = static_cast<double>(counts[counts.size() / 2]);
  return row;
}

}  // namespace

KernelInterrupts interrupts_of_mprotect(const std::atomic<bool>* cancel) {
  KernelInterrupts found;
  unsigned cpu = 0;
  for (const bool busy : {true, false}) {
    const Sibling sibling(busy ? Spin::yes : Spin::no);
    if (!sibling.missing().empty()) return {{}, sibling.missing()};
    cpu = sibling.cpu();
    if (!interrupt_count("TLB:", cpu)) return {{}, "/proc/interrupts has no row TLB"};
    for (const u64 pages : {1, 4, 16, 64, 256}) {
      if (cancel != nullptr && *cancel) return found;
      found.rows.push_back(count(pages, busy ? &sibling : nullptr, cpu));
    }
  }
  return found;
}

}  // namespace ptmc::native
