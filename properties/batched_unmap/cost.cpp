#include "properties/batched_unmap/cost.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "properties/batched_unmap/proof.hpp"

namespace ptmc::batched_unmap {
namespace {

constexpr unsigned steps_max = 500;

// A mutated actor may be stuck, or never come to its end.
struct Endless : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Walks one actor through one round by the naive interpreter; only invalidations happen beside it.
class StraightRun {
 public:
  explicit StraightRun(const Stepper& stepper) : stepper_(stepper), state_(stepper.initial().at(0)) {}

  Cost round(const std::string& actor) {
    Cost cost;
    for (unsigned k = 0; k < steps_max; ++k) {
      const Action action = next(actor);
      state_ = stepper_.apply(state_, action).value();
      count(action, cost);
      if (action.actor == actor && at_start(actor)) return cost;
    }
    throw Endless(actor + " does not end");
  }

 private:
  static bool delivers(const Action& a) { return a.actor == "hw" && a.step.starts_with("invalidate_"); }

  Action next(const std::string& actor) const {
    const std::vector<Action> all = stepper_.enabled(state_);
    auto found = std::find_if(all.begin(), all.end(), [&](const Action& a) { return a.actor == actor; });
    if (found == all.end()) found = std::find_if(all.begin(), all.end(), delivers);
    if (found == all.end()) throw Endless(actor + " is stuck");
    return *found;
  }
  bool at_start(const std::string& actor) const {
    return std::any_of(state_.begin(), state_.end(),
                       [&](const Field& f) { return f.name == actor + ".pc" && f.value == 0; });
  }
  static void count(const Action& a, Cost& cost) {
    const std::string name = a.step.substr(a.step.rfind('/') + 1);
    cost.flushes += name == "send_ipis";
    cost.tlbis += name.starts_with("tlbi_");
    cost.stores_visible += name == "dsb_ishst";
    cost.waits += name == "dsb_ish";
    cost.ipis += delivers(a);
  }

  const Stepper& stepper_;
  DecodedState state_;
};

std::string counted(u64 n, const std::string& one, const std::string& many) {
  return n == 0 ? "" : std::to_string(n) + " " + (n == 1 ? one : many);
}

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
  std::string text;
  for (const std::string& part :
       {counted(c.flushes, "flush", "flushes"), counted(c.ipis, "IPI", "IPIs"),
        counted(c.tlbis, "TLBI", "TLBIs"), counted(c.stores_visible, "DSB ISHST", "DSB ISHST"),
        counted(c.waits, "DSB ISH", "DSB ISH")})
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  return text.empty() ? "nothing" : text;
}

ReclaimCost cost_of_reclaim(const Question& q, Mapped mapped, const RunOptions& options) {
  const auto stepper = stepper_of(q, options);
  StraightRun run(*stepper);
  if (mapped == Mapped::protnone) run.round("change_prot_numa");
  ReclaimCost cost;
  cost.reclaim = run.round("reclaim");
  cost.next_scan = run.round("change_prot_numa");
  if (q.x86) return cost;
  cost.reclaim.ipis = cost.next_scan.ipis = 0;  // TLBIs take effect without an interrupt.
  return cost;
}

std::vector<Result> count_costs(const Question& q, const Claim& claim, const RunOptions& options) {
  std::vector<Result> results;
  for (const Mapped mapped : {Mapped::accessible, Mapped::protnone}) {
    Result r;
    r.claim = claim.name, r.instance = claim.instance, r.arch = claim.arch, r.features = claim.features;
    r.expected = claim.expected;
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
