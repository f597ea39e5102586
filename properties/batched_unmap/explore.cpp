#include "properties/batched_unmap/explore.hpp"

#include <algorithm>
#include <set>

#include "properties/machine/explore.hpp"

namespace ptmc::batched_unmap {
namespace {

const PackedTables& packed_of(const Question& q) { return q.x86 ? packed_x86_64() : packed_arm64(); }
const PlainTables& plain_of(const Question& q) { return q.x86 ? plain_x86_64() : plain_arm64(); }

std::string label_of(const Actor& actor, const Instr& in) {
  return actor.label() + in.path.substr(in.path.find('/'));
}

// Steps that no run of this instance may take, with the reason in the code: fused ones run inside their
// neighbours, and variants that the knob `defer` has not chosen do not run at all.
std::set<std::string> idle(const LoweredSystem& system, const Question& q) {
  std::set<std::string> steps;
  bool batches = false;  // Without reclaim and migration there is nothing to drain.
  for (const Actor& a : system.program().actors)
    batches = batches || a.name == "reclaim" || a.name == "migrate";
  for (const Actor& a : system.program().actors)
    for (const Instr& in : a.code) {
      const bool eager = in.path.find("/ptep_clear_flush/") != std::string::npos;
      const bool other_page = in.name == "folio_isolate_lru" && q.instance.pages == 1;
      const bool no_batch = !batches && in.path.find("/flush_tlb_batched_pending/") != std::string::npos &&
                            in.name != "read_batched";
      if (in.op == Instr::Op::compute || eager || other_page || no_batch) steps.insert(label_of(a, in));
    }
  return steps;
}

// folio_copy is offered for each frame of the type; the instance may have fewer.
bool beyond_bounds(const Action& a, const Question& q) {
  const auto eq = a.instance.find('=');
  return a.step == "folio_copy" && eq != std::string::npos &&
         std::stoull(a.instance.substr(eq + 1)) >= q.instance.frames;
}

}  // namespace

Setup setup_of(const Question& q, const RunOptions& options) {
  Instance instance = q.instance;
  FeatureSet features = q.features;
  change(instance, features, q.x86, options.machine);
  Setup setup = setup_of(instance, q.x86, features, q.properties);
  machine::add_mutations(setup, q.mutations, options);
  return setup;
}

std::shared_ptr<const System> system_of(const Question& q, const RunOptions& options) {
  return std::make_shared<LoweredSystem>(packed_of(q), setup_of(q, options));
}
std::shared_ptr<const Stepper> stepper_of(const Question& q, const RunOptions& options) {
  return plain_stepper(plain_of(q), setup_of(q, options));
}
std::shared_ptr<const SymbolicSource> terms_of(const Question& q, const RunOptions& options) {
  Setup setup = setup_of(q, options);
  if (setup.config.count(By::page) > 1 || setup.config.count(By::frame) > 2) return nullptr;
  setup.fuse = false;
  return symbolic_source(q.x86 ? symbolic_x86_64() : symbolic_arm64(), setup);
}
Program program_of(const Question& q, const RunOptions& options) {
  return instantiate(packed_of(q).text, setup_of(q, options)).program;
}
std::vector<std::string> paths_of(const Question& q) {
  return machine::paths_of(packed_of(q), setup_of(q, {}));
}

std::vector<Result> explore_question(const Question& q, const Claim& claim, const RunOptions& options) {
  std::set<std::string> allowed;
  const machine::Run run{{packed_of(q), plain_of(q)},
                         setup_of(q, options),
                         bound_of(q.instance, q.x86),
                         !q.mutations.empty(),
                         [&](const LoweredSystem& system, const Exploration&, const Action& a) {
                           if (allowed.empty()) allowed = idle(system, q);
                           return !allowed.contains(a.actor + "/" + a.step) && !beyond_bounds(a, q);
                         }};
  return machine::explore(run, claim, options);
}

}  // namespace ptmc::batched_unmap
