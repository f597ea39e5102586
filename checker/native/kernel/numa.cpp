// Seed 001: writing to memory while NUMA balancing takes its rights away for a while, on machines with nodes.
#include <sys/mman.h>

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <sstream>
#include <thread>

#include "checker/native/kernel/pages.hpp"
#include "checker/native/kernel/region.hpp"
#include "checker/native/kernel/seeds.hpp"
#include "checker/native/kernel/setting.hpp"

namespace ptmc::native::kernel {
namespace {

constexpr u64 wanted_bytes = u64{256} << 20;
constexpr u64 rounds = 6;
constexpr double run_ms = 1500;  // Longer than the kernel waits before it looks at a process again.
const std::string balancing = "/proc/sys/kernel/numa_balancing";

// The kernel looks at a process once a second at first, and more and more seldom: too seldom for runs this
// short.
class Often {
 public:
  Often(const Environment& e, KernelReport& report) {
    try {
      for (const char* name : {"scan_delay_ms", "scan_period_min_ms", "scan_period_max_ms"})
        settings_.push_back(
            std::make_unique<Setting>(e.path("/sys/kernel/debug/sched/numa_balancing/") + name, "100"));
    } catch (const Impossible& error) {
      settings_.clear();
      report.could_not.push_back(std::string("Faults come as seldom as the kernel wants: ") + error.what());
    }
  }
  void restore(KernelReport& report) {
    for (const auto& s : settings_)
      if (const std::string failed = s->restore(); !failed.empty()) report.could_not.push_back(failed);
  }

 private:
  std::vector<std::unique_ptr<Setting>> settings_;
};

// A counter of /proc/vmstat, of the whole machine.
double counted(const Environment& e, const std::string& name) {
  std::istringstream in(text_of(e.path("/proc/vmstat")));
  std::string word;
  double value = 0;
  while (in >> word >> value)
    if (word == name) return value;
  return 0;
}

/// A thread that does nothing. Local pages of a process with a single thread are never made to fault.
class Company {
 public:
  Company()
      : thread_([this](const std::stop_token& stop) {
          std::unique_lock lock(mutex_);
          wake_.wait(lock, stop, [] { return false; });
        }) {}

 private:
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // The last member: it ends first.
};

struct Sample {
  double ns_a_page = 0, faults = 0;
};

Sample write_for_a_while(const Region& r, const Context& context) {
  const Environment& e = context.environment;
  const double faults = counted(e, "numa_hint_faults"), begin = now_ns();
  double pages = 0;
  do {
    fill(r.begin(), r.bytes(), e.page_bytes, context);
    pages += static_cast<double>(r.bytes() / e.page_bytes);
  } while (now_ns() - begin < run_ms * 1e6);
  return {(now_ns() - begin) / pages, counted(e, "numa_hint_faults") - faults};
}

void measure(const Region& r, const Context& context, KernelReport& report) {
  const Environment& e = context.environment;
  const Company company;
  std::vector<double> faults;
  const auto with = [&](const char* value) {
    return [&, value] {
      Setting setting(e.path(balancing), value);
      const Sample sample = write_for_a_while(r, context);
      if (*value == '1') faults.push_back(sample.faults);
      if (const std::string failed = setting.restore(); !failed.empty()) throw Impossible(failed);
      return sample.ns_a_page;
    };
  };
  with("1")();  // The kernel looks at a new process late.
  faults.clear();
  Turns turns{.rounds = rounds, .cancel = context.cancel};
  turns.before_each = [&](u64 done) {
    context.tell("001: NUMA hinting, round " + std::to_string(done + 1) + " of " + std::to_string(rounds));
  };
  const auto values = in_turns({with("1"), with("0")}, turns);
  context.stop_if_asked();
  const std::string state = "not verified page by page: counted by /proc/vmstat numa_hint_faults";
  const std::vector<Count> counts{{r.bytes() / e.page_bytes, "pages"}};
  Row on{"with balancing", counts, state, "ns a write", estimate(values[0]), "without balancing", {}};
  on.ratio = ratio_of(values[0], values[1]);
  report.rows.push_back(on);
  report.rows.push_back({"without balancing", counts, state, "ns a write", estimate(values[1]), "", {}});
  report.rows.push_back({"hinting faults", counts, state, "faults a run", estimate(faults), "", {}});
  if (const auto none = std::count(faults.begin(), faults.end(), 0.0); none != 0)
    report.findings.push_back(
        "In " + std::to_string(none) + " of " + std::to_string(faults.size()) +
        " runs with balancing the kernel made no hinting fault: these compare nothing.");
}

}  // namespace

KernelReport measure_numa(const Context& context) {
  const Environment& e = context.environment;
  KernelReport report;
  report.seed = "001";
  report.sentence = "Writes to private anonymous memory with NUMA hinting faults and without";
  report.published = {
      "2 nodes of 96 GiB, autonumabench, before and after savedwrite went: numa1 156.75 +- 11.67 s and "
      "147.50 +- 9.35 s, "
      "numa2 15.9834 +- 0.0589 s and 16.1467 +- 0.0946 s"};
  if (e.nodes.size() < 2) {
    report.could_not.push_back(e.nodes.empty()
                                   ? "This kernel tells of no NUMA nodes; hinting needs two with memory."
                                   : "This machine has one NUMA node; hinting needs two with memory.");
    return report;
  }
  const u64 bytes = scaled(wanted_bytes, 1, u64{16} << 20, e);
  if (bytes == 0) {
    report.could_not.push_back("Too little memory is available.");
    return report;
  }
  if (const std::string note = scaling_note(bytes, wanted_bytes); !note.empty()) report.notes.push_back(note);
  report.notes.push_back(
      "An idle second thread is there because the kernel spares local pages of single-threaded processes. "
      "Faults are the "
      "whole machine's, others' among them.");
  try {
    const Region region(bytes, e.pmd_bytes());
    map_anonymous(region.begin(), bytes);
    advise(region.begin(), bytes, MADV_NOHUGEPAGE, "MADV_NOHUGEPAGE");
    fill(region.begin(), bytes, e.page_bytes, context);
    Often often(e, report);
    measure(region, context, report);
    often.restore(report);
  } catch (const Impossible& error) {
    report.could_not.push_back(error.what());
  }
  return report;
}

}  // namespace ptmc::native::kernel
