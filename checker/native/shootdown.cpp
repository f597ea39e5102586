#include "checker/native/shootdown.hpp"

#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

namespace ptmc::native {
namespace {

thread_local u64 asked_for = 0;

long membarrier(int command) { return ::syscall(SYS_membarrier, command, 0, 0); }

u64 now_ns() {
  return static_cast<u64>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                              std::chrono::steady_clock::now().time_since_epoch())
                              .count());
}

std::vector<unsigned> allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<unsigned> cpus;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (unsigned c = 0; c < CPU_SETSIZE; ++c)
    if (CPU_ISSET(c, &set)) cpus.push_back(c);
  return cpus;
}
bool pin(const std::vector<unsigned>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const unsigned cpu : cpus) CPU_SET(cpu, &set);
  return ::sched_setaffinity(0, sizeof set, &set) == 0;
}

}  // namespace

std::string Shootdown::prepare() {
  if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0) return "";
  return std::string("this kernel has no private expedited membarrier: ") + std::strerror(errno);
}
void Shootdown::interrupt() {
  ++asked_for;
  membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}
u64 Shootdown::asked() { return asked_for; }

Sibling::Sibling(Spin spin) : allowed_(allowed_cpus()) {
  if (allowed_.size() < 2) {
    missing_ = "this process may run on one CPU only: nobody is there to interrupt";
    return;
  }
  cpu_ = allowed_[1];
  if (spin == Spin::no) {
    if (!pin({allowed_[0]})) missing_ = std::string("threads cannot be pinned: ") + std::strerror(errno);
    return;
  }
  std::atomic<int> began{0};
  thread_ = std::thread([&] {
    const bool pinned = pin({cpu_});
    began = pinned ? 1 : -1;
    if (pinned) this->spin();
  });
  while (began == 0) std::this_thread::yield();
  if (began < 0 || !pin({allowed_[0]}))
    missing_ = std::string("threads cannot be pinned: ") + std::strerror(errno);
}
Sibling::~Sibling() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
  if (!allowed_.empty()) pin(allowed_);
}

void Sibling::spin() {
  for (u64 before = now_ns(); !stop_.load(std::memory_order_relaxed);) {
    const u64 now = now_ns();
    if (now - before > stall_ns) stalls_.fetch_add(1, std::memory_order_release);
    before = now;
    seen_ns_.store(now, std::memory_order_release);
  }
}
bool Sibling::runs() const {
  const u64 seen = seen_ns_.load(std::memory_order_acquire), now = now_ns();
  return now < seen + stall_ns;
}

std::optional<u64> interrupts_of(const std::string& interrupts, const std::string& name, unsigned cpu) {
  std::istringstream in(interrupts);
  std::string line, word;
  std::getline(in, line);
  std::istringstream header(line);
  std::size_t column = 0, wanted = 0;
  while (header >> word) {
    ++column;
    if (word == "CPU" + std::to_string(cpu)) wanted = column;
  }
  while (wanted != 0 && std::getline(in, line)) {
    std::istringstream row(line);
    if (!(row >> word) || word != name) continue;
    u64 count = 0;
    for (std::size_t k = 0; k < wanted; ++k)
      if (!(row >> count)) return std::nullopt;
    return count;
  }
  return std::nullopt;
}

std::optional<u64> interrupt_count(const std::string& name, unsigned cpu) {
  std::ifstream in("/proc/interrupts");
  std::ostringstream text;
  text << in.rdbuf();
  return interrupts_of(text.str(), name, cpu);
}

}  // namespace ptmc::native
