#include "checker/inductive.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "checker/inductive/query.hpp"

namespace ptmc {
namespace inductive {
namespace {

struct Job {
  ProofQuery::Kind kind;
  std::size_t number;  // Of the rule or claim.
};

struct Prover {
  const SymbolicSource& source;
  const InductiveOptions& options;
  std::vector<std::unique_ptr<Bench>> benches;
  std::vector<Job> jobs;
  Active active;
  Induction out;
  std::vector<double> ms;

  Prover(const SymbolicSource& from, const InductiveOptions& o) : source(from), options(o) {
    benches.push_back(std::make_unique<Bench>(source, options));
    check_names();
    active.assign(bench().conjuncts.size(), true);
    const SymbolicModel& model = bench().model;
    jobs.push_back({ProofQuery::Kind::initial, 0});
    for (std::size_t r = 0; r < model.rules.size(); ++r) jobs.push_back({ProofQuery::Kind::step, r});
    for (std::size_t k = 0; k < model.claims.size(); ++k)
      if (model.claims[k].predicate.kind == Predicate::Kind::always)
        jobs.push_back({ProofQuery::Kind::safety, k});
    ms.assign(jobs.size(), 0);
  }
  const Bench& bench() const { return *benches.front(); }

  void check_names() const {
    const auto& claims = bench().model.claims;
    auto check = [&](const std::vector<std::string>& names, Predicate::Kind kind, const char* what) {
      for (const std::string& name : names)
        if (std::none_of(claims.begin(), claims.end(), [&](const SymbolicClaim& c) {
              return c.predicate.kind == kind && c.predicate.name == name;
            }))
          throw std::invalid_argument(std::string("no ") + what + " '" + name + "' in this model");
    };
    check(options.apart, Predicate::Kind::always, "claim");
    check(options.left_out, Predicate::Kind::lemma, "lemma");
    if (std::none_of(claims.begin(), claims.end(),
                     [](const SymbolicClaim& c) { return c.predicate.kind == Predicate::Kind::always; }))
      throw std::invalid_argument("the model claims nothing");
  }

  Query query(const Bench& b, const Job& job, Bench::Show what) const {
    switch (job.kind) {
      case ProofQuery::Kind::initial:
        return b.initial(active, what);
      case ProofQuery::Kind::step:
        return b.step(job.number, active, what);
      case ProofQuery::Kind::safety:
        break;
    }
    return what == Bench::Show::generated ? Query{} : b.safety(job.number, active);
  }

  struct Pruned {
    std::vector<std::size_t> wrong;  // Conjuncts.
    unsigned claims = 0;
    u64 work = 0;
    double ms = 0;
  };
  // Which generated lemmas does the step break (or cannot be shown to keep), assuming the present invariant?
  Pruned prune(const Bench& b, const Job& job) const {
    Pruned out_;
    Query q = query(b, job, Bench::Show::generated);
    out_.claims = static_cast<unsigned>(q.show.size());
    while (!q.show.empty()) {
      Run r = run(q, options.rlimit);
      out_.work += r.work;
      out_.ms += r.ms;
      if (r.result == Run::Result::unsat) break;
      if (r.result == Run::Result::unknown)
        for (std::size_t k = 0; k < q.show.size(); ++k) r.broken.push_back(k);
      for (std::size_t k = r.broken.size(); k-- > 0;) {
        out_.wrong.push_back(q.show[r.broken[k]].conjunct);
        q.show.erase(q.show.begin() + static_cast<long>(r.broken[k]));
      }
    }
    return out_;
  }

  ProofQuery answer(const Bench& b, const Job& job, Bench::Show what, const Pruned& before,
                    double& spent) const {
    ProofQuery result{job.kind, name(job), ProofQuery::Answer::holds, {}, {}, {}, before.claims, before.work};
    const Query q = query(b, job, what);
    result.claims += static_cast<unsigned>(q.show.size());
    spent = before.ms;
    if (q.show.empty()) return result;
    const Run r = run(q, options.rlimit);
    result.work += r.work;
    spent = std::max(spent, r.ms);
    if (r.result == Run::Result::unknown) {
      result.answer = ProofQuery::Answer::unknown;
      result.reason = r.reason;
    } else if (r.result == Run::Result::sat) {
      result.answer = ProofQuery::Answer::fails;
      for (const std::size_t k : r.broken) result.broken.push_back(q.show[k].name);
    }
    return result;
  }

  // Most often all guesses are right, and one query a step shows everything.
  bool at_once() {
    out.rounds = 1;
    out.queries.assign(jobs.size(), {});
    spread(source, options, jobs.size(), benches, [&](const Bench& b, std::size_t k) {
      out.queries[k] = answer(b, jobs[k], Bench::Show::all, {}, ms[k]);
    });
    return std::all_of(out.queries.begin(), out.queries.end(),
                       [](const ProofQuery& q) { return q.answer == ProofQuery::Answer::holds; });
  }

  // First the generated lemmas, until those that are left keep each other with the help of the rest; then the
  // rest, with the help of those.
  void rounds() {
    if (at_once()) return;
    out.rounds = 0;
    std::vector<Pruned> pruned;
    for (bool again = true; again;) {
      ++out.rounds;
      pruned.assign(jobs.size(), {});
      spread(source, options, jobs.size(), benches,
             [&](const Bench& b, std::size_t k) { pruned[k] = prune(b, jobs[k]); });
      again = false;
      for (const Pruned& p : pruned)
        for (const std::size_t c : p.wrong) active[c] = false, again = true;
    }
    out.queries.assign(jobs.size(), {});
    spread(source, options, jobs.size(), benches, [&](const Bench& b, std::size_t k) {
      out.queries[k] = answer(b, jobs[k], Bench::Show::rest, pruned[k], ms[k]);
    });
  }

  std::string name(const Job& job) const {
    switch (job.kind) {
      case ProofQuery::Kind::initial:
        return "initial";
      case ProofQuery::Kind::step:
        return label(bench().model.rules[job.number].action);
      case ProofQuery::Kind::safety:
        break;
    }
    return bench().model.claims[job.number].predicate.name;
  }

  void counterexamples() {
    std::vector<std::size_t> failing;
    for (std::size_t k = 0; k < jobs.size() && failing.size() < options.cti_max; ++k)
      if (out.queries[k].answer == ProofQuery::Answer::fails) failing.push_back(k);
    spread(source, options, failing.size(), benches, [&](const Bench& b, std::size_t f) {
      const Job& job = jobs[failing[f]];
      const bool step = job.kind == ProofQuery::Kind::step;
      const Query q = query(b, job, Bench::Show::rest);
      out.queries[failing[f]].cti =
          work_out(b, q, step ? &b.model.rules[job.number] : nullptr, options.rlimit);
    });
    for (const std::size_t k : failing) {
      Cti& cti = *out.queries[k].cti;
      out.queries[k].broken = cti.broken;
      if (options.reachable && !cti.after.empty()) cti.reachable = options.reachable(cti.before);
    }
  }

  void covers() {
    const SymbolicModel& model = bench().model;
    const std::size_t rules = model.rules.size(), sometimes = bench().covers.size();
    std::vector<u8> empty(2 + rules + sometimes);
    spread(source, options, empty.size(), benches, [&](const Bench& b, std::size_t k) {
      Query q;
      if (k == 0)
        q.assume = {b.model.domain, b.model.initial};
      else if (k < 2 + rules)
        q = k == 1 ? b.invariant(active) : b.enabled(k - 2, active);
      else {
        q = b.invariant(active);
        q.assume.push_back(b.model.claims[b.covers[k - 2 - rules]].term);
      }
      empty[k] = run(q, options.rlimit).result == Run::Result::unsat;
    });
    out.no_initial_state = empty[0];
    out.contradictory = empty[1];
    if (out.contradictory) return;
    for (std::size_t r = 0; r < rules; ++r)
      if (empty[2 + r]) out.vacuous_steps.push_back(label(model.rules[r].action));
    for (std::size_t k = 0; k < sometimes; ++k)
      if (empty[2 + rules + k]) out.vacuous_covers.push_back(model.claims[bench().covers[k]].predicate.name);
  }

  void conclude() {
    for (std::size_t k = 0; k < active.size(); ++k) {
      const Conjunct& c = bench().conjuncts[k];
      out.generated_tried += c.kind == Conjunct::Kind::generated;
      if (!active[k]) continue;
      (c.kind == Conjunct::Kind::claim   ? out.claims
       : c.kind == Conjunct::Kind::lemma ? out.lemmas
                                         : out.generated)
          .push_back(c.name);
    }
    auto any = [&](ProofQuery::Answer a) {
      return std::any_of(out.queries.begin(), out.queries.end(),
                         [&](const ProofQuery& q) { return q.answer == a; });
    };
    out.outcome = any(ProofQuery::Answer::fails) ? Induction::Outcome::not_inductive
                  : any(ProofQuery::Answer::unknown) || out.no_initial_state || out.contradictory
                      ? Induction::Outcome::unknown
                      : Induction::Outcome::proved;
    const auto slowest = static_cast<std::size_t>(std::max_element(ms.begin(), ms.end()) - ms.begin());
    out.worst_ms = ms[slowest];
    out.worst = out.queries[slowest].name;
  }
};

}  // namespace
}  // namespace inductive

Induction prove(const SymbolicSource& source, const InductiveOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  inductive::Prover prover(source, options);
  prover.rounds();
  prover.counterexamples();
  if (options.covers) prover.covers();
  prover.conclude();
  prover.out.wall_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return std::move(prover.out);
}

Verdict verdict(const Induction& result, std::string& reason) {
  if (result.outcome == Induction::Outcome::proved) return Verdict::proved;
  bool violated = false;
  for (const ProofQuery& q : result.queries) {
    if (q.answer == ProofQuery::Answer::unknown && reason.empty()) reason = q.name + ": " + q.reason;
    if (q.answer != ProofQuery::Answer::fails) continue;
    const bool real = q.kind == ProofQuery::Kind::initial || (q.cti && q.cti->reachable == true);
    for (const std::string& broken : q.broken) {
      const bool claim = std::find(result.claims.begin(), result.claims.end(), broken) != result.claims.end();
      if (real && claim && !violated) violated = true, reason = q.name + " breaks " + broken;
    }
    if (reason.empty()) reason = "not inductive: " + q.name + " breaks " + q.broken.front();
  }
  if (reason.empty())
    reason = result.no_initial_state ? "no state is initial" : "no state satisfies the invariant";
  return violated ? Verdict::violated : Verdict::unknown;
}

}  // namespace ptmc
