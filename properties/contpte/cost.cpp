#include "properties/contpte/cost.hpp"

namespace ptmc::contpte {
namespace {

enum Row : unsigned { reads, xchgs, stores, tlbis, dsbs };

std::optional<unsigned> row_of(const Action& a) {
  const std::string name = a.step.substr(a.step.rfind('/') + 1);
  if (name == "ptep_get" || name == "contpte_ptep_get") return reads;
  if (name == "ptep_get_and_clear") return xchgs;
  if (name == "set_pte") return stores;
  if (name.starts_with("tlbi_")) return tlbis;
  if (name.starts_with("dsb_")) return dsbs;
  return std::nullopt;
}
bool delivers(const Action& a) { return a.actor == "hw" && a.step.starts_with("invalidate_"); }

constexpr u64 block = Counted::pages;

}  // namespace

const Tariff& tariff() {
  static constexpr Tariff::Item items[] = {
      {"read", "reads"}, {"xchg", "xchg"}, {"store", "stores"}, {"TLBI", "TLBIs"}, {"DSB", "DSBs"}};
  static constexpr Tariff all{items, row_of, delivers};
  return all;
}

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
