// Seed 004: paging out clean file pages that are accessible, or mapped PROT_NONE, while another CPU runs the
// process.
#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>

#include "checker/native/kernel/memory_group.hpp"
#include "checker/native/kernel/pages.hpp"
#include "checker/native/kernel/region.hpp"
#include "checker/native/kernel/scratch_file.hpp"
#include "checker/native/kernel/seeds.hpp"
#include "checker/native/published.hpp"
#include "checker/native/shootdown.hpp"

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

namespace ptmc::native::kernel {
namespace {

constexpr u64 wanted_bytes = u64{64} << 20;
constexpr u64 rounds = 20;
constexpr double limit_ms = 12'000;

enum class How : u8 { advice, reclaim };  // By MADV_PAGEOUT, or as when memory is short.

struct Case {
  const char* name;
  How how;
  bool accessible;
  std::vector<double> interrupts{};  // Of each run, on the sibling's CPU.
};

class Pages {
 public:
  /// `group` may be null: then nothing is reclaimed.
  Pages(const ScratchFile& file, u64 bytes, unsigned sibling_cpu, const MemoryGroup* group,
        const Environment& e)
      : environment_(e), cpu_(sibling_cpu), group_(group), region_(bytes, e.pmd_bytes()) {
    const int flags = MAP_SHARED | MAP_FIXED;
    if (::mmap(region_.begin(), bytes, PROT_READ | PROT_WRITE, flags, file.descriptor(), 0) == MAP_FAILED)
      throw Impossible(failure("the scratch file cannot be mapped"));
    // Whoever reads a page first has it charged to his group.
    ::posix_fadvise(file.descriptor(), 0, static_cast<off_t>(bytes), POSIX_FADV_DONTNEED);
  }

  /// Nanoseconds a page.
  double page_out(Case& c) {
    read_all(region_.begin(), region_.bytes(), environment_.page_bytes);
    if (!c.accessible) protect(region_.begin(), region_.bytes(), PROT_NONE);
    before(c.accessible);
    const double interrupts = counted(), begin = now_ns();
    if (c.how == How::advice)
      advise(region_.begin(), region_.bytes(), MADV_PAGEOUT, "MADV_PAGEOUT");
    else
      group_->reclaim(region_.bytes());
    last_ns_ = now_ns() - begin;
    c.interrupts.push_back(counted() - interrupts);
    const u64 left = resident();
    wrong_ += left != 0;
    if (!c.accessible) protect(region_.begin(), region_.bytes(), PROT_READ | PROT_WRITE);
    const u64 pages = (region_.bytes() - std::min(left, region_.bytes())) / environment_.page_bytes;
    if (pages == 0) throw Impossible(std::string(c.name) + ": all pages stayed where they were.");
    return last_ns_ / static_cast<double>(pages);
  }
  /// What comes in without us, in the time that the last page-out took.
  double background() const {
    const double interrupts = counted(), begin = now_ns();
    while (now_ns() - begin < last_ns_) {
    }
    return counted() - interrupts;
  }
  void forget_warm_up() { wrong_ = 0; }
  std::string verified() const {
    if (unseen_) return "not verified: /proc/self/smaps cannot be read";
    const std::string pages = grouped(region_.bytes() / environment_.page_bytes);
    if (wrong_ == 0) return "in each run " + pages + " pages were resident and clean before, none after";
    return "not as wanted: " + std::to_string(wrong_) + " times pages were absent or dirty before, or stayed";
  }
  u64 bytes() const { return region_.bytes(); }

 private:
  double counted() const {
    return static_cast<double>(
        interrupts_of(text_of(environment_.path("/proc/interrupts")), "TLB:", cpu_).value_or(0));
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
  const MemoryGroup* group_;
  Region region_;
  u64 wrong_ = 0;
  bool unseen_ = false;
  double last_ns_ = 0;
};

// A ratio to runs of which each counted something.
void divide(Row& row, const std::vector<double>& a, const std::vector<double>& b,
            const std::string& against) {
  row.against = against;
  if (std::all_of(b.begin(), b.end(), [](double n) { return n > 0; })) row.ratio = ratio_of(a, b);
}

void tell_interrupts(const std::vector<Case>& cases, const std::vector<double>& background,
                     KernelReport& report) {
  const std::string unit = "TLB interrupts", suffix = ", IPIs";
  for (std::size_t k = 0; k < cases.size(); ++k) {
    Row row{cases[k].name + suffix, {}, "", unit, estimate(cases[k].interrupts), "", {}};
    if (!cases[k].accessible)
      divide(row, cases[k].interrupts, cases[k + 1].interrupts, cases[k + 1].name + suffix);
    report.rows.push_back(row);
  }
  report.rows.push_back({"background, IPIs", {}, "", unit, estimate(background), "", {}});
}

// Each inaccessible case is followed by its accessible twin.
void measure(Pages& pages, std::vector<Case>& cases, bool counts_interrupts, const Context& context,
             KernelReport& report) {
  std::vector<std::function<double()>> runs;
  for (Case& c : cases) runs.emplace_back([&pages, &c] { return pages.page_out(c); });
  for (const auto& run : runs) run();  // To warm up.
  for (Case& c : cases) c.interrupts.clear();
  pages.forget_warm_up();
  std::vector<double> background;
  runs.emplace_back([&] {
    background.push_back(pages.background());
    return 0.0;
  });
  Turns turns{.rounds = rounds, .limit_ms = limit_ms, .cancel = context.cancel};
  turns.before_each = [&](u64 done) {
    context.tell("004: page-out, round " + std::to_string(done + 1) + " of " + std::to_string(rounds));
  };
  const auto values = in_turns(runs, turns);
  context.stop_if_asked();
  const std::vector<Count> counts{{pages.bytes() / context.environment.page_bytes, "pages"}};
  for (std::size_t k = 0; k < cases.size(); ++k) {
    Row row{cases[k].name, counts, pages.verified(), "ns a page", estimate(values[k]), "", {}};
    if (!cases[k].accessible) divide(row, values[k], values[k + 1], cases[k + 1].name);
    report.rows.push_back(row);
  }
  if (counts_interrupts) tell_interrupts(cases, background, report);
}

void measure_here(const Context& context, KernelReport& report, u64 bytes) {
  const Environment& e = context.environment;
  context.tell("004: writing " + size_text(bytes) + " to a scratch file");
  const ScratchFile file({e.folder, e.path("/var/tmp")}, bytes, context);
  std::vector<Case> cases{{"PAGEOUT, PROT_NONE", How::advice, false},
                          {"PAGEOUT, accessible", How::advice, true}};
  std::optional<MemoryGroup> group;
  try {
    group.emplace(e);
    cases.push_back({"reclaim, PROT_NONE", How::reclaim, false});
    cases.push_back({"reclaim, accessible", How::reclaim, true});
  } catch (const Impossible& error) {
    report.could_not.push_back(std::string("Reclaim without MADV_PAGEOUT: ") + error.what());
  }
  const Sibling sibling;
  if (!sibling.missing().empty()) throw Impossible(sibling.missing());
  const bool counts = interrupts_of(text_of(e.path("/proc/interrupts")), "TLB:", sibling.cpu()).has_value();
  if (!counts)
    report.could_not.push_back(
        "TLB interrupts are not counted: /proc/interrupts has no such row (arm64 invalidates without "
        "interrupts).");
  Pages pages(file, bytes, sibling.cpu(), group ? &*group : nullptr, e);
  measure(pages, cases, counts, context, report);
  if (const std::string failed = group ? group->leave() : ""; !failed.empty())
    report.could_not.push_back(failed);
}

}  // namespace

KernelReport measure_pageout(const Context& context) {
  const Environment& e = context.environment;
  KernelReport report;
  report.seed = "004";
  report.published = {published_004};
  const u64 bytes = scaled(wanted_bytes, 1, u64{4} << 20, e);
  report.sentence =
      "Paging out " + size_text(bytes == 0 ? wanted_bytes : bytes) +
      " of clean file pages, accessible or mprotect(PROT_NONE) before, a sibling spinning on another CPU";
  report.notes = {
      "PROT_NONE against accessible compares page states, not kernels. Mainline spares PROT_NONE pages since "
      "6.4, and "
      "this kernel calls itself " +
          e.kernel + (at_least(e.kernel, 6, 4) ? ": it should." : ": it should not."),
      "MADV_PAGEOUT holds a gather of the process meanwhile (mm/madvise.c, 6.12), so that a flush may be "
      "pending and "
      "pte_accessible() is true of PROT_NONE as well: no page should be spared. Reclaim (of a memory control "
      "group made "
      "for it) holds none.",
      "mprotect, which flushes by itself, and reading the pages in again are outside the measurement.",
      "The mapping is read-write; where a file system tracks stores, entries of clean pages are read-only "
      "until one.",
      "IPIs come in on the sibling's CPU, others' too: background is as long as the run before, without "
      "page-out."};
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
