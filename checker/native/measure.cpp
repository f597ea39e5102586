#include "checker/native/measure.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <utility>

#include "checker/verdict.hpp"

namespace ptmc::native {
namespace {

constexpr double sample_ns_least = 20'000;  // Far above what reading the clock takes.

/// Page tables: whole pages, touched.
class Tables {
 public:
  explicit Tables(u64 entries) : bytes_((entries * sizeof(Entry) + 4095) / 4096 * 4096) {
    void* p =
        ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (p == MAP_FAILED) throw InternalError("no memory for page tables");
    data_ = static_cast<Entry*>(p);
  }
  ~Tables() { ::munmap(data_, bytes_); }
  Tables(const Tables&) = delete;
  Entry* data() const { return data_; }

 private:
  u64 bytes_;
  Entry* data_;
};

double now_ns() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Flushes that `loop` asks for over a table filled anew.
u64 flushes_over(const Subject& s, const Loop& loop, const Layout& l, const Tables& tables) {
  s.fill(tables.data(), l.entries, l.folio);
  const u64 before = Shootdown::asked();
  loop(tables.data(), l.entries, l.flush);
  return Shootdown::asked() - before;
}

void check_by_hand(const Subject& s, const Way& way, const Layout& l, const Tables& a, const Tables& b) {
  const u64 steps = flushes_over(s, way.steps, l, a), by_hand = flushes_over(s, way.by_hand, l, b);
  const std::string what =
      std::string(s.name) + ", " + way.name + ": the steps and the loop written by hand ";
  if (std::memcmp(a.data(), b.data(), l.entries * sizeof(Entry)) != 0)
    throw InternalError(what + "leave different entries");
  if (steps != by_hand) throw InternalError(what + "do not flush as often");
}

/// Nanoseconds a change; `repeats` runs in one sample.
class Sampler {
 public:
  Sampler(const Subject& subject, const Layout& layout, Entry* table, const Sibling* sibling)
      : subject_(subject), layout_(layout), table_(table), sibling_(sibling) {}

  double sample(const Loop& loop, u64 repeats) {
    subject_.fill(table_, layout_.entries, layout_.folio);
    const Watch watch(sibling_);
    const double begin = now_ns();
    for (u64 k = 0; k < repeats; ++k) loop(table_, layout_.entries, layout_.flush);
    const double ns = now_ns() - begin;
    disturbed_ = disturbed_ || !watch.undisturbed();
    return ns / static_cast<double>(repeats * layout_.entries * subject_.changes);
  }
  u64 repeats_for(const Loop& loop) {
    if (!subject_.repeatable) return 1;
    const double one = sample(loop, 1) * static_cast<double>(layout_.entries * subject_.changes);
    return static_cast<u64>(std::clamp(sample_ns_least / std::max(one, 1.0), 1.0, 4096.0));
  }
  bool take_disturbed() { return std::exchange(disturbed_, false); }

 private:
  const Subject& subject_;
  const Layout& layout_;
  Entry* table_;
  const Sibling* sibling_;
  bool disturbed_ = false;
};

/// Samples by way: [way][steps, by hand][round], only of rounds that nobody disturbed.
using Samples = std::vector<std::array<std::vector<double>, 2>>;

Samples sample_all(const Subject& s, Sampler& sampler, const MeasureOptions& options, u64& dropped) {
  std::vector<std::function<double()>> runs;
  for (const Way& way : s.ways) {
    const Way& run = options.against_itself ? s.ways[0] : way;
    for (const Loop* loop : {&run.steps, &run.by_hand})
      runs.push_back(
          [&sampler, loop, repeats = sampler.repeats_for(*loop)] { return sampler.sample(*loop, repeats); });
  }
  std::vector<bool> disturbed;
  sampler.take_disturbed();
  Turns turns{.rounds = options.rounds, .limit_ms = options.limit_ms, .cancel = options.cancel};
  turns.before_each = [&](u64 round) {
    if (round > 0) disturbed.push_back(sampler.take_disturbed());
  };
  const auto all = in_turns(runs, turns);
  disturbed.resize(all.at(0).size(), sampler.take_disturbed());
  Samples samples(s.ways.size());
  for (std::size_t round = 0; round < disturbed.size(); ++round) {
    dropped += disturbed[round];
    for (std::size_t k = 0; k < all.size() && !disturbed[round]; ++k)
      samples[k / 2][k % 2].push_back(all[k][round]);
  }
  return samples;
}

}  // namespace

Way::Counts counts_of(const Subject& subject, const Way& way, const Layout& layout) {
  const u64 entries = std::min(layout.entries, counted_max);
  const Tables tables(entries);
  subject.fill(tables.data(), entries, layout.folio);
  return way.count(tables.data(), entries);
}

std::optional<u64> flushes_in(const Subject& subject, const Way::Counts& counts) {
  for (std::size_t k = 0; k < counts.bill.size(); ++k)
    if (std::string_view(subject.tariff->items[k].one) == "flush") return counts.bill[k];
  return std::nullopt;
}

std::vector<Layout> layouts_of(const Subject& subject, bool interrupts) {
  std::vector<Layout> layouts;
  for (const Flush flush : {Flush::none, Flush::interrupt})
    for (const u64 folio : subject.folios)
      for (const u64 entries : subject.sizes) {
        if (flush == Flush::interrupt && (!interrupts || entries > subject.per_call)) continue;
        layouts.push_back({entries, folio, flush});
      }
  return layouts;
}

Timing measure(const Subject& subject, const Layout& layout, const MeasureOptions& options) {
  Timing timing{layout, {}, 0};
  const Tables tables(layout.entries), others(layout.entries);
  for (const Way& way : subject.ways) check_by_hand(subject, way, layout, tables, others);
  Sampler sampler(subject, layout, tables.data(),
                  layout.flush == Flush::interrupt ? options.sibling : nullptr);
  const Samples samples = sample_all(subject, sampler, options, timing.dropped);
  if (samples.at(0)[0].empty()) return timing;
  for (std::size_t k = 0; k < subject.ways.size(); ++k) {
    const Way& way = options.against_itself ? subject.ways[0] : subject.ways[k];
    Timed t{&way,
            counts_of(subject, way, layout),
            estimate(samples[k][0]),
            estimate(samples[k][1]),
            ratio_of(samples[k][0], samples[0][0]),
            ratio_of(samples[k][1], samples[0][1]),
            0};
    const double changes = static_cast<double>(std::min(layout.entries, counted_max) * subject.changes);
    t.overhead_ns =
        (t.steps.median - t.by_hand.median) * changes / static_cast<double>(std::max<u64>(1, t.counts.steps));
    timing.ways.push_back(std::move(t));
  }
  return timing;
}

std::optional<double> interrupts_a_flush(const Sibling& sibling) {
  constexpr u64 flushes = 200;
  u64 undisturbed = 0, interrupts = 0;
  for (u64 k = 0; k < flushes; ++k) {
    const Watch watch(&sibling);
    const auto before = interrupt_count("CAL:", sibling.cpu());
    Shootdown::interrupt();
    const auto after = interrupt_count("CAL:", sibling.cpu());
    if (!before || !after) return std::nullopt;
    if (!watch.undisturbed()) continue;
    ++undisturbed;
    interrupts += *after - *before;
  }
  if (undisturbed == 0) return std::nullopt;
  return static_cast<double>(interrupts) / static_cast<double>(undisturbed);
}

}  // namespace ptmc::native
