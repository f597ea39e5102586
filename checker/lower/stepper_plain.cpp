#include "checker/lower/stepper_plain.hpp"

#include <algorithm>

namespace ptmc {

bool PlainWhere::in(const char* actor, const char* a, const char* b, u64 i, u64 self) const {
  for (std::size_t k = 0; k < program_.actors.size(); ++k) {
    if (program_.actors[k].name != actor || program_.actors[k].self != self) continue;
    const Range range = position(program_.actors[k], a, b, i);
    return range.first <= counters_[k] && counters_[k] <= range.last;
  }
  return false;
}

namespace {

class PlainStepper final : public Stepper {
 public:
  PlainStepper(const PlainTables& tables, const Setup& setup)
      : tables_(tables),
        instance_(instantiate(tables.text, setup)),
        fuse_(setup.fuse),
        live_(live_leaves(
            tables.leaves.size(), [&](std::size_t k) -> auto& { return tables.leaves[k].indices; },
            tables.registers, instance_)) {
    for (const Actor& a : instance_.program.actors)
      if (a.steps() == 0) throw std::invalid_argument("actor " + a.label() + " has no steps left");
    environment_.config = &instance_.program.environment;
    moves_ = all_moves();
  }

  std::vector<DecodedState> initial() const override;
  std::vector<Action> enabled(const DecodedState& state) const override;
  std::optional<DecodedState> apply(const DecodedState& state, const Action& action) const override;
  std::optional<bool> holds(const DecodedState& state, const std::string& predicate) const override;

 private:
  struct Standing {  // A state, as a struct and program counters.
    std::shared_ptr<void> state;
    std::vector<u64> pc;
  };
  /// What an action is: a step's choice, or a rule's indices.
  struct Move {
    Action action;
    std::size_t actor, at;  // at: index in its code. Of rules: actor is the number of actors, at the rule.
    u64 a, b;               // Choice, or indices.
  };

  DecodedState decode(const Standing& s) const;
  Standing encode(const DecodedState& state) const;
  std::vector<Move> all_moves() const;
  /// Where each actor stands: index in its code.
  std::vector<std::size_t> positions(const Standing& s) const;
  bool allows(const Standing& s, const std::vector<std::size_t>& at, const Move& m) const;
  void settle(Standing& s, std::size_t actor, std::size_t at) const;
  std::size_t index_of(std::size_t actor, u64 pc) const;

  const PlainTables& tables_;
  Instance instance_;
  bool fuse_;
  std::vector<bool> live_;
  Ctx environment_;
  std::vector<Move> moves_;  // Wherever actors are.
};

DecodedState PlainStepper::decode(const Standing& s) const {
  DecodedState out;
  const std::vector<u64> values = tables_.read(s.state.get());
  for (std::size_t k = 0; k < values.size(); ++k)
    if (live_[k])
      out.push_back({tables_.leaves[k].name, values[k], tables_.leaves[k].width, tables_.leaves[k].word});
  for (std::size_t a = 0; a < s.pc.size(); ++a) {
    const Actor& actor = instance_.program.actors[a];
    out.push_back({actor.label() + ".pc", s.pc[a], bits_for(actor.steps()), false});
  }
  return out;
}

PlainStepper::Standing PlainStepper::encode(const DecodedState& state) const {
  std::size_t used = 0, next = 0;
  auto value = [&](const std::string& name, unsigned width) {
    for (std::size_t n = 0; n < state.size(); ++n) {  // Most states have their fields in order.
      const Field& f = state[(next + n) % state.size()];
      if (f.name != name) continue;
      ++used, next = next + n + 1;
      if (width < 64 && f.value >> width != 0) throw std::invalid_argument(name + " is out of width");
      return f.value;
    }
    throw std::invalid_argument("the state has no field " + name);
  };
  Standing s{tables_.make(), {}};
  std::vector<u64> values;
  for (std::size_t k = 0; k < live_.size(); ++k)
    values.push_back(live_[k] ? value(tables_.leaves[k].name, tables_.leaves[k].width) : 0);
  tables_.write(s.state.get(), values);
  for (const Actor& a : instance_.program.actors) {
    s.pc.push_back(value(a.label() + ".pc", 64));
    if (s.pc.back() >= a.steps()) throw std::invalid_argument(a.label() + ".pc is no step");
  }
  if (used != state.size())
    throw std::invalid_argument("the state has fields that no state of this system has");
  return s;
}

std::size_t PlainStepper::index_of(std::size_t actor, u64 pc) const {
  const auto& code = instance_.program.actors[actor].code;
  for (std::size_t k = 0; k < code.size(); ++k)
    if (code[k].counts() && pc-- == 0) return k;
  throw std::invalid_argument("no such step");
}

// Goes on from code[at] to the next step. Private computations happen on the way unless they are steps of
// their own.
void PlainStepper::settle(Standing& s, std::size_t actor, std::size_t at) const {
  const Actor& a = instance_.program.actors[actor];
  for (std::size_t budget = 4 * a.code.size() + 4; budget-- > 0; ++at) {
    at %= a.code.size() + 1;
    if (at == a.code.size()) at = 0;
    const Instr& in = a.code[at];
    if (in.op == Instr::Op::step || (in.op == Instr::Op::compute && !fuse_)) {
      s.pc[actor] = a.rank(at);
      return;
    }
    if (in.op == Instr::Op::compute && in.guard != Instr::Guard::never)
      tables_.steps[in.fn].effect(s.state.get(), in.x);
    if (in.op == Instr::Op::branch_unless && !tables_.steps[in.fn].test(s.state.get(), in.x))
      at = in.target - 1;
  }
  throw std::invalid_argument("actor " + a.label() + " comes to no step any more");
}

std::vector<PlainStepper::Move> PlainStepper::all_moves() const {
  std::vector<Move> all;
  const auto& actors = instance_.program.actors;
  for (std::size_t a = 0; a < actors.size(); ++a)
    for (std::size_t at = 0; at < actors[a].code.size(); ++at) {
      const Instr& in = actors[a].code[at];
      for (u64 k = 0; in.counts() && k < in.choices; ++k)
        all.push_back({{actors[a].label(), in.path.substr(in.path.find('/') + 1),
                        in.choices > 1 ? "choice=" + std::to_string(k) : ""},
                       a,
                       at,
                       k,
                       0});
    }
  const Config& config = instance_.program.environment;
  for (std::size_t r = 0; r < tables_.rules.size(); ++r) {
    const RuleText& rule = tables_.text.rules[r];
    for (u64 a = 0; a < config.count(rule.first); ++a)
      for (u64 b = 0; b < config.count(rule.second); ++b)
        all.push_back({{"hw", rule.name, instance_name(rule, a, b)}, actors.size(), r, a, b});
  }
  return all;
}

std::vector<std::size_t> PlainStepper::positions(const Standing& s) const {
  std::vector<std::size_t> at;
  for (std::size_t a = 0; a < s.pc.size(); ++a) at.push_back(index_of(a, s.pc[a]));
  return at;
}

bool PlainStepper::allows(const Standing& s, const std::vector<std::size_t>& at, const Move& m) const {
  const auto& actors = instance_.program.actors;
  const bool step = m.actor < actors.size();
  if (step && at[m.actor] != m.at) return false;
  const Instr::Guard mode = step ? actors[m.actor].code[m.at].guard : instance_.rules[m.at];
  if (mode != Instr::Guard::as_written) return mode == Instr::Guard::always;
  if (!step) return tables_.rules[m.at].guard(s.state.get(), m.a, m.b, environment_);
  const Instr& in = actors[m.actor].code[m.at];
  Ctx x = in.x;
  x.k = m.a;
  return tables_.steps[in.fn].guard(s.state.get(), x);
}

std::vector<DecodedState> PlainStepper::initial() const {
  std::vector<DecodedState> out;
  for (u64 k = 0;; ++k) {
    Standing s{tables_.make(), std::vector<u64>(instance_.program.actors.size())};
    if (!tables_.seed(s.state.get(), k, instance_.program.environment)) return out;
    for (std::size_t a = 0; a < s.pc.size(); ++a) settle(s, a, 0);
    out.push_back(decode(s));
  }
}

std::vector<Action> PlainStepper::enabled(const DecodedState& state) const {
  const Standing s = encode(state);
  const auto at = positions(s);
  std::vector<Action> out;
  for (const Move& m : moves_)
    if (allows(s, at, m)) out.push_back(m.action);
  return out;
}

std::optional<DecodedState> PlainStepper::apply(const DecodedState& state, const Action& action) const {
  Standing s = encode(state);
  const auto at = positions(s);
  for (const Move& m : moves_) {
    if (m.action.actor != action.actor || m.action.step != action.step ||
        m.action.instance != action.instance || !allows(s, at, m))
      continue;
    if (m.actor == instance_.program.actors.size()) {
      tables_.rules[m.at].effect(s.state.get(), m.a, m.b, environment_);
      return decode(s);
    }
    const Instr& in = instance_.program.actors[m.actor].code[m.at];
    Ctx x = in.x;
    x.k = m.a;
    tables_.steps[in.fn].effect(s.state.get(), x);
    settle(s, m.actor, m.at + 1);
    return decode(s);
  }
  return std::nullopt;
}

std::optional<bool> PlainStepper::holds(const DecodedState& state, const std::string& predicate) const {
  const Standing s = encode(state);
  for (std::size_t k = 0; k < tables_.claims.size(); ++k)
    if (tables_.text.predicates[k].name == predicate)
      return tables_.claims[k](s.state.get(), PlainWhere(instance_.program, s.pc));
  return std::nullopt;
}

}  // namespace

std::unique_ptr<Stepper> plain_stepper(const PlainTables& tables, const Setup& setup) {
  return std::make_unique<PlainStepper>(tables, setup);
}

}  // namespace ptmc
