#include "checker/cli/time_native.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "checker/cli/commands.hpp"
#include "checker/cli/log.hpp"
#include "checker/cli/report.hpp"
#include "checker/cli/runner.hpp"
#include "checker/cli/select.hpp"
#include "checker/native/machines.hpp"
#include "checker/native/subjects.hpp"

namespace ptmc::cli {
namespace {

using namespace ptmc::native;

std::vector<const Subject*> chosen(const std::vector<std::string>& names) {
  std::vector<std::string> legal;
  for (const Subject& s : subjects()) legal.emplace_back(s.name);
  std::vector<const Subject*> some;
  for (const std::string& name : names)
    if (std::find(legal.begin(), legal.end(), name) == legal.end()) {
      std::string all;
      for (const std::string& l : legal) all += (all.empty() ? "" : ", ") + l;
      throw InputError("there is nothing to time called '" + name + "'" + did_you_mean(name, legal) +
                       "; there are " + all);
    }
  for (const Subject& s : subjects())
    if (names.empty() || std::find(names.begin(), names.end(), s.name) != names.end()) some.push_back(&s);
  return some;
}

void stop_if(const std::atomic<bool>* cancel) {
  if (cancel != nullptr && *cancel) throw Interrupted();
}

SubjectTiming time_subject(const Subject& s, const MeasureOptions& options,
                           std::map<std::string, Compared>& compared) {
  show_progress(std::string(s.name) + ": natively and in the model");
  if (!compared.contains(s.machine)) compared[s.machine] = compare_machine(s.machine);
  SubjectTiming timing{&s, compared[s.machine], {}};
  if (timing.compared.difference) {
    const Difference& d = *timing.compared.difference;
    throw InternalError(std::string(s.name) + ": natively not what the model does, in " + d.rounds +
                        ", after " + std::to_string(d.steps) + " steps, at " + d.action + ": " + d.what);
  }
  const auto layouts = layouts_of(s, options.sibling != nullptr);
  for (const Layout& layout : layouts) {
    stop_if(options.cancel);
    show_progress(fmt::format("{}: row {} of {}", s.name, timing.rows.size() + 1, layouts.size()));
    timing.rows.push_back(native::measure(s, layout, options));
  }
  stop_if(options.cancel);
  show_progress("");
  return timing;
}

}  // namespace

Exit time_native(const Options& options, Output& out) {
  const auto subjects = chosen(options.claims);
  NativeTiming timing;
  timing.against_itself = options.against_itself;
  MeasureOptions how;
  how.cancel = options.run.explore.cancel;
  how.against_itself = options.against_itself;
  const bool has_mprotect = std::any_of(subjects.begin(), subjects.end(),
                                        [](const Subject* s) { return std::string(s->name) == "mprotect"; });
  if (has_mprotect && !options.against_itself) timing.kernel = interrupts_of_mprotect(how.cancel);
  stop_if(how.cancel);
  const Sibling sibling;
  timing.no_interrupts = sibling.missing().empty() ? Shootdown::prepare() : sibling.missing();
  if (timing.no_interrupts.empty()) {
    how.sibling = &sibling;
    timing.interrupts = interrupts_a_flush(sibling);
  }
  std::map<std::string, Compared> compared;
  for (const Subject* s : subjects) timing.subjects.push_back(time_subject(*s, how, compared));
  deliver(options,
          options.json               ? json_of(timing, options.again)
          : options.format == "html" ? html_of(timing)
                                     : text_of(timing),
          out);
  return Exit::ok;
}

}  // namespace ptmc::cli
