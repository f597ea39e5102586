// Seed 004: paging out clean file pages that are accessible, or mapped PROT_NONE, while another CPU runs the
// process.
#include <sys/mman.h>

#include <algorithm>

#include "checker/native/kernel/pages.hpp"
#include "checker/native/kernel/region.hpp"
#include "checker/native/kernel/seeds.hpp"
#include "checker/native/kernel/sibling.hpp"

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

namespace ptmc::native::kernel {
namespace {

constexpr u64 wanted_bytes = u64{64} << 20;
constexpr u64 rounds = 20;
constexpr double limit_ms = 12'000;

struct Sample {
  double ns_a_page = 0;
  double interrupts = 0;  // On the sibling's CPU.
};

class Pages {
 public:
  Pages(const ScratchFile& file, u64 bytes, unsigned sibling_cpu, const Environment& environment)
      : environment_(environment), cpu_(sibling_cpu), region_(bytes, environment.pmd_bytes()) {
    const int flags = MAP_SHARED | MAP_FIXED;
    if (::mmap(region_.begin(), bytes, PROT_READ | PROT_WRITE, flags, file.descriptor(), 0) == MAP_FAILED)
      throw Impossible(failure("the scratch file cannot be mapped"));
  }

  Sample page_out(bool accessible) {
    read_all(region_.begin(), region_.bytes(), environment_.page_bytes);
    if (!accessible) protect(region_.begin(), region_.bytes(), PROT_NONE);
    before(accessible);
    const double interrupts = counted(), begin = now_ns();
    advise(region_.begin(), region_.bytes(), MADV_PAGEOUT, "MADV_PAGEOUT");
    const double ns = now_ns() - begin, after = counted();
    const u64 left = resident();
    wrong_ += left != 0;
    last_ns_ = ns;
    if (!accessible) protect(region_.begin(), region_.bytes(), PROT_READ | PROT_WRITE);
    const u64 pages = (region_.bytes() - std::min(left, region_.bytes())) / environment_.page_bytes;
    if (pages == 0) throw Impossible("MADV_PAGEOUT left all pages where they were.");
    return {ns / static_cast<double>(pages), after - interrupts};
  }
  /// What comes in without us, in the time that the last page-out took.
  double background() const {
    const double interrupts = counted(), begin = now_ns();
    while (now_ns() - begin < last_ns_) {
    }
    return counted() - interrupts;
  }
  std::string verified() const {
    if (unseen_) return "not verified: /proc/self/smaps cannot be read";
    const std::string pages = grouped(region_.bytes() / environment_.page_bytes);
    if (wrong_ == 0) return "in each run " + pages + " pages were resident and clean before, none after";
    return "not as wanted: in " + std::to_string(wrong_) +
           " runs pages were absent or dirty before, or stayed";
  }
  u64 bytes() const { return region_.bytes(); }

 private:
  double counted() const {
    return static_cast<double>(
        tlb_interrupts(text_of(environment_.path("/proc/interrupts")), cpu_).value_or(0));
  }
  u64 resident() {
    const Mapped now = mapped(region_.begin(), region_.bytes(), environment_);
    unseen_ |= now.mappings == 0;
    return now.resident;
  }
  void before(bool accessible) {
    const Mapped now = mapped(region_.begin(), region_.bytes(), environment_);
    wrong_ +=
        now.resident != region_.bytes() || now.dirty != 0 || now.rights != (accessible ? "rw-s" : "---s");
  }

  const Environment& environment_;
  unsigned cpu_;
  Region region_;
  u64 wrong_ = 0;
  bool unseen_ = false;
  double last_ns_ = 0;
};

void measure(Pages& pages, bool counts_interrupts, const Context& context, KernelReport& report) {
  std::vector<std::vector<double>> interrupts(3);
  const auto run = [&](std::size_t which, bool accessible) {
    return [&, which, accessible] {
      const Sample s = pages.page_out(accessible);
      interrupts[which].push_back(s.interrupts);
      return s.ns_a_page;
    };
  };
  const auto idle = [&] {
    interrupts[2].push_back(pages.background());
    return 0.0;
  };
  pages.page_out(true);  // To warm up.
  Turns turns{.rounds = rounds, .limit_ms = limit_ms, .cancel = context.cancel};
  turns.before_each = [&](u64 done) {
    context.tell("004: MADV_PAGEOUT, round " + std::to_string(done + 1) + " of " + std::to_string(rounds));
  };
  const auto values = in_turns({run(0, false), run(1, true), idle}, turns);
  context.stop_if_asked();
  const std::string state = pages.verified();
  const std::vector<Count> counts{{pages.bytes() / context.environment.page_bytes, "pages"}};
  Row none{"PROT_NONE", counts, state, "ns a page", estimate(values[0]), "accessible", {}};
  none.ratio = ratio_of(values[0], values[1]);
  report.rows = {none, {"accessible", counts, state, "ns a page", estimate(values[1]), "", {}}};
  if (!counts_interrupts) return;
  const std::string unit = "TLB interrupts";
  Row less{"PROT_NONE, interrupts", counts, state, unit, estimate(interrupts[0]), "", {}};
  if (std::all_of(interrupts[1].begin(), interrupts[1].end(), [](double n) { return n > 0; })) {
    less.against = "accessible, interrupts";
    less.ratio = ratio_of(interrupts[0], interrupts[1]);
  }
  report.rows.push_back(less);
  report.rows.push_back({"accessible, interrupts", counts, state, unit, estimate(interrupts[1]), "", {}});
  report.rows.push_back({"background, interrupts",
                         {},
                         "no page-out, for as long as the one before took",
                         unit,
                         estimate(interrupts[2]),
                         "",
                         {}});
}

void measure_here(const Context& context, KernelReport& report, u64 bytes) {
  const Environment& e = context.environment;
  context.tell("004: writing " + size_text(bytes) + " to a scratch file");
  const ScratchFile file({e.folder, e.path("/var/tmp")}, bytes, context);
  const Pinned pinned(e.cpus[0]);
  const Sibling sibling(e.cpus[1]);
  Pages pages(file, bytes, e.cpus[1], e);
  const bool counts = tlb_interrupts(text_of(e.path("/proc/interrupts")), e.cpus[1]).has_value();
  if (!counts)
    report.could_not.push_back(
        "TLB interrupts are not counted: /proc/interrupts has no such row (arm64 invalidates without "
        "interrupts).");
  measure(pages, counts, context, report);
}

}  // namespace

KernelReport measure_pageout(const Context& context) {
  const Environment& e = context.environment;
  KernelReport report;
  report.seed = "004";
  report.published = {
      "Intel server, vm-scalability anon-cow-rand-mt, with the patch: score up to 2.1% better, TLB flushing "
      "interrupts up "
      "to 44.3% fewer"};
  const u64 bytes = scaled(wanted_bytes, 1, u64{4} << 20, e);
  report.sentence =
      "MADV_PAGEOUT of " + size_text(bytes == 0 ? wanted_bytes : bytes) +
      " of clean file pages, accessible or mprotect(PROT_NONE) before, a sibling spinning on another CPU";
  report.notes = {
      "This compares page states, not kernels: without the patch an inaccessible page would be flushed as "
      "well.",
      "The mapping is read-write; where a file system tracks stores, entries of clean pages are read-only "
      "until one."};
  if (bytes == 0) {
    report.could_not.push_back("Too little memory is available.");
    return report;
  }
  if (const std::string note = scaling_note(bytes, wanted_bytes); !note.empty()) report.notes.push_back(note);
  if (e.cpus.size() < 2) {
    report.could_not.push_back(
        "This process may run on one CPU only: there is none that a flush would interrupt.");
    return report;
  }
  try {
    measure_here(context, report, bytes);
  } catch (const Impossible& error) {
    report.could_not.push_back(error.what());
  }
  return report;
}

}  // namespace ptmc::native::kernel
