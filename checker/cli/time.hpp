// Reports of `ptmc time --kernel`, for people and for machines.
#pragma once
#include <string>
#include <vector>

#include "checker/native/kernel/environment.hpp"
#include "checker/native/kernel/report.hpp"

namespace ptmc::cli {

struct KernelTiming {
  std::string kernel;   // "6.12.1"
  std::string machine;  // "x86_64"
  std::vector<native::kernel::KernelReport> reports;
  double wall_ms = 0;
};

/// Three significant digits, or all that are whole: "0.123", "45.6", "1234".
std::string figure(double number);
/// "12.3 [12.1, 12.6] ns an entry", or "12.3 ns an entry (3 runs: no interval)".
std::string told(const native::Estimate& estimate, const std::string& unit);

/// At most 72 columns.
std::string text_of(const KernelTiming& timing);
/// A page that needs nothing from outside: each unit a chart, the published figures beside, never on our
/// axes.
std::string html_of(const KernelTiming& timing);
/// Stable but for the last member, "timing": all that was measured.
std::string json_of(const KernelTiming& timing, const std::string& again);

}  // namespace ptmc::cli
