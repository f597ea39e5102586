#include "properties/mprotect/explore.hpp"

#include <set>

namespace ptmc::mprotect {
namespace {

std::string name_of(const Action& a) { return a.actor + "/" + a.step + "(" + a.instance + ")"; }

// Steps that can only run with another instance's actors or mapping.
bool is_others(const Instr& in, const Question& q) {
  static const std::set<std::string> fork_and_gup{"raw_write_seqcount_begin", "raw_write_seqcount_end",
                                                  "folio_try_dup_anon_rmap_ptes"};
  if (q.instance.gup == no_gup && fork_and_gup.contains(in.name)) return true;
  if (in.name == "folio_pte_batch") return !q.mutations.empty() || q.instance.kind == small;
  // Where nothing is stored nothing gets dirty.
  return !q.instance.stores && (in.path.ends_with("folio_mark_dirty") ||
                                in.path.find("/try_to_unmap_flush_dirty/") != std::string::npos);
}

// The loops over batches and pages are unrolled: a step that runs in one iteration runs. Fused steps run
// inside their neighbours, and one is version 1's. Choices number pages, of which there may be fewer.
std::set<std::string> not_owed(const LoweredSystem& system, const Exploration& found, const Question& q) {
  std::set<std::string> names;
  for (std::size_t k = 0; k < found.fired.size(); ++k)
    if (found.fired[k] != 0) {
      const Action& a = system.actions()[k];
      names.insert(name_of(a));
      if (a.step.ends_with("ptep_get_lockless") || q.instance.pages == 1)
        names.insert(a.actor + "/" + a.step);
    }
  for (const Actor& a : system.program().actors)
    for (const Instr& in : a.code)
      if (in.op == Instr::Op::compute || in.name == "folio_maybe_mapped_shared" || is_others(in, q))
        names.insert(a.label() + in.path.substr(in.path.find('/')) + "()");
  return names;
}

}  // namespace

Question question_of(const Instance& i, bool x86, const FeatureSet& features, const Batching& batching) {
  const bool batches = *batching.knob == '\0';
  Question q{i,
             x86,
             features,
             batches && i.batched != nullptr ? i.batched : i.properties,
             without(i.covers, batching.unmet),
             {}};
  if (!batches) q.mutations = {batching.knob};
  return q;
}

Setup setup_of(const Question& q, const RunOptions& options) {
  Instance instance = q.instance;
  FeatureSet features = q.features;
  change(instance, features, q.x86, options.machine);
  Setup setup = setup_of(instance, q.x86, features, q.properties, q.covers);
  machine::add_mutations(setup, q.mutations, options);
  return setup;
}

machine::Lowered lowered(bool x86) {
  return x86 ? machine::Lowered{packed_x86_64(), plain_x86_64()}
             : machine::Lowered{packed_arm64(), plain_arm64()};
}

std::vector<Result> explore_question(const Question& q, const Claim& claim, const RunOptions& options) {
  std::set<std::string> fine;
  const bool bad = claim.expected != Verdict::bounded;
  const machine::Run run{lowered(q.x86), setup_of(q, options), bound_of(q.instance), bad,
                         [&](const LoweredSystem& system, const Exploration& found, const Action& a) {
                           if (fine.empty()) fine = not_owed(system, found, q);
                           return !fine.contains(name_of(a)) && !fine.contains(a.actor + "/" + a.step);
                         }};
  return machine::explore(run, claim, options);
}

}  // namespace ptmc::mprotect
