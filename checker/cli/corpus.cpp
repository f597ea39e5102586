// `ptmc bench corpus`: what minimising makes of every known bug's counterexample.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "checker/cli/commands.hpp"
#include "checker/cli/log.hpp"
#include "checker/cli/runner.hpp"
#include "checker/cli/shrink.hpp"
#include "checker/cli/text.hpp"

namespace ptmc::cli {
namespace {

constexpr std::size_t name_width = 18;

struct Row {
  const Claim* claim;
  Shrunk shrunk;
};

std::vector<Row> measured(const Options& options, const Catalog& catalog) {
  std::vector<Row> rows;
  for (const Claim& claim : catalog) {
    if (claim.expected != Verdict::violated || !claim.system) continue;
    show_progress(fmt::format("{} on {}", claim.name, claim.arch));
    for (const Result& r : claim.run(options.run))
      if (r.trace != nullptr) rows.push_back({&claim, shrink(*r.trace, claim, options.run)});
    if (options.run.explore.cancel != nullptr && *options.run.explore.cancel) throw Interrupted();
  }
  show_progress("");
  return rows;
}

nlohmann::ordered_json json_of(const TraceSize& s) {
  return {{"steps", s.steps}, {"lines", s.lines}, {"switches", s.switches}, {"actors", s.actors},
          {"cpus", s.cpus},   {"pages", s.pages}, {"frames", s.frames}};
}

}  // namespace

Exit bench_corpus(const Options& options, const Catalog& catalog, Output& out) {
  const std::vector<Row> rows = measured(options, catalog);
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  std::string text = size_header(name_width);
  double slowest = 0;
  for (const Row& r : rows) {
    slowest = std::max(slowest, r.shrunk.seconds);
    text += r.claim->name + " on " + r.claim->arch + "\n" + size_row("  found", name_width, r.shrunk.before);
    std::string after = size_row("  minimised", name_width, r.shrunk.after);
    after.pop_back();
    text += fmt::format("{}{:>6.1f} s\n", after, r.shrunk.seconds);
    json.push_back({{"claim", r.claim->name},
                    {"arch", r.claim->arch},
                    {"features", r.claim->features},
                    {"before", json_of(r.shrunk.before)},
                    {"after", json_of(r.shrunk.after)},
                    {"seconds", r.shrunk.seconds}});
  }
  text += wrapped(fmt::format("{} counterexamples, as found and as minimised; the slowest took {:.1f} s",
                              rows.size(), slowest),
                  0);
  deliver(options, options.json ? json.dump(1) + "\n" : text, out);
  return Exit::ok;
}

}  // namespace ptmc::cli
