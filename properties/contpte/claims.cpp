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
  machine::attach(c, lowered, [q](const RunOptions& options) { return setup_of(q, options); });
  c.dimensions = dimensions_of(q.instance, q.features);
  c.voice = &voice();
  c.tariff = &tariff();
  return c;
}

/// `broken`: what it breaks of what is asked; empty: nothing.
void add(std::vector<Claim>& all, const Question& q, const std::string& name, const std::string& broken,
         const std::string& sentence) {
  Claim c = claim_about(q, "contpte/" + name, broken.empty() ? Verdict::bounded : Verdict::violated);
  c.sentence = sentence;
  c.property = broken.empty() ? commas(q.properties) : broken;
  const bool big = q.instance.big || (q.instance.big_bbm2 && has_bbm2(q.features));
  const bool usual = q.features.bits == feature_sets()[has_bbm2(q.features)].bits;
  c.full_only = big || !(usual || q.instance.table);
  c.run = [q, c](const RunOptions& options) {
    const auto explored = [&] { return explore_question(q, c, options); };
    return c.expected == Verdict::violated ? std::vector{machine::twin_result(c, explored)} : explored();
  };
  all.push_back(std::move(c));
}

void add_instance(std::vector<Claim>& all, const Instance& i, const FeatureSet& features) {
  const std::string name = i.name, sentence = sentence_of(i);
  if (!i.finding || has_bbm2(features)) {
    add(all, {i, features, all_properties, {}}, name, "", sentence);
    return;
  }
  if (features.bits == feature_sets()[0].bits)  // One trace says it.
    add(all, {i, features, all_properties, {}}, name, "bbm", sentence);
  add(all, {i, features, without(all_properties, "bbm"), {}}, name + "-rights", "",
      "the same loses no right, page or store, and gives none");
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
