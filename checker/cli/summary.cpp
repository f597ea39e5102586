#include <sys/resource.h>

#include <algorithm>
#include <chrono>

#include "checker/cli/report.hpp"

namespace ptmc::cli {

Surprise judge(const Result& result, const RunOptions& options) {
  if (!options.mutations.empty() && result.verdict == Verdict::n_a) return Surprise::none;
  return surprise(result.verdict, result.expected);
}

Summary summarize(const std::vector<ClaimRun>& runs, const RunOptions& options) {
  Summary s;
  s.claims = runs.size();
  for (const ClaimRun& run : runs) {
    u64 explored = 0;  // Once for all properties of a run.
    for (const Result& r : run.results) {
      ++s.results;
      ++s.verdicts[static_cast<std::size_t>(r.verdict)];
      const Surprise found = judge(r, options);
      s.failed += found == Surprise::failed;
      s.weaker += found == Surprise::weaker;
      explored = std::max(explored, r.states);
    }
    s.states += explored;
  }
  // If the claims agree that there is nothing to say, nothing was said.
  if (s.verdicts[static_cast<std::size_t>(Verdict::n_a)] == s.results) s.weaker = s.results;
  return s;
}

Exit exit_code(const Summary& summary) {
  if (summary.failed > 0) return Exit::failed;
  return summary.weaker > 0 ? Exit::inconclusive : Exit::ok;
}

double wall_now_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(now).count();
}

Timing timing_since(double wall_begin_ms) {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  auto ms = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) / 1e3;
  };
  return {wall_now_ms() - wall_begin_ms, ms(usage.ru_utime) + ms(usage.ru_stime),
          static_cast<u64>(usage.ru_maxrss) * 1024};
}

}  // namespace ptmc::cli
