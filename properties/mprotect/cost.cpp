#include "properties/mprotect/cost.hpp"

namespace ptmc::mprotect {
namespace {

constexpr u64 counted_entries[] = {1, 4, 16};

}  // namespace

Bill cost_of_mprotect(bool x86, u64 entries, const std::string& mutation) {
  mprotect::Instance i = instance("anon-fork");
  i.fork = false;
  Setup setup = setup_of(i, x86, feature_sets(x86)[0], "", "");
  for (const By by : {By::page, By::table}) setup.config.bound[static_cast<unsigned>(by)] = entries;
  if (!mutation.empty()) setup.mutations = {mutation};
  const auto stepper = plain_stepper(x86 ? counted_x86_64() : counted_arm64(), setup);
  LoneRun run(*stepper, tariff(x86));
  return run.round("mprotect");
}

std::vector<Result> count_costs(bool x86, const Claim& claim, const RunOptions& options) {
  Result r = machine::result_of(claim);
  r.property = claim.property;
  r.bound = "1, 4 and 16 writable pages of one folio, one run without interference";
  r.verdict = Verdict::bounded;
  const std::string extra = options.mutations.empty() ? "" : options.mutations[0].text;
  for (const u64 n : counted_entries) {
    const Bill one_by_one = cost_of_mprotect(x86, n, batchings()[1].knob);
    const Bill first_version = cost_of_mprotect(x86, n, "knob:change_pte_range=v1");
    const Bill batched = cost_of_mprotect(x86, n, extra);
    r.notes.push_back(std::to_string(n) + ": batched " + to_text(batched, tariff(x86)) + "; one by one " +
                      to_text(one_by_one, tariff(x86)) + "; version 1 of the series " +
                      to_text(first_version, tariff(x86)));
    const bool linear = batched[reads] == n && batched[xchgs] == n && batched[stores] == n;
    if (batched != one_by_one || batched != first_version || !linear) r.verdict = Verdict::violated;
  }
  if (r.verdict == Verdict::violated) r.reason = r.notes[0];
  return {r};
}

}  // namespace ptmc::mprotect
