#include "properties/contpte/claims.hpp"

#include "properties/contpte/cost.hpp"
#include "properties/contpte/phrases.hpp"
#include "properties/contpte/twins.hpp"
#include "properties/machine/names.hpp"

namespace ptmc::contpte {
namespace {

constexpr const char* no_cont = "x86-64 has no contiguous entries";

using machine::commas;
using machine::without;

/// Claims of one name differ in BBM level: the name says it.
std::string suffix(const FeatureSet& features) { return has_bbm2(features) ? "-bbm2" : ""; }

Claim claim_about(const Question& q, const std::string& name, Verdict expected) {
  Claim c;
  c.name = name + suffix(q.features);
  c.arch = "arm64";
  c.features = q.features.name;
  c.instance = q.instance.name;
  c.mutations = q.mutations;
  c.expected = expected;
  c.system = [q](const RunOptions& options) -> std::shared_ptr<const System> {
    return std::make_shared<LoweredSystem>(lowered().packed, setup_of(q, options));
  };
  c.stepper = [q](const RunOptions& options) -> std::shared_ptr<const Stepper> {
    return plain_stepper(lowered().plain, setup_of(q, options));
  };
  c.program = [q](const RunOptions& options) {
    return instantiate(lowered().packed.text, setup_of(q, options)).program;
  };
  c.paths = [q] { return machine::paths_of(lowered().packed, setup_of(q, {})); };
  c.dimensions = dimensions_of(q.instance, q.features);
  c.voice = &voice();
  c.tariff = &tariff();
  return c;
}

void add_instance(std::vector<Claim>& all, const Instance& i, const FeatureSet& features) {
  const bool broken = i.finding && !has_bbm2(features);
  if (broken && features.bits != feature_sets()[0].bits) return;  // One trace says it.
  const Question q{i, features, i.finding ? "bbm" : all_properties, {}};
  Claim c = claim_about(q, std::string("contpte/") + i.name, broken ? Verdict::violated : Verdict::bounded);
  c.sentence = sentence_of(i);
  c.property = commas(q.properties);
  c.full_only = i.big || (i.finding && !broken && i.unmaps == dontneed) ||
                features.bits != feature_sets()[has_bbm2(features)].bits;
  c.run = [q, c, broken](const RunOptions& options) {
    const auto explored = [&] { return explore_question(q, c, options); };
    return broken ? std::vector{machine::twin_result(c, explored)} : explored();
  };
  all.push_back(std::move(c));
}

void add_twin(std::vector<Claim>& all, const Twin& twin, const FeatureSet& features) {
  const std::string breaks = has_bbm2(features) ? twin.level2 : twin.level0;
  const bool bad = !breaks.empty();
  const std::string properties = bad ? without(all_properties, twin.also) : all_properties;
  const Question q{instance(twin.instance), features, properties, {twin.mutation}};
  Claim c = claim_about(q, twin.claim(), bad ? Verdict::violated : Verdict::bounded);
  c.sentence = twin.what;
  c.property = bad ? breaks : commas(properties);
  c.commit = twin.commit;
  c.full_only = !bad || twin.late;  // Not bad: the instance once more.
  const std::string note = bad ? "" : twin.harmless;
  c.run = [q, c, bad, note](const RunOptions& options) {
    if (!bad) {
      std::vector<Result> results = explore_question(q, c, options);
      for (Result& r : results) r.notes.push_back(note);
      return results;
    }
    return std::vector{machine::twin_result(c, [&] { return explore_question(q, c, options); })};
  };
  all.push_back(std::move(c));
}

// Not claimed of x86-64 at all if x86-64 has that bug.
void add_absent(std::vector<Claim>& all, const std::string& name, const std::string& sentence) {
  Claim c;
  c.name = name;
  c.sentence = sentence;
  c.arch = "x86_64";
  c.property = "bbm";
  c.expected = Verdict::n_a;
  const Result r = machine::not_applicable(c, no_cont);
  c.run = [r](const RunOptions&) { return std::vector{r}; };
  all.push_back(std::move(c));
}

void add_cost(std::vector<Claim>& all) {
  Claim c;
  c.name = "contpte/cost";
  c.sentence = "mprotect of one folded block by batches leaves it folded: no conversion, no flush of its own";
  c.arch = "arm64";
  c.features = feature_sets()[0].name;
  c.instance = "mprotect";
  c.property = "reads, xchg, stores, TLBIs, DSBs";
  c.expected = Verdict::bounded;
  c.run = [c](const RunOptions& options) { return count_costs(c, options); };
  all.push_back(std::move(c));
}

}  // namespace

std::vector<Claim> claims() {
  std::vector<Claim> all;
  for (const Instance& i : instances()) {
    for (const FeatureSet& features : feature_sets()) add_instance(all, i, features);
    add_absent(all, std::string("contpte/") + i.name, sentence_of(i));
  }
  add_cost(all);
  for (const Twin& twin : twins) {
    add_twin(all, twin, feature_sets()[0]);
    if (twin.both) add_twin(all, twin, feature_sets()[1]);
    if (!twin.x86) add_absent(all, twin.claim(), twin.what);
  }
  return all;
}

}  // namespace ptmc::contpte
