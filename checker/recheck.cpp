#include "checker/recheck.hpp"

#include <z3++.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
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

/// Text of scripts over one certificate.
struct Scribe {
  const Certificate& proof;

  std::string header(const std::string& what, bool satisfiable) const {
    std::string text =
        "; " + what + "\n(set-logic QF_BV)\n(set-info :status " + (satisfiable ? "sat" : "unsat") + ")\n";
    for (const auto& [name, sort] : proof.variables) text += "(declare-fun " + name + " () " + sort + ")\n";
    return text;
  }
  static std::string primed(const std::string& name) {
    return name.ends_with('|') ? name.substr(0, name.size() - 1) + "!|" : name + "!";
  }
  // A predicate over states that can be said of the state before and of the state after.
  std::string define(const std::string& name, const std::string& term) const {
    std::string text = "(define-fun " + name + " (";
    for (const auto& [variable, sort] : proof.variables) text += "(" + variable + " " + sort + ")";
    return text + ") Bool\n  " + term + ")\n";
  }
  std::string call(const std::string& name, bool after) const {
    std::string text = "(" + name;
    for (const auto& v : proof.variables) text += " " + (after ? primed(v.name) : v.name);
    return text + ")";
  }
  static std::string predicate(std::size_t k) { return "invariant-" + std::to_string(k); }

  std::string initial() const {
    std::vector<std::string> show{proof.initial_safe};
    for (const auto& c : proof.invariant) show.push_back(c.term);
    return header("initial => invariant", false) + "(assert " + proof.domain + ")\n(assert " + proof.initial +
           ")\n(assert (not " + conjunction(show) + "))\n(check-sat)\n";
  }
  std::string some_initial() const {
    return header("some state is initial", true) + "(assert " + proof.domain + ")\n(assert " + proof.initial +
           ")\n(check-sat)\n";
  }
  std::string step(const Certificate::Rule& rule) const {
    std::string text = header("invariant and step " + rule.name + " => invariant", false);
    std::vector<std::string> next;
    for (const auto& v : proof.variables) {
      text += "(declare-fun " + primed(v.name) + " () " + v.sort + ")\n";
      next.push_back(v.name);
    }
    for (const auto& [variable, value] : rule.writes) next[variable] = value;
    text += define("domain", proof.domain);
    std::vector<std::string> after{rule.effect_safe, call("domain", true)};
    std::string before = "(assert " + call("domain", false) + ")\n";
    for (std::size_t k = 0; k < proof.invariant.size(); ++k) {
      text += "; " + proof.invariant[k].name + "\n" + define(predicate(k), proof.invariant[k].term);
      before += "(assert " + call(predicate(k), false) + ")\n";
      after.push_back(call(predicate(k), true));
    }
    text += before + "(assert " + rule.at + ")\n";
    for (std::size_t k = 0; k < next.size(); ++k)
      text += "(assert (= " + primed(proof.variables[k].name) + " " + next[k] + "))\n";
    return text + "(assert (not (and " + rule.guard_safe + "\n (=> " + rule.guard + "\n " +
           conjunction(after) + "))))\n(check-sat)\n";
  }
  std::string property(const Certificate::Claim& claim) const {
    std::string text = header("invariant => " + claim.name, false) + "(assert " + proof.domain + ")\n";
    for (const auto& c : proof.invariant) text += "(assert " + c.term + ")\n";
    return text + "(assert (not " + conjunction({claim.safe, claim.term}) + "))\n(check-sat)\n";
  }
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

void write(const std::vector<Script>& all, const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  for (const Script& s : all) {
    std::ofstream file(std::filesystem::path(directory) / s.name);
    file << s.text << std::flush;
    if (!file) throw InternalError("cannot write " + s.name + " to " + directory);
  }
}

/// The solver's answer: "sat", "unsat", or why there is none.
std::string answer(const std::string& text, unsigned rlimit) {
  try {
    z3::context context;
    z3::solver solver(context, "QF_BV");
    z3::params params(context);
    params.set("rlimit", rlimit);
    solver.set(params);
    for (const z3::expr& e : context.parse_string(text.c_str())) solver.add(e);
    const z3::check_result result = solver.check();
    if (result == z3::unknown) return "unknown: " + solver.reason_unknown();
    return result == z3::sat ? "sat" : "unsat";
  } catch (const z3::exception& e) {
    return e.msg();
  }
}

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

std::vector<Script> scripts(const Certificate& proof) {
  const Scribe scribe{proof};
  std::vector<Script> all;
  auto add = [&](const std::string& what, bool satisfiable, std::string text) {
    all.push_back({file_name(all.size(), what), what, satisfiable, std::move(text)});
  };
  add("some initial state", true, scribe.some_initial());
  add("initial", false, scribe.initial());
  for (const Certificate::Rule& r : proof.rules) add("step " + r.name, false, scribe.step(r));
  for (const Certificate::Claim& c : proof.properties) add("property " + c.name, false, scribe.property(c));
  return all;
}

Recheck recheck(const Certificate& proof, const RecheckOptions& options) {
  const std::vector<Script> all = scripts(proof);
  if (!options.directory.empty()) write(all, options.directory);
  std::vector<std::string> answers(all.size());
  parallel_for(workers_for(options.threads, all.size()), all.size(),
               [&](std::size_t, std::size_t k) { answers[k] = answer(all[k].text, options.rlimit); });
  Recheck out{all.size(), {}};
  for (std::size_t k = 0; k < all.size(); ++k)
    if (answers[k] != (all[k].satisfiable ? "sat" : "unsat"))
      out.disagreements.push_back({all[k].what, answers[k]});
  return out;
}

}  // namespace ptmc
