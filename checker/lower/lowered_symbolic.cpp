// An instance of a model as terms: one rule for each step, choice and index pair.
#include <algorithm>
#include <optional>

#include "checker/lower/live.hpp"
#include "checker/lower/symbolic_tables.hpp"
#include "checker/lower/symbolic_where.hpp"
#include "checker/symbolic/domain.hpp"
#include "checker/symbolic/model.hpp"

namespace ptmc {
namespace {

class Source final : public SymbolicSource {
 public:
  Source(const SymbolicTables& tables, const Setup& setup)
      : tables_(tables),
        instance_(instantiate(tables.text, setup)),
        predicates_off_(setup.predicates_off),
        live_(live_leaves(
            tables.leaves.size(), [&](std::size_t k) -> auto& { return tables.leaves[k].indices; },
            tables.registers, instance_)) {
    for (const Actor& a : instance_.program.actors)
      if (a.steps() == 0) throw std::invalid_argument("actor " + a.label() + " has no steps left");
    z3::context context;
    in(context);  // Resolves every name.
  }
  SymbolicModel in(z3::context& context) const override;

 private:
  friend struct Writer;
  const SymbolicTables& tables_;
  Instance instance_;
  std::vector<std::string> predicates_off_;
  std::vector<bool> live_;
};

/// Writes the terms of one SymbolicModel.
struct Writer {
  const Source& source;
  z3::context& context;
  SymbolicModel model;
  std::vector<z3::expr> leaf;         // The state before, by leaf.
  std::vector<std::size_t> variable;  // By live leaf.
  std::vector<z3::expr> counter;      // By actor.
  std::shared_ptr<void> state;

  Writer(const Source& from, z3::context& c)
      : source(from), context(c), model{{}, yes(), yes(), {}, {}, {}, {}} {
    add_fields();
    add_counters();
    state = tables().make(leaf);
  }
  const SymbolicTables& tables() const { return source.tables_; }
  const Program& program() const { return source.instance_.program; }
  z3::expr yes() const { return context.bool_val(true); }

  void add_fields() {
    for (std::size_t k = 0; k < tables().leaves.size(); ++k) {
      const SymbolicLeaf& l = tables().leaves[k];
      variable.push_back(model.variables.size());
      if (!source.live_[k]) {
        leaf.push_back(l.flag ? context.bool_val(false) : context.bv_val(0, l.width));
        continue;
      }
      leaf.push_back(l.flag ? context.bool_const(l.name.c_str()) : context.bv_const(l.name.c_str(), l.width));
      model.variables.push_back({l.name, l.width, l.width == 64, leaf.back(), {}});
    }
  }
  void add_counters() {
    for (const Actor& a : program().actors) {
      const unsigned steps = a.steps(), width = bits_for(steps);
      const std::string name = a.label() + ".pc";
      counter.push_back(context.bv_const(name.c_str(), width));
      std::vector<std::string> values;
      for (const Instr& in : a.code)
        if (in.counts()) values.push_back(in.path.substr(in.path.find('/') + 1));
      model.variables.push_back({name, width, false, counter.back(), std::move(values)});
      if (steps != 1u << width)
        model.domain = model.domain && z3::ult(counter.back(), context.bv_val(steps, width));
    }
  }
  std::size_t counter_variable(std::size_t actor) const {
    return model.variables.size() - counter.size() + actor;
  }

  /// The program counter once branches from code[at] have been followed. Where they lead round and come to no
  /// step, an obligation that fails.
  z3::expr settle(std::size_t actor, std::size_t at, const void* s) const {
    const auto& code = program().actors[actor].code;
    const unsigned width = counter[actor].get_sort().bv_size();
    std::vector<std::optional<std::pair<z3::expr, z3::expr>>> memo(2 * code.size() + 1);
    auto from = [&](auto& self, std::size_t k) -> std::pair<z3::expr, z3::expr> {
      if (k >= 2 * code.size()) return {context.bv_val(0, width), context.bool_val(false)};
      if (memo[k]) return *memo[k];
      const std::size_t lap = k / code.size() * code.size();
      const Instr& in = code[k - lap];
      auto result = [&]() -> std::pair<z3::expr, z3::expr> {
        if (in.counts())
          return {context.bv_val(program().actors[actor].rank(k - lap), width), context.bool_val(true)};
        if (in.op != Instr::Op::branch_unless) return self(self, k + 1);
        const z3::expr test = tables().steps[in.fn].test(s, in.x, context);
        const auto taken = self(self, k + 1), other = self(self, lap + in.target);
        return {sym::pick(test, taken.first, other.first), sym::pick(test, taken.second, other.second)};
      }();
      memo[k] = result;
      return result;
    };
    const auto [pc, arrives] = from(from, at);
    sym::require("the actor comes to no step any more", arrives);
    return pc;
  }

  /// Compares the state after with the state before. What is written to a field that no state of the instance
  /// uses (a register of an absent actor) is lost, as in LoweredSystem.
  void finish(SymbolicRule& rule, const void* after, const std::vector<sym::Obligation>& safe) {
    const std::vector<z3::expr> now = tables().words(after);
    for (std::size_t k = 0; k < now.size(); ++k)
      if (source.live_[k] && !z3::eq(now[k], leaf[k]) && !z3::eq(now[k].simplify(), leaf[k]))
        rule.writes.push_back({variable[k], now[k]});
    rule.effect_safe = safe;
    model.rules.push_back(rule);
  }

  void add_step(std::size_t actor, std::size_t at, u64 choice) {
    const Actor& a = program().actors[actor];
    const Instr& in = a.code[at];
    const SymbolicStep& step = tables().steps[in.fn];
    Ctx x = in.x;
    x.k = choice;
    const unsigned width = counter[actor].get_sort().bv_size();
    SymbolicRule rule{{a.label(), in.path.substr(in.path.find('/') + 1),
                       in.choices > 1 ? "choice=" + std::to_string(choice) : ""},
                      counter[actor] == context.bv_val(a.rank(at), width),
                      yes(),
                      {},
                      {},
                      {}};
    set_guard(rule, in.guard, step.guard != nullptr, [&] { return step.guard(state.get(), x, context); });
    const sym::NarrowingLog log;
    const auto after = tables().copy(state.get());
    step.effect(after.get(), x);
    const z3::expr next = settle(actor, at + 1, after.get());
    if (!z3::eq(next, context.bv_val(a.rank(at), width)))
      rule.writes.push_back({counter_variable(actor), next});
    finish(rule, after.get(), log.obligations());
  }

  void add_rule(std::size_t number, u64 a, u64 b) {
    const RuleText& text = tables().text.rules[number];
    const SymbolicRuleset& functions = tables().rules[number];
    Ctx x;
    x.config = &program().environment;
    SymbolicRule rule{{"hw", text.name, instance_name(text, a, b)}, yes(), yes(), {}, {}, {}};
    set_guard(rule, source.instance_.rules[number], true,
              [&] { return functions.guard(state.get(), a, b, x, context); });
    const sym::NarrowingLog log;
    const auto after = tables().copy(state.get());
    functions.effect(after.get(), a, b, x);
    finish(rule, after.get(), log.obligations());
  }

  template <class Guard>
  void set_guard(SymbolicRule& rule, Instr::Guard mode, bool guarded, Guard guard) {
    if (mode == Instr::Guard::never) rule.guard = context.bool_val(false);
    if (mode != Instr::Guard::as_written || !guarded) return;
    const sym::NarrowingLog log;
    rule.guard = guard();
    rule.guard_safe = log.obligations();
  }

  void add_rules() {
    for (std::size_t a = 0; a < program().actors.size(); ++a)
      for (std::size_t k = 0; k < program().actors[a].code.size(); ++k) {
        const Instr& in = program().actors[a].code[k];
        for (u64 c = 0; in.counts() && c < in.choices; ++c) add_step(a, k, c);
      }
    for (std::size_t r = 0; r < tables().rules.size(); ++r) {
      if (source.instance_.rules[r] == Instr::Guard::never) continue;
      const RuleText& text = tables().text.rules[r];
      for (u64 a = 0; a < program().environment.count(text.first); ++a)
        for (u64 b = 0; b < program().environment.count(text.second); ++b) add_rule(r, a, b);
    }
  }
  void add_claims() {
    const SymbolicWhere where(program(), counter, context);
    const auto& off = source.predicates_off_;
    for (std::size_t k = 0; k < tables().claims.size(); ++k) {
      if (std::find(off.begin(), off.end(), tables().text.predicates[k].name) != off.end()) continue;
      const sym::NarrowingLog log;
      const z3::expr term = tables().claims[k](state.get(), where, context);
      model.claims.push_back({tables().text.predicates[k], term, log.obligations()});
    }
  }
  void add_generated() {
    for (std::size_t a = 0; a < program().actors.size(); ++a) {
      const Actor& actor = program().actors[a];
      for (std::size_t k = 0; k < actor.code.size(); ++k) {
        const Instr& in = actor.code[k];
        if (in.op != Instr::Op::branch_unless) continue;
        for (std::size_t inside = k + 1; inside < in.target; ++inside) {
          if (!actor.code[inside].counts()) continue;
          const unsigned pc = actor.rank(inside), width = counter[a].get_sort().bv_size();
          const z3::expr test = tables().steps[in.fn].test(state.get(), in.x, context);
          model.generated.push_back({"inside if #" + std::to_string(k) + " at " + actor.label() + " pc " +
                                         std::to_string(pc) + " (" + actor.code[inside].name + ")",
                                     z3::implies(counter[a] == context.bv_val(pc, width), test)});
        }
      }
    }
  }
  void add_initial() {
    const sym::NarrowingLog log;
    model.initial = tables().initial(state.get(), program().environment, context);
    for (std::size_t a = 0; a < counter.size(); ++a)
      model.initial = model.initial && counter[a] == settle(a, 0, state.get());
    model.initial_safe = log.obligations();
  }
};

SymbolicModel Source::in(z3::context& context) const {
  Writer writer(*this, context);
  writer.add_initial();
  writer.add_rules();
  writer.add_claims();
  writer.add_generated();
  return std::move(writer.model);
}

}  // namespace

std::unique_ptr<SymbolicSource> symbolic_source(const SymbolicTables& tables, const Setup& setup) {
  return std::make_unique<Source>(tables, setup);
}

}  // namespace ptmc
