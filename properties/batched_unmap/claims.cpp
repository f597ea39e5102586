#include "properties/batched_unmap/claims.hpp"

#include "properties/batched_unmap/cost.hpp"
#include "properties/batched_unmap/explore.hpp"
#include "properties/batched_unmap/phrases.hpp"
#include "properties/batched_unmap/proof.hpp"
#include "properties/batched_unmap/twins.hpp"
#include "properties/machine/explore.hpp"

namespace ptmc::batched_unmap {
namespace {

using machine::arch_name;
using machine::exists;

std::string joined(const std::vector<ActorCount>& actors) {
  std::string text;
  for (const ActorCount& a : actors)
    text += (text.empty() ? "" : " + ") + (a.copies > 1 ? std::to_string(a.copies) + " " : "") + a.name;
  return text;
}

Claim claim_about(const Question& q, const std::string& name, Verdict expected) {
  Claim c;
  c.name = name;
  c.arch = arch_name(q.x86);
  c.features = q.features.name;
  c.instance = q.instance.name;
  c.mutations = q.mutations;
  c.expected = expected;
  c.system = [q](const RunOptions& options) { return system_of(q, options); };
  c.stepper = [q](const RunOptions& options) { return stepper_of(q, options); };
  c.terms = [q](const RunOptions& options) { return terms_of(q, options); };
  c.program = [q](const RunOptions& options) { return program_of(q, options); };
  c.paths = [q] { return paths_of(q); };
  c.dimensions = dimensions_of(q.instance, q.x86, q.features);
  c.voice = &voice();
  c.tariff = &tariff(q.x86);
  return c;
}

void add_instance(std::vector<Claim>& all, const Instance& instance, bool x86, const FeatureSet& features) {
  const Question q{instance, x86, features, {}, {}};
  Claim c = claim_about(q, std::string("seed004/") + instance.name, Verdict::bounded);
  c.sentence = joined(instance.actors) + ": nothing stale, excess, reached or lost, and all done";
  c.property = "stale, excess, reach, lost, done";
  c.full_only = instance.full_only || features.bits != feature_sets(x86)[0].bits;
  c.run = [q, c](const RunOptions& options) { return explore_question(q, c, options); };
  all.push_back(std::move(c));
}

void add_proof(std::vector<Claim>& all, const Variant& variant, bool x86, const FeatureSet& features) {
  const ProofQuestion q{x86, features, variant};
  Claim c;
  c.name = std::string("seed004/proof-") + variant.name;
  c.sentence =
      "all actors, any number of steps: the properties, and a skipped flush would have removed nothing";
  c.arch = arch_name(x86);
  c.features = features.name;
  c.instance = "all actors";
  c.property = "stale, excess, reach, lost, done, skip";
  c.expected = Verdict::proved;
  c.full_only = variant.knob[0] != '\0' || features.bits != feature_sets(x86)[0].bits;
  c.run = [q, c](const RunOptions& options) { return prove_question(q, c, options); };
  all.push_back(std::move(c));
}

void add_cost(std::vector<Claim>& all, bool x86) {
  const Question q{instance("reclaim-numa"), x86, feature_sets(x86)[0], {}, {}};
  Claim c = claim_about(q, "seed004/cost", Verdict::bounded);
  c.sentence = "the skip costs what batching does for an accessible page, and nothing for a PROT_NONE one";
  c.property = "flushes, IPIs, TLBIs, DSBs";
  c.run = [q, c](const RunOptions& options) { return count_costs(q, c, options); };
  all.push_back(std::move(c));
}

void add_twin(std::vector<Claim>& all, const Twin& twin, bool x86) {
  Question q{instance(twin.instance), x86, feature_sets(x86)[0], {}, {}};
  if (twin.mutation[0] != '\0') q.mutations = {twin.mutation};
  if (std::string(twin.property) == "coherent") q.properties = {"coherent"};
  Claim c = claim_about(q, twin.claim(), exists(twin.on, x86) ? Verdict::violated : Verdict::n_a);
  c.sentence = twin.what;
  c.property = twin.property;
  c.commit = twin.commit;
  c.full_only = q.instance.full_only;
  c.run = [q, c](const RunOptions& options) {
    return std::vector{machine::twin_result(c, [&] { return explore_question(q, c, options); })};
  };
  all.push_back(std::move(c));
}

}  // namespace

std::vector<Claim> claims() {
  std::vector<Claim> all;
  for (const bool x86 : {true, false})
    for (const FeatureSet& features : feature_sets(x86))
      for (const Variant& variant : variants()) add_proof(all, variant, x86, features);
  for (const Instance& i : instances())
    for (const bool x86 : {true, false})
      if (exists(i.on, x86))
        for (const FeatureSet& features : feature_sets(x86)) add_instance(all, i, x86, features);
  for (const bool x86 : {true, false}) add_cost(all, x86);
  for (const Twin& twin : twins)
    for (const bool x86 : {true, false}) add_twin(all, twin, x86);
  return all;
}

}  // namespace ptmc::batched_unmap
