#include "checker/cli/shrink.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "checker/cli/log.hpp"
#include "checker/cli/traces.hpp"
#include "checker/lower/setup.hpp"
#include "checker/replay.hpp"
#include "counterexamples/text.hpp"

namespace ptmc::cli {
namespace {

constexpr const char* settings[] = {"lazy_cpu", "allocator", "user_cpus", "pages", "frames", "HA", "HD"};

u64 value_of(const Dimensions& machine, const std::string& name) {
  for (const Dimension& d : machine)
    if (d.name == name) return d.value;
  return 0;
}

// The catalogue's machine with what the trace says of its own.
Dimensions machine_of(const Trace& t, const Claim& claim) {
  Dimensions all = claim.dimensions;
  for (const Dimension& own : t.subject.machine) {
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const Dimension& d) { return d.name == own.name; });
    if (at == all.end()) throw std::invalid_argument("this machine has no '" + own.name + "'");
    at->value = own.value;
  }
  return all;
}

Dimensions differences(const Dimensions& machine, const Dimensions& usual) {
  Dimensions out;
  for (std::size_t k = 0; k < machine.size(); ++k)
    if (machine[k].value != usual[k].value) out.push_back(machine[k]);
  return out;
}

struct Display : Observer {
  void progress(const Progress& p) override {
    show_progress(
        fmt::format("minimising: {:.1f} M states, depth {}", static_cast<double>(p.states) / 1e6, p.level));
  }
};

}  // namespace

TraceSize size_of(const Trace& trace, const Dimensions& machine, const Claim& claim) {
  const Voice voice = claim.voice == nullptr ? Voice() : *claim.voice;
  const Columns columns = columns_of(trace, voice);
  const Text text = print(trace, columns, voice);
  TraceSize s{trace.steps.size(),
              text.lines,
              text.switches,
              0,
              value_of(machine, "user_cpus"),
              value_of(machine, "pages"),
              value_of(machine, "frames")};
  for (const Dimension& d : machine)
    if (std::count(std::begin(settings), std::end(settings), d.name) == 0) s.actors += d.value;
  return s;
}

Shrunk shrink(const Trace& trace, const Claim& claim, const RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const RunOptions own = options_of(trace, options);
  const auto with = [&](const Dimensions& machine) {
    RunOptions o = own;
    o.machine = machine;
    return o;
  };
  const Dimensions given = machine_of(trace, claim);
  claim.system(with(given));  // Says what is wrong with it.
  const MachineOf machine = [&](const Dimensions& d) -> std::shared_ptr<const System> {
    try {
      return claim.system(with(d));
    } catch (const std::invalid_argument&) {  // A mutation of an actor that is not there, HD without HA.
      return nullptr;
    } catch (const NotApplicable&) {
      return nullptr;
    }
  };
  MinimiseOptions m;
  if (claim.voice != nullptr) m.voice = *claim.voice;
  m.threads = options.explore.threads;
  m.cancel = options.explore.cancel;
  Display display;
  m.observer = &display;
  if (options.explore.time_max_ms != no_limit) m.time_max_ms = options.explore.time_max_ms;
  if (options.explore.states_max != no_limit) m.states_max = options.explore.states_max;
  Shrunk out{size_of(trace, given, claim), {}, minimise(trace, given, machine, m), {}, 0};
  show_progress("");
  Trace& found = out.found.trace;
  found.subject.machine = differences(out.found.dimensions, claim.dimensions);
  const Replay again = replay(found, *claim.stepper(with(out.found.dimensions)));
  if (again.agreement == Replay::Agreement::differs)
    throw InternalError(claim.name + ": the naive interpreter differs: " + again.what);
  if (const auto terms = claim.terms ? claim.terms(with(out.found.dimensions)) : nullptr)
    out.words = generalise(*terms, found).value_or(std::vector<GeneralWord>{});
  out.after = size_of(found, out.found.dimensions, claim);
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return out;
}

std::string size_header(std::size_t name_width) {
  return fmt::format("{:<{}}{:>6}{:>6}{:>9}{:>7}{:>5}{:>6}{:>7}\n", "", name_width, "steps", "lines",
                     "switches", "actors", "CPUs", "pages", "frames");
}

std::string size_row(const std::string& name, std::size_t name_width, const TraceSize& s) {
  return fmt::format("{:<{}}{:>6}{:>6}{:>9}{:>7}{:>5}{:>6}{:>7}\n", name, name_width, s.steps, s.lines,
                     s.switches, s.actors, s.cpus, s.pages, s.frames);
}

}  // namespace ptmc::cli
