// `ptmc time`: the machines' own steps over memory. It links the machines; the rest of the command line does
// without.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "checker/cli/options.hpp"
#include "checker/cli/output.hpp"
#include "checker/native/kernel_interrupts.hpp"
#include "checker/native/lockstep.hpp"
#include "checker/native/measure.hpp"

namespace ptmc::cli {

Exit time_native(const Options& options, Output& out);

struct SubjectTiming {
  const native::Subject* subject;
  native::Compared compared;
  std::vector<native::Timing> rows;
};
struct NativeTiming {
  std::vector<SubjectTiming> subjects;
  std::string no_interrupts;         // Why there are no rows with interrupts; empty: there are.
  std::optional<double> interrupts;  // Of the busy CPU, a flush.
  bool against_itself = false;
  std::optional<native::KernelInterrupts> kernel;  // If mprotect is among the subjects.
};
/// At most 72 columns.
std::string text_of(const NativeTiming& timing);
/// One offline page with charts.
std::string html_of(const NativeTiming& timing);
/// "64 KiB", of pages of 4 KiB.
std::string size_text(u64 pages);
/// Stable but for the last member, "timing": all that was measured.
std::string json_of(const NativeTiming& timing, const std::string& again);

}  // namespace ptmc::cli
