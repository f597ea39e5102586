#include "checker/lower/program_of.hpp"

#include <algorithm>

namespace ptmc {
namespace {

constexpr std::array<const char*, by_count> index_names{"", "cpu", "page", "frame", "table", "slot", "actor"};

const ActorText& find_actor(const ModelText& text, const ActorCount& wanted) {
  for (const ActorText& a : text.actors) {
    if (a.name != wanted.name) continue;
    if (wanted.copies <= a.copies_max) return a;
    throw std::invalid_argument("actor " + a.name + " has at most " + std::to_string(a.copies_max) +
                                " copies");
  }
  throw std::invalid_argument("no actor '" + wanted.name + "' in this model");
}

std::size_t find_rule(const ModelText& text, const std::string& name) {
  for (std::size_t k = 0; k < text.rules.size(); ++k)
    if (text.rules[k].name == name) return k;
  throw std::invalid_argument("no rule '" + name + "' in this model");
}

}  // namespace

Instance instantiate(ModelText text, const Setup& setup) {
  Instance out;
  out.text = std::move(text);
  out.program.environment = setup.config;
  for (const ActorCount& wanted : setup.actors) {
    const ActorText& a = find_actor(out.text, wanted);
    for (u64 self = 0; self < wanted.copies; ++self)
      out.program.actors.push_back(unroll(a.name, a.body, self, wanted.copies, setup.config));
  }
  out.rules.assign(out.text.rules.size(), Instr::Guard::as_written);
  for (const std::string& name : setup.rules_off) out.rules[find_rule(out.text, name)] = Instr::Guard::never;

  MutationScope scope{{}, out.text.knobs, out.text.operand_absent};
  for (const RuleText& r : out.text.rules) scope.rules.push_back(r.name);
  for (const std::string& m : setup.mutations) {
    const Applied applied = apply(out.program, parse_mutation(m), scope);
    if (!applied.exists) throw NotApplicable(m + ": " + applied.why);
    for (const RuleEdit& edit : applied.rules) out.rules[find_rule(out.text, edit.rule)] = edit.guard;
  }
  bind(out.program);
  return out;
}

std::string instance_name(const RuleText& rule, u64 a, u64 b) {
  std::string name;
  if (rule.first != By::none)
    name = std::string(index_names[static_cast<unsigned>(rule.first)]) + "=" + std::to_string(a);
  if (rule.second != By::none)
    name += std::string(", ") + index_names[static_cast<unsigned>(rule.second)] + "=" + std::to_string(b);
  return name;
}

bool within_bounds(const std::vector<PathIndex>& indices, const Config& config) {
  return std::all_of(indices.begin(), indices.end(), [&](const PathIndex& i) {
    return i.by == By::none || i.by == By::actor || i.value < config.count(i.by);
  });
}

}  // namespace ptmc
