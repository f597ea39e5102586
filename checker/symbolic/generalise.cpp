#include "checker/symbolic/generalise.hpp"

#include <algorithm>

#include "checker/symbolic/model.hpp"

namespace ptmc {
namespace {

/// A run of the trace's steps over terms, in which the words of the first state are open.
class Run {
 public:
  Run(const SymbolicSource& source, const Trace& trace)
      : model_(source.in(context)), given_(trace), path_(context.bool_val(true)) {}

  z3::context context;
  std::vector<z3::expr> words;  // Open words, as in `first`.
  std::vector<Field> first;
  /// The run goes through and violates the claim. Over `words`.
  z3::expr wrong() const { return path_; }

  /// False if the model does not run the trace.
  bool follow() {
    if (!begin()) return false;
    for (const TraceStep& s : given_.steps)
      if (!step(s.action)) return false;
    for (const SymbolicClaim& c : model_.claims)
      if (c.predicate.name == given_.predicate) {
        const z3::expr holds = now(c.term);
        path_ = path_ && (c.predicate.kind == Predicate::Kind::sometimes ? holds : !holds);
        return concrete(path_).is_true();
      }
    return false;
  }

 private:
  // Values of the trace's first state; what it does not name (positions behind private steps) the solver
  // finds.
  bool begin() {
    z3::solver solver(context, "QF_BV");
    solver.add(model_.initial);
    for (const Variable& v : model_.variables) {
      const auto& state = given_.states[0];
      const auto f =
          std::find_if(state.begin(), state.end(), [&](const Field& x) { return x.name == v.name; });
      if (f != state.end() && v.values.empty()) solver.add(equals(v.term, f->value));
    }
    if (solver.check() != z3::sat) return false;
    const z3::model m = solver.get_model();
    for (const Variable& v : model_.variables) {
      from_.push_back(v.term);
      const z3::expr value = m.eval(v.term, true);
      if (v.word && value.get_numeral_uint64() != 0) {
        first.push_back({v.name, value.get_numeral_uint64(), v.width, true});
        words.push_back(context.bv_const(("open " + v.name).c_str(), v.width));
        values_.push_back(value);
        state_.push_back(words.back());
      } else {
        state_.push_back(value);
      }
    }
    return true;
  }

  bool step(const Action& wanted) {
    const std::string name = label(wanted);
    // Private steps, which the trace does not name, come first.
    for (unsigned hidden = 0; hidden < 100; ++hidden) {
      const SymbolicRule* at = find([&](const SymbolicRule& r) { return label(r.action) == name; });
      if (at != nullptr) return take(*at);
      at = find(
          [&](const SymbolicRule& r) { return r.action.actor == wanted.actor && r.action.actor != "hw"; });
      if (at == nullptr || !take(*at)) return false;
    }
    return false;
  }
  template <class Wanted>
  const SymbolicRule* find(Wanted wanted) const {
    for (const SymbolicRule& r : model_.rules)
      if (wanted(r) && concrete(now(r.at)).is_true()) return &r;
    return nullptr;
  }
  bool take(const SymbolicRule& r) {
    path_ = path_ && now(r.at) && now(r.guard);
    if (!concrete(path_).is_true()) return false;
    std::vector<z3::expr> next = state_;
    for (const Write& w : r.writes) next[w.variable] = now(w.value);
    state_ = std::move(next);
    return true;
  }

  z3::expr equals(const z3::expr& term, u64 value) {
    if (term.is_bool()) return value != 0 ? term : !term;
    return term == context.bv_val(static_cast<std::uint64_t>(value), term.get_sort().bv_size());
  }
  static z3::expr substituted(const z3::expr& term, const std::vector<z3::expr>& from,
                              const std::vector<z3::expr>& to) {
    z3::expr_vector f(term.ctx()), t(term.ctx());
    for (std::size_t k = 0; k < from.size(); ++k) f.push_back(from[k]), t.push_back(to[k]);
    return z3::expr(term).substitute(f, t).simplify();
  }
  z3::expr now(const z3::expr& term) const { return substituted(term, from_, state_); }
  z3::expr concrete(const z3::expr& term) const { return substituted(term, words, values_); }

  SymbolicModel model_;
  const Trace& given_;
  z3::expr path_;
  std::vector<z3::expr> from_, state_, values_;
};

}  // namespace

std::optional<std::vector<GeneralWord>> generalise(const SymbolicSource& source, const Trace& trace) {
  Run run(source, trace);
  if (!run.follow()) return std::nullopt;
  std::vector<GeneralWord> out;
  for (const Field& f : run.first) out.push_back({f.name, f.value, ~u64{0}});
  z3::solver solver(run.context, "QF_BV");
  solver.add(!run.wrong());
  const auto bound = [&](std::size_t k, u64 mask) {
    return (run.words[k] & run.context.bv_val(static_cast<std::uint64_t>(mask), 64)) ==
           run.context.bv_val(static_cast<std::uint64_t>(out[k].value & mask), 64);
  };
  for (std::size_t k = 0; k < out.size(); ++k)
    for (unsigned b = 64; b-- > 0;) {
      solver.push();
      for (std::size_t j = 0; j < out.size(); ++j)
        solver.add(bound(j, j == k ? out[j].matters & ~bit(b) : out[j].matters));
      const z3::check_result saved = solver.check();
      solver.pop();
      if (saved == z3::unknown) return std::nullopt;
      if (saved == z3::unsat) out[k].matters &= ~bit(b);
    }
  return out;
}

std::string to_text(const GeneralWord& word) {
  const std::string name = word.name.substr(0, word.name.rfind(".word"));
  std::string text;
  for (const unsigned top : {64u, 32u}) {
    text += text.empty() ? name : std::string(name.size(), ' ');
    text +=
        "  bits " + std::to_string(top - 1) + ".." + std::to_string(top - 32) + (top == 32 ? " " : "") + " ";
    for (unsigned b = top; b-- > top - 32;) {
      text += (word.matters >> b & 1) == 0 ? '-' : (word.value >> b & 1) != 0 ? '1' : '0';
      if (b % 4 == 0 && b != top - 32) text += ' ';
    }
    text += "\n";
  }
  return text;
}

}  // namespace ptmc
