#include "properties/batched_unmap/proof.hpp"

#include <algorithm>

#include "checker/inductive.hpp"
#include "checker/recheck.hpp"
#include "properties/batched_unmap/machine.hpp"
#include "properties/machine/explore.hpp"

namespace ptmc::batched_unmap {
namespace {

// Every actor that the machine has, in all the copies.
Instance everything(bool x86) {
  Instance all;
  all.name = "all actors";
  all.actors = {
      {"reclaim"}, {"migrate"}, {"aging"}, {"mprotect"}, {"change_prot_numa", 2}, {"madvise_dontneed", 2}};
  all.allocator = true;
  all.lazy_cpu = x86;
  all.bugs = "";
  return all;
}

// Lemmas that readers ask for by name, beside the properties.
const std::vector<std::string>& named_lemmas() {
  static const std::vector<std::string> names{"skip", "protnone_is_pending"};
  return names;
}

// The first query that does not hold, with its counterexample to induction.
std::string first_failure(const Induction& found) {
  for (const ProofQuery& query : found.queries)
    if (query.cti) return "the step from a state of the invariant to one outside it:\n" + to_text(*query.cti);
  return "";
}

// "FOLDER/seed004-proof-skip-arm64-HA-HD".
std::string folder_of(const std::string& folder, const Claim& claim) {
  std::string name = claim.name + "-" + claim.arch + (claim.features.empty() ? "" : "-" + claim.features);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == ' '; }, '-');
  return folder + "/" + name;
}

void check_again(const SymbolicSource& source, const InductiveOptions& o, const Induction& found,
                 const Claim& claim, const std::string& folder) {
  RecheckOptions r;
  r.threads = o.threads;
  if (!folder.empty()) r.directory = folder_of(folder, claim);
  const Recheck second = recheck(certificate(source, o, found), r);
  if (!second.disagreements.empty())
    throw InternalError(claim.name + ": the second proof disagrees at " + second.disagreements[0].what +
                        ": " + second.disagreements[0].found);
}

}  // namespace

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all{
      {"skip", ""}, {"batched", "knob:defer=batched"}, {"eager", "knob:defer=eager"}};
  return all;
}

Setup proof_setup(const ProofQuestion& q, const RunOptions& options) {
  Setup s = setup_of(everything(q.x86), q.x86, q.features, {});
  s.rules_off.clear();
  s.fuse = false;
  s.lemmas = true;
  if (q.variant.knob[0] != '\0') s.mutations.emplace_back(q.variant.knob);
  for (const Mutation& m : options.mutations) s.mutations.push_back(m.text);
  return s;
}

std::vector<Result> prove_question(const ProofQuestion& q, const Claim& claim, const RunOptions& options) {
  Result base = machine::result_of(claim);
  base.bound = std::string("2 user CPUs") + (q.x86 ? " and a lazy one" : "") +
               " x 1 page x 2 frames, any number of steps, all 64-bit words";
  base.assumptions = {"no-wrap: fewer than 16384 batches in the life of the mm"};
  std::vector<Result> results;
  try {
    const auto source =
        symbolic_source(q.x86 ? symbolic_x86_64() : symbolic_arm64(), proof_setup(q, options));
    InductiveOptions o;
    o.threads = options.explore.threads;
    o.cti_max = 1;
    o.covers = options.bounds == RunOptions::Bounds::full;
    const Induction found = prove(*source, o);
    std::string reason;
    const Verdict verdict = ptmc::verdict(found, reason);
    if (verdict == Verdict::proved) check_again(*source, o, found, claim, options.proofs);
    std::vector<std::string> names = found.claims;
    names.insert(names.end(), named_lemmas().begin(), named_lemmas().end());
    for (const std::string& name : names) {
      Result r = base;
      r.property = name;
      r.verdict = verdict;
      r.reason = reason;
      r.notes = {
          std::to_string(found.lemmas.size()) + " lemmas, " + std::to_string(found.generated.size()) +
          " generated, " + std::to_string(found.queries.size()) + " queries" +
          (verdict == Verdict::proved ? ", each proved again from SMT-LIB text by a fresh solver" : "")};
      if (verdict != Verdict::proved) r.notes.push_back(first_failure(found));
      results.push_back(std::move(r));
    }
  } catch (const NotApplicable& e) {
    return {machine::not_applicable(claim, e.what())};
  }
  return results;
}

}  // namespace ptmc::batched_unmap
