#include "properties/contpte/cost.hpp"

namespace ptmc::contpte {
namespace {

constexpr u64 block = Counted::pages;

}  // namespace

Bill cost_of_mprotect(Variant variant, Contents contents, Range range, const FeatureSet& features,
                      const std::string& mutation) {
  Instance i = instance("mprotect");
  i.variant = variant;
  i.contents = contents;
  i.range = range;
  Setup setup = setup_of(i, features, "");
  for (const By by : {By::page, By::table}) setup.config.bound[static_cast<unsigned>(by)] = block;
  for (const char* name :
       {"folded", "unfolded", "block_in_window", "two_sizes", "revoked_but_cached", "mixed"})
    setup.predicates_off.emplace_back(name);
  if (!mutation.empty()) setup.mutations = {mutation};
  const auto stepper = plain_stepper(counted_arm64(), setup);
  LoneRun run(*stepper, tariff());
  return run.round("mprotect");
}

std::vector<Result> count_costs(const Claim& claim, const RunOptions& options) {
  Result r = machine::result_of(claim);
  r.property = claim.property;
  r.bound = "one block of 16 writable pages, one run without interference";
  r.verdict = Verdict::bounded;
  const std::string extra = options.mutations.empty() ? "" : options.mutations[0].text;
  for (const FeatureSet& features : {feature_sets()[0], feature_sets()[1], feature_sets()[2]}) {
    auto cost = [&](Variant v, Contents c) { return cost_of_mprotect(v, c, whole, features, extra); };
    const Bill batches = cost(batched, folded), single = cost(per_pte, folded);
    r.notes.push_back(std::string(features.name) + ": batched " + to_text(batches, tariff()) +
                      "; entry by entry " + to_text(single, tariff()));
    if (batches[reads] != block + 1 || batches[xchgs] != block || batches[stores] != block ||
        batches[dsbs] != 2)
      r.verdict = Verdict::violated;
  }
  if (r.verdict == Verdict::violated) r.reason = r.notes[0];
  return {r};
}

}  // namespace ptmc::contpte
