#include "checker/recheck.hpp"

#include <z3++.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "checker/inductive/parallel.hpp"
#include "checker/symbolic/model.hpp"

namespace ptmc {
namespace {

std::string conjunction(const std::vector<std::string>& terms) {
  if (terms.empty()) return "true";
  if (terms.size() == 1) return terms.front();
  std::string text = "(and";
  for (const std::string& t : terms) text += "\n  " + t;
  return text + ")";
}

/// Calls symbol(text) for each symbol of an SMT-LIB 2 term, other(text) for what lies between.
void each_token(const std::string& term, const std::function<void(std::string_view)>& symbol,
                const std::function<void(std::string_view)>& other) {
  const std::string_view text = term;
  for (std::size_t k = 0; k < text.size();) {
    const bool between =
        text[k] == '(' || text[k] == ')' || std::isspace(static_cast<unsigned char>(text[k])) != 0;
    const std::size_t end = between          ? k + 1
                            : text[k] == '|' ? text.find('|', k + 1) + 1
                                             : std::min(text.find_first_of("() \n\t", k), text.size());
    (between ? other : symbol)(text.substr(k, end - k));
    k = end;
  }
}

/// Text of scripts over one certificate.
class Scribe {
 public:
  explicit Scribe(const Certificate& certificate) : proof(certificate) {
    for (std::size_t k = 0; k < proof.variables.size(); ++k) number_[proof.variables[k].name] = k;
    for (const auto& c : proof.invariant) mentions_.push_back(mentioned(c.term));
    domain_mentions_ = mentioned(proof.domain);
  }

  std::string prelude() const {
    std::string text;
    for (const auto& [name, sort] : proof.variables)
      text +=
          "(declare-fun " + name + " () " + sort + ")\n(declare-fun " + primed(name) + " () " + sort + ")\n";
    text += define("domain", proof.domain);
    for (std::size_t k = 0; k < proof.invariant.size(); ++k)
      text += "; " + proof.invariant[k].name + "\n" + define(part(k), proof.invariant[k].term);
    return text;
  }
  std::string initial() const {
    std::vector<std::string> show{proof.initial_safe};
    for (std::size_t k = 0; k < proof.invariant.size(); ++k) show.push_back(part(k));
    return "(assert domain)\n(assert " + proof.initial + ")\n(assert (not " + conjunction(show) + "))\n";
  }
  std::string some_initial() const { return "(assert domain)\n(assert " + proof.initial + ")\n"; }
  std::string step(const Certificate::Rule& rule) const {
    std::set<std::size_t> written;
    std::string text = invariant() + "(assert " + rule.at + ")\n";
    for (const auto& [variable, value] : rule.writes) {
      written.insert(variable);
      text += "(assert (= " + primed(proof.variables[variable].name) + " " + value + "))\n";
    }
    std::vector<std::string> after{rule.effect_safe};
    if (meet(domain_mentions_, written)) after.push_back(primed("domain"));
    for (std::size_t k = 0; k < proof.invariant.size(); ++k)
      if (meet(mentions_[k], written)) after.push_back(primed(part(k)));
    for (std::size_t k = 0; k < proof.variables.size(); ++k)
      if (!written.contains(k))
        text += "(assert (= " + primed(proof.variables[k].name) + " " + proof.variables[k].name + "))\n";
    return text + "(assert (not (and " + rule.guard_safe + "\n (=> " + rule.guard + "\n " +
           conjunction(after) + "))))\n";
  }
  std::string property(const Certificate::Claim& claim) const {
    return invariant() + "(assert (not " + conjunction({claim.safe, claim.term}) + "))\n";
  }

 private:
  static std::string primed(const std::string& name) {
    return name.ends_with('|') ? name.substr(0, name.size() - 1) + "!|" : name + "!";
  }
  static std::string part(std::size_t k) { return "invariant-" + std::to_string(k); }
  static bool meet(const std::set<std::size_t>& a, const std::set<std::size_t>& b) {
    return std::any_of(a.begin(), a.end(), [&](std::size_t x) { return b.contains(x); });
  }
  std::set<std::size_t> mentioned(const std::string& term) const {
    std::set<std::size_t> variables;
    each_token(
        term,
        [&](std::string_view symbol) {
          if (const auto at = number_.find(symbol); at != number_.end()) variables.insert(at->second);
        },
        [](std::string_view) {});
    return variables;
  }
  // A predicate, and the same of the state after.
  std::string define(const std::string& name, const std::string& term) const {
    std::string after;
    each_token(
        term,
        [&](std::string_view symbol) {
          after += number_.contains(symbol) ? primed(std::string(symbol)) : std::string(symbol);
        },
        [&](std::string_view other) { after += other; });
    return "(define-fun " + name + " () Bool\n  " + term + ")\n(define-fun " + primed(name) + " () Bool\n  " +
           after + ")\n";
  }
  std::string invariant() const {
    std::string text = "(assert domain)\n";
    for (std::size_t k = 0; k < proof.invariant.size(); ++k) text += "(assert " + part(k) + ")\n";
    return text;
  }

  const Certificate& proof;
  std::map<std::string, std::size_t, std::less<>> number_;
  std::vector<std::set<std::size_t>> mentions_;
  std::set<std::size_t> domain_mentions_;
};

std::string file_name(std::size_t number, const std::string& what) {
  std::string name = std::to_string(number);
  name.insert(0, name.size() < 3 ? 3 - name.size() : 0, '0');
  name += '-';
  for (const char c : what)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_')
      name += c;
    else if (name.back() != '-')
      name += '-';
  while (name.back() == '-') name.pop_back();
  return name + ".smt2";
}

void write(const Scripts& scripts, const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  for (const Script& s : scripts.all) {
    std::ofstream file(std::filesystem::path(directory) / s.name);
    file << scripts.whole(s) << std::flush;
    if (!file) throw InternalError("cannot write " + s.name + " to " + directory);
  }
}

/// A solver that reads text. One a thread: what all scripts share is read once.
class Reader {
 public:
  Reader(const std::string& prelude, unsigned rlimit)
      : broken_(eval("(set-option :rlimit " + std::to_string(rlimit) + ")\n" + prelude)) {}

  /// The solver's answer: "sat", "unsat", or why there is none.
  std::string answer(const std::string& text) {
    if (!broken_.empty()) return broken_;
    const std::string found = eval("(push)\n" + text + check);
    eval("(pop)");
    return found;
  }

 private:
  // Simplification inside the SAT solver costs more on these formulas than it saves.
  static constexpr const char* check =
      "(check-sat-using (then solve-eqs propagate-values bit-blast\n"
      "  (using-params sat :probing false :asymm_branch false :scc false :elim_vars false :subsumption "
      "false)))\n";

  std::string eval(const std::string& text) {
    std::string said = Z3_eval_smtlib2_string(context_, text.c_str());
    while (said.ends_with('\n')) said.pop_back();
    return said;
  }

  z3::context context_;
  std::string broken_;  // What is wrong with the prelude.
};

}  // namespace

Certificate certificate(const SymbolicSource& source, const InductiveOptions& options,
                        const Induction& result) {
  z3::context context;
  const SymbolicModel model = source.in(context);
  Certificate out;
  for (const Variable& v : model.variables)
    out.variables.push_back({v.term.to_string(), v.term.get_sort().to_string()});
  auto text = [&](const std::vector<sym::Obligation>& o) { return sym::conjunction(o, context).to_string(); };
  out.domain = model.domain.to_string();
  out.initial = model.initial.to_string();
  out.initial_safe = text(model.initial_safe);
  auto listed = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const auto& [predicate, term, safe] : model.claims) {
    if (predicate.kind == Predicate::Kind::always)
      out.properties.push_back({predicate.name, term.to_string(), text(safe)});
    const auto& proved = predicate.kind == Predicate::Kind::always ? result.claims : result.lemmas;
    const auto& excluded = predicate.kind == Predicate::Kind::always ? options.apart : options.left_out;
    if (predicate.kind != Predicate::Kind::sometimes && listed(proved, predicate.name) &&
        !listed(excluded, predicate.name))
      out.invariant.push_back({predicate.name, term.to_string()});
  }
  for (const auto& [name, term] : model.generated)
    if (listed(result.generated, name)) out.invariant.push_back({name, term.to_string()});
  for (const SymbolicRule& r : model.rules) {
    Certificate::Rule rule{label(r.action),    r.at.to_string(),    r.guard.to_string(),
                           text(r.guard_safe), text(r.effect_safe), {}};
    for (const Write& w : r.writes) rule.writes.emplace_back(w.variable, w.value.to_string());
    out.rules.push_back(std::move(rule));
  }
  return out;
}

std::string Scripts::whole(const Script& script) const {
  return "; " + script.what + "\n(set-logic QF_BV)\n(set-info :status " +
         (script.satisfiable ? "sat" : "unsat") + ")\n" + prelude + script.text + "(check-sat)\n";
}

Scripts scripts(const Certificate& proof) {
  const Scribe scribe(proof);
  Scripts out{scribe.prelude(), {}};
  auto add = [&](const std::string& what, bool satisfiable, std::string text) {
    out.all.push_back({file_name(out.all.size(), what), what, satisfiable, std::move(text)});
  };
  add("some initial state", true, scribe.some_initial());
  add("initial", false, scribe.initial());
  for (const Certificate::Rule& r : proof.rules) add("step " + r.name, false, scribe.step(r));
  for (const Certificate::Claim& c : proof.properties) add("property " + c.name, false, scribe.property(c));
  return out;
}

Recheck recheck(const Certificate& proof, const RecheckOptions& options) {
  const Scripts text = scripts(proof);
  if (!options.directory.empty()) write(text, options.directory);
  const std::size_t workers = workers_for(options.threads, text.all.size());
  std::vector<std::string> answers(text.all.size());
  std::vector<std::unique_ptr<Reader>> readers(workers);
  parallel_for(workers, text.all.size(), [&](std::size_t me, std::size_t k) {
    if (!readers[me]) readers[me] = std::make_unique<Reader>(text.prelude, options.rlimit);
    answers[k] = readers[me]->answer(text.all[k].text);
    // A solver that stumbled is not asked again.
    if (answers[k] != "sat" && answers[k] != "unsat") readers[me].reset();
  });
  Recheck out{text.all.size(), {}};
  for (std::size_t k = 0; k < text.all.size(); ++k)
    if (answers[k] != (text.all[k].satisfiable ? "sat" : "unsat"))
      out.disagreements.push_back({text.all[k].what, answers[k]});
  return out;
}

}  // namespace ptmc
