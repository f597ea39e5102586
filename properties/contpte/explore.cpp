#include "properties/contpte/explore.hpp"

#include <set>
#include <sstream>

namespace ptmc::contpte {
namespace {

std::string name_of(const Action& a) { return a.actor + "/" + a.step + "(" + a.instance + ")"; }

// A step that stands in several places, or in several iterations of a loop, runs if it runs in one: the
// kernel's helpers are inlined here with all their branches, of which an instance takes some.
std::string short_name(const Action& a) { return a.step.substr(a.step.rfind('/') + 1); }

std::set<std::string> not_owed(const LoweredSystem& system, const Exploration& found) {
  std::set<std::string> ran, names;
  for (std::size_t k = 0; k < found.fired.size(); ++k)
    if (found.fired[k] != 0) ran.insert(short_name(system.actions()[k]));
  for (const Action& a : system.actions())
    if (ran.contains(short_name(a))) names.insert(name_of(a));
  for (const Actor& a : system.program().actors)
    for (const Instr& in : a.code)
      if (in.op == Instr::Op::compute) names.insert(a.label() + in.path.substr(in.path.find('/')) + "()");
  return names;
}

// Which TLBI it is depends on the features. What mprotect does for reclaim it does beside it only.
bool is_unused(const Action& a, const Instance& i) {
  const char* const alone = " tlb_gather_mmu dec_tlb_flush_pending flush_tlb_batched_pending";
  std::istringstream fragments(std::string(i.unused) + " tlbi_vale1is tlbi_rvale1is" +
                               (i.reclaims == nobody ? alone : ""));
  for (std::string one; fragments >> one;)
    if (("/" + a.step + "/").find("/" + one + "/") != std::string::npos) return true;
  return false;
}

}  // namespace

Setup setup_of(const Question& q, const RunOptions& options) {
  Instance i = q.instance;
  FeatureSet features = q.features;
  change(i, features, options.machine);
  Setup setup = setup_of(i, features, q.properties);
  machine::add_mutations(setup, q.mutations, options);
  return setup;
}

machine::Lowered lowered() { return {packed_arm64(), plain_arm64()}; }

std::vector<Result> explore_question(const Question& q, const Claim& claim, const RunOptions& options) {
  std::set<std::string> fine;
  const bool bad = claim.expected != Verdict::bounded || !q.mutations.empty();
  const machine::Run run{lowered(), setup_of(q, options), bound_of(q.instance), bad,
                         [&](const LoweredSystem& system, const Exploration& found, const Action& a) {
                           if (fine.empty()) fine = not_owed(system, found);
                           return !fine.contains(name_of(a)) && !is_unused(a, q.instance);
                         }};
  return machine::explore(run, claim, options);
}

}  // namespace ptmc::contpte
