#include "checker/cli/time.hpp"

#include <algorithm>

#include "checker/cli/commands.hpp"
#include "checker/cli/interrupt.hpp"
#include "checker/cli/log.hpp"
#include "checker/cli/report.hpp"
#include "checker/cli/select.hpp"
#include "checker/native/kernel/seeds.hpp"
#include "checker/native/kernel/setting.hpp"

namespace ptmc::cli {
namespace {

namespace kernel = native::kernel;

// In the order of the seeds, each once; "004" or "seed004".
std::vector<kernel::Seed> chosen(std::vector<std::string> names) {
  std::vector<std::string> legal;
  for (const kernel::Seed& s : kernel::seeds()) legal.emplace_back(s.name);
  for (std::string& name : names) {
    if (name.starts_with("seed")) name.erase(0, 4);
    if (std::find(legal.begin(), legal.end(), name) == legal.end())
      throw InputError("there is no seed '" + name + "'" + did_you_mean(name, legal) +
                       "; there are 000 to 004");
  }
  std::vector<kernel::Seed> seeds;
  for (const kernel::Seed& s : kernel::seeds())
    if (names.empty() || std::find(names.begin(), names.end(), s.name) != names.end()) seeds.push_back(s);
  return seeds;
}

}  // namespace

Exit time_kernel(const Options& options, Output& out) {
  if (options.against_itself) throw InputError("--against-itself is for machines: leave out --kernel");
  const double begin = wall_now_ms();
  const std::vector<kernel::Seed> seeds = chosen(options.claims);
  const kernel::Environment environment = kernel::look_around();
  const kernel::Context context{environment, options.run.explore.cancel,
                                [](const std::string& text) { show_progress(text); }};
  const EndedByInterrupt settings(kernel::restore_settings);
  KernelTiming timing{environment.kernel, environment.machine, {}, 0};
  try {
    for (const kernel::Seed& s : seeds) timing.reports.push_back(s.measure(context));
  } catch (const kernel::Stopped&) {
    throw Interrupted();
  }
  show_progress("");
  timing.wall_ms = wall_now_ms() - begin;
  deliver(options,
          options.json               ? json_of(timing, options.again)
          : options.format == "html" ? html_of(timing)
                                     : text_of(timing),
          out);
  const bool any = std::any_of(timing.reports.begin(), timing.reports.end(),
                               [](const kernel::KernelReport& r) { return r.measured(); });
  return any ? Exit::ok : Exit::inconclusive;
}

}  // namespace ptmc::cli
