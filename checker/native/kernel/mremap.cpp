// Seed 002: moving 1 GiB, by how both addresses are aligned.
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <memory>

#include "checker/native/kernel/pages.hpp"
#include "checker/native/kernel/region.hpp"
#include "checker/native/kernel/seeds.hpp"

namespace ptmc::native::kernel {
namespace {

constexpr u64 wanted_bytes = u64{1} << 30;
constexpr u64 rounds = 30;
constexpr double limit_ms = 10'000;

// Memory that is moved to and fro between two places of one reserved region.
class Shuttle {
 public:
  /// The places are aligned to `alignment_bytes` and, relative to each other, to no more than that.
  Shuttle(u64 bytes, u64 alignment_bytes, const Context& context)
      : environment_(context.environment),
        bytes_(bytes),
        region_(4 * std::max(bytes, environment_.pud_bytes()) + environment_.pud_bytes(),
                environment_.pud_bytes()) {
    const bool top = alignment_bytes == environment_.pud_bytes();
    const u64 apart = (region_.bytes() / 2) / environment_.pud_bytes() * environment_.pud_bytes();
    here_ = region_.begin() + (top ? 0 : alignment_bytes);
    there_ = region_.begin() + apart + (top ? 0 : 2 * alignment_bytes);
    map_anonymous(here_, bytes);
    advise(here_, bytes, MADV_NOHUGEPAGE, "MADV_NOHUGEPAGE");
    fill(here_, bytes, environment_.page_bytes, context);
  }

  /// Nanoseconds of one move. Throws Impossible.
  double move() {
    ::munmap(there_, bytes_);  // What reserves the place would cost the move its removal.
    const double begin = now_ns();
    void* const got = ::mremap(here_, bytes_, bytes_, MREMAP_MAYMOVE | MREMAP_FIXED, there_);
    const double end = now_ns();
    if (got == MAP_FAILED) throw Impossible(failure("mremap"));
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    if (::mmap(here_, bytes_, PROT_NONE, flags, -1, 0) == MAP_FAILED)
      throw Impossible(failure("the old place cannot be reserved again"));
    std::swap(here_, there_);
    return end - begin;
  }
  void touch() { sum_ = read_all(here_, bytes_, environment_.page_bytes); }
  /// Whether the memory is what was written, and how it is known.
  std::string verified(const Folios& before, bool& right) const {
    const u64 pages = bytes_ / environment_.page_bytes;
    const Folios now = folios(here_, bytes_, environment_);
    right = read_all(here_, bytes_, environment_.page_bytes) == pages;
    if (!right) return "not as wanted: the contents changed";
    if (!now.known || !before.known) return "contents kept; pages not verified: " + now.why_not;
    std::string text = native::kernel::verified(now, 1, environment_, right);
    right = right && now.hash == before.hash;
    return text + (now.hash == before.hash ? "; the same frames in the same order" : "; other frames");
  }
  Folios pages() const { return folios(here_, bytes_, environment_); }

 private:
  const Environment& environment_;
  u64 bytes_;
  Region region_;
  std::byte *here_ = nullptr, *there_ = nullptr;
  volatile u64 sum_ = 0;
};

struct Case {
  Row warm, touched;
  std::unique_ptr<Shuttle> shuttle;
  Folios before;
};

Row row_of(const std::string& name, const std::string& level, u64 entries) {
  return {name, {{entries, level + (entries == 1 ? " entry" : " entries")}}, "", "us a move", {}, "", {}};
}

std::vector<Case> cases_of(u64 bytes, const Context& context, KernelReport& report) {
  const Environment& e = context.environment;
  const std::array<std::pair<const char*, u64>, 3> levels{
      {{"PUD", e.pud_bytes()}, {"PMD", e.pmd_bytes()}, {"PTE", e.page_bytes}}};
  std::vector<Case> cases;
  for (const auto& [level, level_bytes] : levels) {
    const std::string name = std::string(level) + "-aligned";
    if (bytes < level_bytes) {
      report.could_not.push_back(name + ": one entry of that level maps " + size_text(level_bytes) + ".");
      continue;
    }
    context.tell("002: filling " + size_text(bytes) + ", " + name);
    try {
      const u64 entries = bytes / level_bytes;
      Case c{row_of(name, level, entries),
             row_of(name + ", touched", level, entries),
             std::make_unique<Shuttle>(bytes, level_bytes, context),
             {}};
      c.before = c.shuttle->pages();
      cases.push_back(std::move(c));
    } catch (const Impossible& error) {
      report.could_not.push_back(name + ": " + error.what());
    }
  }
  return cases;
}

void measure(std::vector<Case>& cases, const Context& context, KernelReport& report) {
  std::vector<std::function<double()>> runs;
  for (const Case& c : cases) {
    Shuttle& s = *c.shuttle;
    runs.emplace_back([&s] { return s.move() / 1000; });
    runs.emplace_back([&s] {
      s.touch();
      return s.move() / 1000;
    });
  }
  for (const auto& run : runs) run();  // To warm up.
  Turns turns{.rounds = rounds, .limit_ms = limit_ms, .cancel = context.cancel};
  turns.before_each = [&](u64 done) {
    context.tell("002: mremap, round " + std::to_string(done + 1) + " of " + std::to_string(rounds));
  };
  const auto values = in_turns(runs, turns);
  context.stop_if_asked();
  std::vector<bool> right;
  for (Case& c : cases) {
    bool is = true;
    c.warm.verified = c.shuttle->verified(c.before, is);
    right.push_back(is);
  }
  // The seed's ratio is of the level against the next lower one.
  for (std::size_t k = 0; k < cases.size(); ++k)
    for (std::size_t touched = 0; touched < 2; ++touched) {
      Row& row = touched == 0 ? cases[k].warm : cases[k].touched;
      row.value = estimate(values[2 * k + touched]);
      if (k + 1 < cases.size()) {
        row.against = touched == 0 ? cases[k + 1].warm.name : cases[k + 1].touched.name;
        if (right[k] && right[k + 1])
          row.ratio = ratio_of(values[2 * k + touched], values[2 * (k + 1) + touched]);
      }
      report.rows.push_back(row);
    }
}

}  // namespace

KernelReport measure_mremap(const Context& context) {
  const Environment& e = context.environment;
  KernelReport report;
  report.seed = "002";
  report.published = {
      "arm64, kernel 5.4, 1 GiB, PUD-aligned: 1134312.6 ns moved by PMDs, 59395.7 ns by a PUD (means of 10); "
      "the 19x is "
      "PMD against PUD"};
  const u64 bytes = scaled(wanted_bytes, 3, std::max(u64{16} << 20, e.pmd_bytes()), e);
  report.sentence = "mremap of " + size_text(bytes == 0 ? wanted_bytes : bytes) +
                    " of private anonymous memory in " + size_text(e.page_bytes) +
                    " pages, by the alignment of both addresses";
  if (bytes == 0) {
    report.could_not.push_back("Too little memory is available.");
    return report;
  }
  if (const std::string note = scaling_note(bytes, wanted_bytes); !note.empty()) report.notes.push_back(note);
  report.notes.push_back(
      "Touched: each page is read right before the move. The alignment is exact, and old and new address "
      "agree in no "
      "larger one; at which level the kernel then moves is its own decision and does not show.");
  std::vector<Case> cases = cases_of(bytes, context, report);
  try {
    if (!cases.empty()) measure(cases, context, report);
  } catch (const Impossible& error) {
    report.could_not.push_back(error.what());
  }
  return report;
}

}  // namespace ptmc::native::kernel
