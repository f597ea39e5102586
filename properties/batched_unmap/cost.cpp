#include "properties/batched_unmap/cost.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "properties/batched_unmap/proof.hpp"
#include "properties/machine/explore.hpp"

namespace ptmc::batched_unmap {
namespace {

Cost cost_of(const Bill& b) { return {b[flushes], b[ipis], b[tlbis], b[stores_visible], b[waits]}; }

using PerPages = std::array<ReclaimCost, 2>;  // 1 page, 2 pages.

// "skip: 1 flush, 2 IPIs; for 2 pages 1 flush, 2 IPIs; the next scan nothing"
std::string told(const char* variant, const PerPages& of) {
  return std::string(variant) + ": " + to_string(of[0].reclaim) + "; for 2 pages " +
         to_string(of[1].reclaim) + "; the next scan " + to_string(of[0].next_scan);
}

PerPages cost_of_variant(Question q, const Variant& variant, Mapped mapped, const RunOptions& options) {
  if (variant.knob[0] != '\0') q.mutations.emplace_back(variant.knob);
  PerPages of;
  for (u64 pages = 1; pages <= of.size(); ++pages) {
    q.instance.pages = pages;
    of[pages - 1] = cost_of_reclaim(q, mapped, options);
  }
  return of;
}

void compare_variants(const Question& q, Mapped mapped, const RunOptions& options, Result& r) {
  std::map<std::string, PerPages> costs;
  for (const Variant& variant : variants()) {
    costs[variant.name] = cost_of_variant(q, variant, mapped, options);
    r.notes.push_back(told(variant.name, costs[variant.name]));
  }
  const PerPages &skip = costs["skip"], &batched = costs["batched"];
  const bool as_claimed =
      mapped == Mapped::accessible ? skip == batched : skip == PerPages{} && batched != PerPages{};
  r.verdict = as_claimed ? Verdict::bounded : Verdict::violated;
  if (!as_claimed) r.reason = r.notes[0] + "; " + r.notes[1];
}

}  // namespace

std::string to_string(const Cost& c) {
  return to_text({c.flushes, c.ipis, c.tlbis, c.stores_visible, c.waits}, tariff(true));
}

ReclaimCost cost_of_reclaim(const Question& q, Mapped mapped, const RunOptions& options) {
  const auto stepper = stepper_of(q, options);
  LoneRun run(*stepper, tariff(q.x86));
  if (mapped == Mapped::protnone) run.round("change_prot_numa");
  ReclaimCost cost;
  cost.reclaim = cost_of(run.round("reclaim"));
  cost.next_scan = cost_of(run.round("change_prot_numa"));
  return cost;
}

std::vector<Result> count_costs(const Question& q, const Claim& claim, const RunOptions& options) {
  std::vector<Result> results;
  for (const Mapped mapped : {Mapped::accessible, Mapped::protnone}) {
    Result r = machine::result_of(claim);
    r.property = mapped == Mapped::accessible ? "accessible" : "PROT_NONE";
    r.bound = "2 user CPUs, 1 and 2 pages, one run without interference";
    try {
      compare_variants(q, mapped, options, r);
    } catch (const Endless& e) {
      r.reason = e.what();
    } catch (const NotApplicable& e) {
      r.verdict = Verdict::n_a;
      r.reason = e.what();
    }
    results.push_back(std::move(r));
  }
  return results;
}

}  // namespace ptmc::batched_unmap
