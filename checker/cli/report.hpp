// What a run of claims came to, for people and for machines.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "checker/cli/options.hpp"
#include "checker/cli/runner.hpp"

namespace ptmc::cli {

struct Summary {
  std::size_t claims = 0;
  std::size_t results = 0;
  std::array<std::size_t, verdict_count> verdicts{};
  std::size_t failed = 0;
  std::size_t weaker = 0;
  u64 states = 0;
};

/// How a result is judged. Where a mutation means nothing to a claim, n/a is no surprise.
Surprise judge(const Result& result, const RunOptions& options);

Summary summarize(const std::vector<ClaimRun>& runs, const RunOptions& options);
Exit exit_code(const Summary& summary);

struct Timing {
  double wall_ms = 0;
  double cpu_ms = 0;
  u64 peak_memory_bytes = 0;  // Of the process.
};
Timing timing_since(double wall_begin_ms);
double wall_now_ms();

/// Lines for one claim: verdict, architecture, features and bound; its name and sentence first if `before`,
/// the claim printed just before, is another. `surprises` leaves out claims that came out as catalogued.
enum class Detail : u8 { surprises, all };
std::string text_of(const ClaimRun& run, const ClaimRun* before, const RunOptions& options, Detail detail,
                    bool colour);
/// Verdicts counted by family (the first part of a claim's name) and architecture.
std::string table_of(const std::vector<ClaimRun>& runs, const RunOptions& options);
std::string text_of(const Summary& summary, const RunOptions& options, const Timing& timing);

/// {"results": [...], "summary": {...}, "timing": {...}}; only timing differs from run to run.
std::string json_of(const std::vector<ClaimRun>& runs, const Summary& summary, const Options& options,
                    const Timing& timing);

}  // namespace ptmc::cli
