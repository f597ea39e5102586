#include <nlohmann/json.hpp>

#include "checker/cli/report.hpp"
#include "checker/trace_itf.hpp"
#include "checker/version.hpp"

namespace ptmc::cli {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Result& r) {
  Json j;
  j["claim"] = r.claim;
  j["instance"] = r.instance;
  j["arch"] = r.arch;
  j["features"] = r.features;
  j["property"] = r.property;
  j["verdict"] = to_string(r.verdict);
  j["expected"] = to_string(r.expected);
  j["bound"] = r.bound;
  j["assumptions"] = r.assumptions;
  j["states"] = r.states;
  j["edges"] = r.edges;
  j["trace"] = r.trace == nullptr ? Json() : Json::parse(to_itf(*r.trace));
  j["reason"] = r.reason;
  j["notes"] = r.notes;
  return j;
}

Json json_of(const Summary& s, const Options& options) {
  Json j;
  j["claims"] = s.claims;
  j["results"] = s.results;
  for (unsigned v = 0; v < verdict_count; ++v)
    j["verdicts"][std::string(to_string(static_cast<Verdict>(v)))] = s.verdicts[v];
  j["failed"] = s.failed;
  j["weaker"] = s.weaker;
  j["states"] = s.states;
  for (const Mutation& m : options.run.mutations) j["mutations"].push_back(m.text);
  j["reproduce"] = options.again;
  j["versions"] = {{"z3", z3_version()}, {"compiler", compiler_version()}};
  j["exit"] = static_cast<int>(exit_code(s));
  return j;
}

Json json_of(const Timing& t, const std::vector<ClaimRun>& runs, const Options& options) {
  Json j{{"wall_ms", t.wall_ms},
         {"cpu_ms", t.cpu_ms},
         {"peak_memory_bytes", t.peak_memory_bytes},
         {"threads", options.run.explore.threads}};
  for (const ClaimRun& run : runs)
    j["claims"].push_back({{"claim", run.claim->name}, {"arch", run.claim->arch}, {"wall_ms", run.wall_ms}});
  return j;
}

}  // namespace

std::string json_of(const std::vector<ClaimRun>& runs, const Summary& summary, const Options& options,
                    const Timing& timing) {
  Json j;
  j["results"] = Json::array();
  for (const ClaimRun& run : runs)
    for (const Result& r : run.results) j["results"].push_back(json_of(r));
  j["summary"] = json_of(summary, options);
  j["timing"] = json_of(timing, runs, options);
  return j.dump(1) + "\n";
}

}  // namespace ptmc::cli
