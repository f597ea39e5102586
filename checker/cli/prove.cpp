#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "checker/cli/commands.hpp"
#include "checker/cli/log.hpp"
#include "checker/cli/report.hpp"
#include "checker/cli/select.hpp"
#include "checker/cli/text.hpp"
#include "checker/cli/traces.hpp"

namespace ptmc::cli {
namespace {

// "12/40 claims, seed004/reach arm64: 1.2 M states, 0.9 M/s, depth 31, 12 s left"
std::string progress_line(const RunnerState& s) {
  std::string text = fmt::format("{}/{} claims", s.claims_done, s.claims);
  if (s.claim == nullptr) return text;
  const Progress& p = s.progress;
  text += fmt::format(", {} {}: {:.1f} M states, {:.1f} M/s, depth {}", s.claim->name, s.claim->arch,
                      static_cast<double>(p.states) / 1e6, p.states_per_s / 1e6, p.level);
  return p.eta_s ? text + fmt::format(", {:.0f} s left", *p.eta_s) : text;
}

void write_traces(const Options& options, const std::vector<ClaimRun>& runs) {
  const std::string &folder = options.traces, format = options.format.empty() ? "itf" : options.format;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw InternalError("cannot create " + folder + ": " + error.message());
  for (const ClaimRun& run : runs)
    for (std::size_t k = 0; k < run.results.size(); ++k) {
      const Result& r = run.results[k];
      if (r.trace == nullptr) continue;
      std::string name = r.claim + "-" + r.arch + (r.features.empty() ? "" : "-" + r.features);
      if (run.results.size() > 1) name += "-" + std::to_string(k);
      std::replace_if(
          name.begin(), name.end(), [](char c) { return c == '/' || c == ' ' || c == ','; }, '-');
      write_file(folder + "/" + name + extension(format), formatted(*r.trace, *run.claim, format));
    }
}

}  // namespace

Exit prove(const Options& options, const Catalog& catalog, Output& out) {
  const double begin = wall_now_ms();
  auto claims = select(catalog, options.claims, options.arch);
  if (options.claims.empty() && options.run.bounds == RunOptions::Bounds::standard)
    std::erase_if(claims, [](const Claim& c) { return c.full_only; });
  // Whoever asks for one claim or changes the code wants to see the race; the whole catalogue would drown it.
  const bool asked = !options.claims.empty() || !options.run.mutations.empty();
  const Detail detail = asked ? Detail::all : Detail::surprises;
  const bool stream = !options.json && options.output.empty();
  const bool colour = stream && wants_colour();
  std::string text;
  std::optional<ClaimRun> before;
  Listener listener;
  listener.progress = [](const RunnerState& s) { show_progress(progress_line(s)); };
  listener.done = [&](const ClaimRun& run) {
    if (options.json) return;
    const std::string part = text_of(run, before ? &*before : nullptr, options.run, detail, colour);
    if (part.empty()) return;
    before = ClaimRun{run.claim, {}, 0};
    show_progress("");
    if (!stream)
      text += part;
    else
      out.write(part), out.flush();
  };
  const auto runs = run_claims(claims, options.run, listener);
  show_progress("");
  const Summary summary = summarize(runs, options.run);
  const Timing timing = timing_since(begin);
  if (!options.traces.empty()) write_traces(options, runs);
  if (options.json)
    text = json_of(runs, summary, options, timing);
  else
    text += (asked ? "" : (before ? "\n" : "") + table_of(runs, options.run)) +
            text_of(summary, options.run, timing);
  deliver(options, text, out);
  return exit_code(summary);
}

}  // namespace ptmc::cli
