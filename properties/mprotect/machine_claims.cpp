#include "properties/mprotect/machine_claims.hpp"

#include "properties/mprotect/cost.hpp"
#include "properties/mprotect/phrases.hpp"
#include "properties/mprotect/twins.hpp"

namespace ptmc::mprotect {
namespace {

using machine::commas;

Claim claim_about(const Question& q, const std::string& name, Verdict expected) {
  Claim c;
  c.name = name;
  c.arch = machine::arch_name(q.x86);
  c.features = q.features.name;
  c.instance = q.instance.name;
  c.mutations = q.mutations;
  c.expected = expected;
  machine::attach(
      c, [q] { return lowered(q.x86); }, [q](const RunOptions& options) { return setup_of(q, options); });
  c.dimensions = dimensions_of(q.instance, q.x86, q.features);
  c.voice = &voice();
  c.tariff = &tariff(q.x86);
  return c;
}

void add_instance(std::vector<Claim>& all, const Instance& i, bool x86, const FeatureSet& features,
                  const Batching& batching) {
  const Question q = question_of(i, x86, features, batching);
  const std::string variant = *batching.knob == '\0' ? "" : std::string("-") + batching.name;
  Claim c = claim_about(q, std::string("seed000/") + i.name + variant, Verdict::bounded);
  c.sentence = std::string("mprotect") + (i.fork ? " and fork" : "") + (i.writeback ? " and writeback" : "") +
               (i.reclaim ? " and reclaim" : "") + (i.ksm ? " and KSM" : "") +
               (i.gup != no_gup ? " and GUP-fast" : "") + ": nothing " +
               commas(without(q.properties, "done precise")) +
               (without(q.properties, "done") != q.properties ? ", and all done" : "");
  c.property = commas(q.properties);
  c.full_only = i.full_only || features.bits != feature_sets(x86)[0].bits;
  c.run = [q, c](const RunOptions& options) { return explore_question(q, c, options); };
  all.push_back(std::move(c));
}

void add_mutant(std::vector<Claim>& all, const Question& q, Claim c, const std::string& note) {
  c.run = [q, c, note](const RunOptions& options) {
    Result r = machine::twin_result(c, [&] { return explore_question(q, c, options); });
    if (!note.empty()) r.notes.push_back(note);
    return std::vector{std::move(r)};
  };
  all.push_back(std::move(c));
}

// The mapping itself is the other architecture's.
void add_absent(std::vector<Claim>& all, Claim c, const Instance& i) {
  const Result r = machine::not_applicable(
      c, i.kind == soft_dirty ? "arm64 has no soft-dirty bit in 6.12" : "arm64 has no shadow stacks in 6.12");
  c.run = [r](const RunOptions&) { return std::vector{r}; };
  all.push_back(std::move(c));
}

void add_twin(std::vector<Claim>& all, const Twin& twin, bool x86) {
  const Instance& i = instance(twin.instance);
  const bool bad = machine::exists(twin.on, x86), there = machine::exists(i.on, x86);
  Question q = question_of(i, x86, feature_sets(x86)[0], batchings()[0]);
  q.properties = twin.is_kernel() ? twin.property : without(q.properties, twin.also);
  if (*twin.mutation != '\0') q.mutations = {twin.mutation};
  Claim c = claim_about(q, twin.claim(),
                        bad                                ? Verdict::violated
                        : there && *twin.elsewhere != '\0' ? Verdict::bounded
                                                           : Verdict::n_a);
  c.sentence = twin.what;
  c.property = twin.property;
  c.commit = twin.commit;
  if (there)
    add_mutant(all, q, std::move(c), bad ? "" : twin.elsewhere);
  else
    add_absent(all, std::move(c), i);
}

void add_harmless(std::vector<Claim>& all, const Harmless& h, bool x86) {
  Question q = question_of(instance(h.instance), x86, feature_sets(x86)[0], batchings()[0]);
  q.mutations = {h.mutation};
  Claim c = claim_about(q, std::string("seed000/") + h.id, Verdict::bounded);
  c.sentence = h.what;
  c.property = commas(q.properties);
  c.run = [q, c](const RunOptions& options) { return explore_question(q, c, options); };
  all.push_back(std::move(c));
}

void add_cost(std::vector<Claim>& all, bool x86) {
  Claim c;
  c.name = "seed000/cost";
  c.sentence = "a batch takes one read, xchg and store an entry, and one flush: as many as one by one";
  c.arch = machine::arch_name(x86);
  c.features = feature_sets(x86)[0].name;
  c.instance = "mprotect";
  c.property = "reads, xchg, stores, flushes";
  c.expected = Verdict::bounded;
  c.run = [x86, c](const RunOptions& options) { return count_costs(x86, c, options); };
  all.push_back(std::move(c));
}

}  // namespace

std::vector<Claim> machine_claims() {
  std::vector<Claim> all;
  for (const Instance& i : instances())
    for (const Batching& batching : batchings())
      if (i.kind != small || *batching.knob == '\0')  // There is no batch.
        for (const bool x86 : {true, false})
          if (machine::exists(i.on, x86))
            for (const FeatureSet& features : feature_sets(x86))
              if (!i.hd_only || features.bits == feature_sets(x86)[0].bits)
                add_instance(all, i, x86, features, batching);
  for (const bool x86 : {true, false}) add_cost(all, x86);
  for (const Twin& twin : twins)
    for (const bool x86 : {true, false}) add_twin(all, twin, x86);
  for (const Harmless& h : harmless)
    for (const bool x86 : {true, false}) add_harmless(all, h, x86);
  return all;
}

}  // namespace ptmc::mprotect
