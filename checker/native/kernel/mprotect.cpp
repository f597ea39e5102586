// Seed 000: mprotect to read-only and back, by the size of the folios that the entries map.
#include <sys/mman.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "checker/native/kernel/pages.hpp"
#include "checker/native/kernel/region.hpp"
#include "checker/native/kernel/seeds.hpp"
#include "checker/native/kernel/setting.hpp"
#include "checker/native/published.hpp"

namespace ptmc::native::kernel {
namespace {

constexpr u64 wanted_bytes = u64{1} << 30;
constexpr u64 pairs = 40;  // As the seed.
constexpr double limit_ms = 10'000;
constexpr u64 mthp_bytes = u64{64} << 10;
const std::string thp = "/sys/kernel/mm/transparent_hugepage";

struct Case {
  Row row;
  u64 folio_bytes;
  std::unique_ptr<Region> region;
  std::string seen{};  // What is known without looking at folios.
};

/// Which folio sizes are allocated is said by files; all that stand in the way are changed until it is
/// destroyed.
class Sizes {
 public:
  explicit Sizes(const Environment& environment) : environment_(environment) {}
  std::string file_of(u64 bytes) const {
    return environment_.path(thp + "/hugepages-" + std::to_string(bytes / 1024) + "kB/enabled");
  }
  void set(const std::string& path, const char* value) {
    settings_.push_back(std::make_unique<Setting>(path, value));
  }
  void allow(const std::string& path) {
    if (chosen(text_of(path)) == "never") set(path, "madvise");
  }
  void forbid_above(u64 bytes) {
    for (u64 larger = bytes * 2; larger <= environment_.huge_bytes; larger *= 2)
      if (std::filesystem::exists(file_of(larger))) set(file_of(larger), "never");
  }
  void restore(KernelReport& report) {
    for (const auto& s : settings_)
      if (const std::string failed = s->restore(); !failed.empty()) report.could_not.push_back(failed);
  }

 private:
  const Environment& environment_;
  std::vector<std::unique_ptr<Setting>> settings_;
};

// Huge pages that are mapped by PTEs: protecting one page of each differently splits the entry, not the
// folio.
void map_by_ptes(const Region& r, u64 huge_bytes, u64 page_bytes) {
  for (u64 at = 0; at < r.bytes(); at += huge_bytes) {
    protect(r.begin() + at, page_bytes, PROT_READ);
    protect(r.begin() + at, page_bytes, PROT_READ | PROT_WRITE);
  }
}

void fill_huge(Case& c, const Context& context) {
  const Environment& e = context.environment;
  const Region& r = *c.region;
  advise(r.begin(), r.bytes(), MADV_HUGEPAGE, "MADV_HUGEPAGE");
  fill(r.begin(), r.bytes(), e.page_bytes, context);
  const Mapped huge = mapped(r.begin(), r.bytes(), e);
  if (huge.mappings != 0 && huge.by_pmd != r.bytes())
    throw Impossible("only " + size_text(huge.by_pmd) + " of " + size_text(r.bytes()) +
                     " came as huge pages.");
  map_by_ptes(r, e.huge_bytes, e.page_bytes);
  if (mapped(r.begin(), r.bytes(), e).by_pmd != 0)
    throw Impossible("the huge pages stayed mapped by PMD entries.");
  if (huge.mappings != 0) c.seen = "came mapped by PMD entries, which are gone (/proc/self/smaps); folios ";
}

// Fills the region with folios of the wanted size. Throws Impossible.
void build(Case& c, const Context& context, KernelReport& report) {
  const Environment& e = context.environment;
  Region& r = *c.region;
  Sizes sizes(e);
  map_anonymous(r.begin(), r.bytes());
  if (c.folio_bytes == e.page_bytes) {
    advise(r.begin(), r.bytes(), MADV_NOHUGEPAGE, "MADV_NOHUGEPAGE");
    fill(r.begin(), r.bytes(), e.page_bytes, context);
  } else if (c.folio_bytes == e.huge_bytes) {
    sizes.allow(e.path(thp + "/enabled"));
    if (std::filesystem::exists(sizes.file_of(e.huge_bytes))) sizes.allow(sizes.file_of(e.huge_bytes));
    fill_huge(c, context);
  } else {
    sizes.set(sizes.file_of(c.folio_bytes), "madvise");
    sizes.forbid_above(c.folio_bytes);
    advise(r.begin(), r.bytes(), MADV_HUGEPAGE, "MADV_HUGEPAGE");
    fill(r.begin(), r.bytes(), e.page_bytes, context);
  }
  advise(r.begin(), r.bytes(), MADV_NOHUGEPAGE, "MADV_NOHUGEPAGE");  // Nothing collapses it from now on.
  sizes.restore(report);
}

// False if the pages are known not to be what the case says.
bool verify(Case& c, const Environment& e) {
  bool right = true;
  const Folios found = folios(c.region->begin(), c.region->bytes(), e);
  c.row.verified = (found.known ? "" : c.seen) + verified(found, c.folio_bytes / e.page_bytes, e, right);
  return right;
}

std::string cannot_be(const Environment& e, u64 folio_bytes) {
  if (folio_bytes == e.page_bytes) return "";
  if (e.huge_bytes == 0) return "this kernel has no transparent huge pages.";
  if (folio_bytes == e.huge_bytes) return "";
  if (folio_bytes <= e.page_bytes) return "pages are that large already.";
  if (!std::filesystem::exists(Sizes(e).file_of(folio_bytes)))
    return "this kernel has no anonymous folios of that size (Linux 6.8 and later do).";
  return "";
}

// The cases that can be built here; the others say why not.
std::vector<Case> cases_of(u64 bytes, const Context& context, KernelReport& report) {
  const Environment& e = context.environment;
  const std::vector<std::pair<std::string, u64>> wanted{{"PTE-mapped THP", e.huge_bytes},
                                                        {"64 KiB mTHP", mthp_bytes},
                                                        {size_text(e.page_bytes) + " pages", e.page_bytes}};
  std::vector<Case> cases;
  for (const auto& [name, folio_bytes] : wanted) {
    context.tell("000: filling " + size_text(bytes) + " with " + name);
    const std::string why = cannot_be(e, folio_bytes);
    if (!why.empty()) {
      report.could_not.push_back(name + ": " + why);
      continue;
    }
    try {
      Case c{{name, {}, "", "ns an entry", {}, "", {}},
             folio_bytes,
             std::make_unique<Region>(bytes, std::max(e.huge_bytes, mthp_bytes))};
      build(c, context, report);
      c.row.counts = {{bytes / e.page_bytes, "entries"}, {bytes / folio_bytes, "folios"}};
      cases.push_back(std::move(c));
    } catch (const Impossible& error) {
      report.could_not.push_back(name + ": " + error.what());
    }
  }
  return cases;
}

void measure(std::vector<Case>& cases, const Context& context, KernelReport& report) {
  const Environment& e = context.environment;
  std::vector<std::function<double()>> runs;
  for (const Case& c : cases)
    runs.emplace_back([&c, &e] {
      const double begin = now_ns();
      protect(c.region->begin(), c.region->bytes(), PROT_READ);
      protect(c.region->begin(), c.region->bytes(), PROT_READ | PROT_WRITE);
      return (now_ns() - begin) / (2.0 * static_cast<double>(c.region->bytes() / e.page_bytes));
    });
  for (const auto& run : runs) run();  // To warm up.
  Turns turns{.rounds = pairs, .limit_ms = limit_ms, .cancel = context.cancel};
  turns.before_each = [&](u64 done) {
    context.tell("000: mprotect, pair " + std::to_string(done + 1) + " of " + std::to_string(pairs));
  };
  const auto values = in_turns(runs, turns);
  context.stop_if_asked();
  std::vector<bool> right;
  for (Case& c : cases) right.push_back(verify(c, e));  // Afterwards: nothing changed the pages meanwhile.
  for (std::size_t k = 0; k < cases.size(); ++k) {
    Row& row = cases[k].row;
    row.value = estimate(values[k]);
    double total_ns = 0;
    for (const double v : values[k]) total_ns += v * 2.0 * static_cast<double>(row.counts[0].value);
    report.findings.push_back(row.name + ": " + std::to_string(values[k].size()) + " times took " +
                              std::to_string(static_cast<u64>(total_ns / 1e6)) + " ms.");
    if (k + 1 == cases.size() || cases.back().folio_bytes != e.page_bytes) continue;
    row.against = cases.back().row.name;
    if (right[k] && right.back()) row.ratio = ratio_of(values[k], values.back());
  }
}

}  // namespace

KernelReport measure_mprotect(const Context& context) {
  const Environment& e = context.environment;
  KernelReport report;
  report.seed = "000";
  report.published = {published_000};
  const u64 bytes = scaled(wanted_bytes, 3, std::max(u64{16} << 20, e.huge_bytes), e);
  report.sentence = "mprotect to read-only and back to read-write, " + std::to_string(pairs) +
                    " times over " + size_text(bytes == 0 ? wanted_bytes : bytes) +
                    " of private anonymous memory";
  if (bytes == 0) {
    report.could_not.push_back("Too little memory is available.");
    return report;
  }
  if (const std::string note = scaling_note(bytes, wanted_bytes); !note.empty()) report.notes.push_back(note);
  report.notes.push_back(
      "Mainline batches since 6.17, and this kernel calls itself " + e.kernel +
      (at_least(e.kernel, 6, 17) ? ": it should batch in each row" : ": it should batch in no row") +
      ". One kernel is not compared with another here, page sizes are.");
  std::vector<Case> cases = cases_of(bytes, context, report);
  try {
    if (!cases.empty()) measure(cases, context, report);
  } catch (const Impossible& error) {
    report.could_not.push_back(error.what());
  }
  for (Case& c : cases) report.rows.push_back(std::move(c.row));
  return report;
}

}  // namespace ptmc::native::kernel
