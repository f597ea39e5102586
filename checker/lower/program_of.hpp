// From a model's types to the data all lowerings share: actors' syntax, rules, knobs, predicates.
#pragma once
#include <span>

#include "checker/lower/setup.hpp"
#include "checker/system.hpp"
#include "model/core/reflect.hpp"

namespace ptmc {

struct ActorText {
  std::string name;
  u64 copies_max = 1;
  std::vector<Node> body;
};
struct RuleText {
  std::string name;
  By first, second;
};

/// A model without its functions.
struct ModelText {
  std::vector<ActorText> actors;
  std::vector<RuleText> rules;
  std::vector<Predicate> predicates;  // always and sometimes, then lemmas.
  std::span<const Knob> knobs;
  const char* (*operand_absent)(Operand) = nullptr;  // As in MutationScope.
};

template <class P>
Predicate predicate_of(const Always<P>& p) {
  return {p.name, p.sentence, Predicate::Kind::always};
}
template <class P>
Predicate predicate_of(const Sometimes<P>& p) {
  return {p.name, p.sentence, Predicate::Kind::sometimes};
}
template <class P>
Predicate predicate_of(const Lemma<P>& p) {
  return {p.name, "", Predicate::Kind::lemma};
}

template <class Model>
ModelText text_of() {
  ModelText text;
  unsigned fn = 0;
  hana::for_each(Model::actors, [&](const auto& a) {
    text.actors.push_back({a.name, std::remove_cvref_t<decltype(a)>::copies_max, describe(a.body, fn)});
  });
  hana::for_each(Model::environment, [&](const auto& r) {
    using R = std::remove_cvref_t<decltype(r)>;
    text.rules.push_back({r.name, R::first, R::second});
  });
  hana::for_each(Model::predicates, [&](const auto& p) { text.predicates.push_back(predicate_of(p)); });
  hana::for_each(Model::lemmas, [&](const auto& p) { text.predicates.push_back(predicate_of(p)); });
  text.knobs = Model::knobs;
  if constexpr (requires { Model::operand_absent; }) text.operand_absent = Model::operand_absent;
  return text;
}

/// The instance's program after its mutations, and which rules are left.
struct Instance {
  Program program;
  std::vector<Instr::Guard> rules;  // By rule: as_written, always (guard-true) or never (dropped or off).
  ModelText text;
};

/// Throws std::invalid_argument for a name that does not exist, NotApplicable for a mutation without meaning.
Instance instantiate(ModelText text, const Setup& setup);

/// "cpu=1, page=0"; empty for a rule without indices.
std::string instance_name(const RuleText& rule, u64 a, u64 b);

/// The fields that a state of this instance may use: bound and owner decide.
bool within_bounds(const std::vector<PathIndex>& indices, const Config& config);

}  // namespace ptmc
