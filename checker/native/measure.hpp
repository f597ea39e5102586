// Times a subject: all ways in turns, as steps and by hand, over the same entries.
#pragma once
#include <atomic>
#include <functional>
#include <optional>

#include "checker/native/shootdown.hpp"
#include "checker/native/statistics.hpp"
#include "checker/native/subject.hpp"

namespace ptmc::native {

/// What a step may cost beyond what it does: its bookkeeping.
constexpr double overhead_ns_max = 100;

/// What is measured in one row.
struct Layout {
  u64 entries, folio;  // In pages.
  Flush flush;
};

/// One way in one row; times in nanoseconds a change of an entry.
struct Timed {
  const Way* way;
  Way::Counts counts;
  Estimate steps, by_hand;
  Estimate ratio, ratio_by_hand;  // To the baseline.
  double overhead_ns;             // Of a step: what the steps take longer than the loop, by their number.
};
struct Timing {
  Layout layout;
  std::vector<Timed> ways;
  u64 dropped = 0;  // Rounds in which the busy CPU was taken away from its thread.
};

struct MeasureOptions {
  double limit_ms = 300;  // For a row; at least runs_min rounds are made.
  u64 rounds = 24;
  const std::atomic<bool>* cancel = nullptr;
  const Sibling* sibling = nullptr;  // Null: no row with interrupts.
  bool against_itself = false;       // The baseline in every way's place: no difference must be seen.
};

/// Exact counts for the first so many entries of a row: one page table has no more.
constexpr u64 counted_max = 512;
Way::Counts counts_of(const Subject& subject, const Way& way, const Layout& layout);
/// Flushes among them; nothing where the subject's tariff counts what they are made of.
std::optional<u64> flushes_in(const Subject& subject, const Way::Counts& counts);

/// Rows of a subject: every size without a flush; with interrupts one call, since the busy CPU is seldom left
/// alone for longer.
std::vector<Layout> layouts_of(const Subject& subject, bool interrupts);

/// Throws InternalError if steps and loop leave different entries or, in a row with interrupts, do not flush
/// as often. Without ways if there was no round to go
/// by: after a cancel, or if all were dropped.
Timing measure(const Subject& subject, const Layout& layout, const MeasureOptions& options);

/// Function-call interrupts that a flush sends to the sibling's CPU, counted by the kernel; nothing if it
/// does not count, or the sibling never ran undisturbed.
std::optional<double> interrupts_a_flush(const Sibling& sibling);

}  // namespace ptmc::native
