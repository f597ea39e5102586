#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <future>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "checker/cli/commands.hpp"
#include "checker/cli/log.hpp"
#include "checker/cli/peers.hpp"
#include "checker/cli/runner.hpp"
#include "checker/cli/text.hpp"
#include "checker/version.hpp"
#include "tests/peers/peers.hpp"

namespace ptmc::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<ToySize, 3> compared{{{2, 2, 148297}, {3, 2, 1158247}, {2, 3, 4876771}}};
constexpr ToySize two_threads{4, 2, 10796221};  // Too large for SPIN.
constexpr int repetitions = 3;                  // The least of them counts: what disturbs only adds.

struct Bench {
  std::vector<std::pair<ToySize, ToolRow>> rows;
  double ratio_vs_spin = 0, ratio_vs_packed = 0, bytes_per_state = 0, speedup_2_threads = 0,
         ceiling_2_threads = 0;  // What two explorations gain that share nothing.
  std::string largest_instance;
  std::optional<ToolRow> largest;
};

class Runs {
 public:
  explicit Runs(const Options& options) : cancel_(options.run.explore.cancel) {}

  // The cheapest of several runs of each tool, taken in turns so that a busy machine disturbs all alike.
  std::vector<ToolRow> cheapest(const ToySize& size, std::vector<std::function<ToolRow()>> tools,
                                bool by_wall) {
    std::vector<ToolRow> best(tools.size());
    for (int k = 0; k < repetitions; ++k)
      for (std::size_t t = 0; t < tools.size(); ++t) {
        show_progress(
            fmt::format("{} CPUs, {} pages: run {} of {}", size.cpus, size.pages, k + 1, repetitions));
        const ToolRow row = once(tools[t]);
        if (row.states != size.states)
          throw InternalError(
              fmt::format("{} found {} states where there are {}", row.tool, row.states, size.states));
        const bool better = by_wall ? row.wall_s < best[t].wall_s : row.cpu_s < best[t].cpu_s;
        if (k == 0 || better) best[t] = row;
      }
    return best;
  }
  ToolRow once(const std::function<ToolRow()>& tool) {
    if (*cancel_) throw Interrupted();
    try {
      return tool();
    } catch (const InternalError&) {
      if (*cancel_) throw Interrupted();
      throw;
    }
  }
  const std::atomic<bool>* cancel() const { return cancel_; }

 private:
  const std::atomic<bool>* cancel_;
};

void compare(Runs& runs, Peers& peers, Bench& bench) {
  for (const ToySize& size : compared) {
    const auto system = peers::toy(size.cpus, size.pages);
    const auto best = runs.cheapest(size,
                                    {[&] { return explored(*system, 1, runs.cancel()); },
                                     [&] { return peers.packed(size); }, [&] { return peers.spin(size); }},
                                    false);
    for (const ToolRow& row : best) bench.rows.emplace_back(size, row);
    // SPIN counts the initial state as a transition.
    if (best[0].transitions != best[1].transitions || best[0].transitions + 1 != best[2].transitions)
      throw InternalError("the three do not agree on the number of transitions");
    bench.ratio_vs_packed = best[0].transitions_per_cpu_s() / best[1].transitions_per_cpu_s();
    bench.ratio_vs_spin = best[0].transitions_per_cpu_s() / best[2].transitions_per_cpu_s();
    bench.bytes_per_state = best[0].bytes_per_state;
  }
}

// One exploration on each of two threads: the later of them counts.
ToolRow side_by_side(const System& one, const System& other, const std::atomic<bool>* cancel) {
  auto second = std::async(std::launch::async, [&] { return explored(other, 1, cancel); });
  ToolRow row = explored(one, 1, cancel);
  row.wall_s = std::max(row.wall_s, second.get().wall_s);
  return row;
}

void scale(Runs& runs, Bench& bench) {
  const auto system = peers::toy(two_threads.cpus, two_threads.pages);
  const auto other = peers::toy(two_threads.cpus, two_threads.pages);
  const auto best = runs.cheapest(two_threads,
                                  {[&] { return explored(*system, 1, runs.cancel()); },
                                   [&] { return explored(*system, 2, runs.cancel()); },
                                   [&] { return side_by_side(*system, *other, runs.cancel()); }},
                                  true);
  for (int k = 0; k < 2; ++k) bench.rows.emplace_back(two_threads, best[static_cast<std::size_t>(k)]);
  bench.speedup_2_threads = best[0].wall_s / best[1].wall_s;
  bench.ceiling_2_threads = 2 * best[0].wall_s / best[2].wall_s;
}

void find_largest(Runs& runs, const Catalog& catalog, Bench& bench) {
  std::set<std::vector<std::string>> seen;
  for (const Claim& c : catalog) {
    if (!c.system || c.expected == Verdict::n_a) continue;  // What has no machine there cannot be large.
    if (!seen.insert({c.instance, c.arch, c.features}).second) continue;
    const std::string name =
        c.instance + " on " + c.arch + (c.features.empty() ? "" : " (" + c.features + ")");
    show_progress("exploring " + name);
    const auto system = c.system(RunOptions());
    const ToolRow row = runs.once([&] { return explored(*system, 1, runs.cancel()); });
    if (!bench.largest || row.states > bench.largest->states)
      bench.largest = row, bench.largest_instance = name;
  }
}

std::string line_of(const std::string& what, const ToolRow& r) {
  return fmt::format("{:<10} {:<11}{:>12}{:>13}{:>8.2f}{:>8.2f}{:>8.1f}\n", what,
                     r.tool + (r.threads == 1 ? "" : fmt::format(" x{}", r.threads)), grouped(r.states),
                     grouped(r.transitions), r.cpu_s, r.transitions_per_cpu_s() / 1e6, r.bytes_per_state);
}

std::string text_of(const Bench& b) {
  std::string text = fmt::format("{:<10} {:<11}{:>12}{:>13}{:>8}{:>8}{:>8}\n", "CPUs,pages", "tool", "states",
                                 "transitions", "CPU s", "Mtr/s", "B/state");
  for (const auto& [size, row] : b.rows) text += line_of(fmt::format("{},{}", size.cpus, size.pages), row);
  if (b.largest) text += line_of("largest", *b.largest) + wrapped("largest: " + b.largest_instance, 0);
  return text + fmt::format(
                    "\nat 2,3: {:.1f} times SPIN, {:.2f} times hand-packed, {:.1f} bytes a state\n"
                    "at 4,2: two threads {:.2f} times as fast as one; two explorations that share\n"
                    "nothing, at once: {:.2f} (what this machine gives two threads)\n",
                    b.ratio_vs_spin, b.ratio_vs_packed, b.bytes_per_state, b.speedup_2_threads,
                    b.ceiling_2_threads);
}

Json json_of(const ToolRow& r) {
  return {{"tool", r.tool},
          {"threads", r.threads},
          {"states", r.states},
          {"transitions", r.transitions},
          {"cpu_s", r.cpu_s},
          {"wall_s", r.wall_s},
          {"states_per_cpu_s", r.states_per_cpu_s()},
          {"transitions_per_cpu_s", r.transitions_per_cpu_s()},
          {"bytes_per_state", r.bytes_per_state}};
}

std::string json_of(const Bench& b) {
  Json j;
  j["rows"] = Json::array();
  for (const auto& [size, row] : b.rows) {
    Json r{{"cpus", size.cpus}, {"pages", size.pages}};
    r.update(json_of(row));
    j["rows"].push_back(std::move(r));
  }
  if (b.largest) {
    j["largest"] = {{"instance", b.largest_instance}};
    j["largest"].update(json_of(*b.largest));
  }
  j["ratio_vs_spin"] = b.ratio_vs_spin;
  j["ratio_vs_packed"] = b.ratio_vs_packed;
  j["bytes_per_state"] = b.bytes_per_state;
  j["speedup_2_threads"] = b.speedup_2_threads;
  j["ceiling_2_threads"] = b.ceiling_2_threads;
  j["compiler"] = compiler_version();
  return j.dump(1) + "\n";
}

}  // namespace

Exit bench(const Options& options, const Catalog& catalog, Output& out) {
  if (options.subject == "corpus") return bench_corpus(options, catalog, out);
  if (options.subject != "engine")
    throw InputError("there is no benchmark '" + options.subject + "'; there are engine and corpus");
  Runs runs(options);
  Peers peers;
  Bench result;
  compare(runs, peers, result);
  scale(runs, result);
  find_largest(runs, catalog, result);
  show_progress("");
  deliver(options, options.json ? json_of(result) : text_of(result), out);
  return Exit::ok;
}

}  // namespace ptmc::cli
