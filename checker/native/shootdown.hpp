// The stand-in for a TLB shootdown: an interrupt of every other CPU that runs this process, and the wait for
// it.
#pragma once
#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "model/core/types.hpp"

namespace ptmc::native {

/// membarrier(2), private expedited: the kernel sends an IPI to each CPU that runs another thread of this
/// process, and returns when all have taken it, as flush_tlb_mm_range does. Needs Shootdown::prepare().
struct Shootdown {
  /// Why it cannot be done here; empty: it can.
  static std::string prepare();
  void flush() { interrupt(); }
  static void interrupt();
  /// How many this thread has asked for, prepared or not.
  static u64 asked();
};

enum class Spin : u8 { no, yes };
/// A thread that keeps another CPU busy in user space, so that a flush has somebody to interrupt. While it
/// lives, its maker runs on one CPU only.
class Sibling {
 public:
  /// With one CPU only there is none: `missing` says why. Spin::no: the other CPU is left alone.
  explicit Sibling(Spin spin = Spin::yes);
  ~Sibling();
  Sibling(const Sibling&) = delete;

  const std::string& missing() const { return missing_; }
  /// How often it was kept from running for longer than an interrupt takes.
  u64 stalls() const { return stalls_.load(std::memory_order_acquire); }
  /// Whether it runs now, or did within the last `stall_ns`.
  bool runs() const;
  /// The longest an interrupt may keep it, in nanoseconds.
  static constexpr u64 stall_ns = 50'000;
  unsigned cpu() const { return cpu_; }

 private:
  void spin();

  std::vector<unsigned> allowed_;  // Of the caller, before it was pinned.
  std::string missing_;
  unsigned cpu_ = 0;
  std::atomic<bool> stop_{false};
  std::atomic<u64> stalls_{0}, seen_ns_{0};
  std::thread thread_;
};

/// Whether a sibling has run all along since this was made. Without one nobody can be missing.
class Watch {
 public:
  explicit Watch(const Sibling* sibling)
      : sibling_(sibling),
        stalls_(sibling == nullptr ? 0 : sibling->stalls()),
        ran_(sibling == nullptr || sibling->runs()) {}
  bool undisturbed() const {
    return sibling_ == nullptr || (ran_ && sibling_->stalls() == stalls_ && sibling_->runs());
  }

 private:
  const Sibling* sibling_;
  u64 stalls_;
  bool ran_;
};

/// Interrupts of one CPU so far, from row `name` ("CAL:", "TLB:") of a text like /proc/interrupts. Nothing if
/// there is no such row or column.
std::optional<u64> interrupts_of(const std::string& interrupts, const std::string& name, unsigned cpu);
/// The same, of this machine.
std::optional<u64> interrupt_count(const std::string& name, unsigned cpu);

}  // namespace ptmc::native
