#include "properties/words/law_claims.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>
#include <stdexcept>

namespace ptmc::words {
namespace {

// The results of one law and its twins, computed together when the first of their claims runs: a solver
// context costs as much as ten proofs, and in fixed order the witnesses are the same whichever claims are
// asked for.
class Proofs {
 public:
  void plan(const Claim& claim, const Texts& texts) { planned_.push_back({claim, texts}); }
  std::vector<Result> of(const Claim& claim) {
    std::call_once(once_, [&] { prove_all(); });
    std::vector<Result> found;
    std::copy_if(results_.begin(), results_.end(), std::back_inserter(found),
                 [&](const Result& r) { return r.claim == claim.name && r.arch == claim.arch; });
    return found;
  }

 private:
  void prove_all() {
    LawProver prover;
    for (const auto& [claim, texts] : planned_)
      for (const Layout layout : layouts)
        if (const Text text = texts[static_cast<unsigned>(layout)])
          results_.push_back(prove_one(prover, claim, text, layout));
  }
  static Result prove_one(LawProver& prover, const Claim& claim, Text text, Layout layout);

  std::vector<std::pair<Claim, Texts>> planned_;
  std::once_flag once_;
  std::vector<Result> results_;
};

Result Proofs::prove_one(LawProver& prover, const Claim& claim, Text text, Layout layout) {
  const ValueResult found = prover.prove(text);
  Result result;
  result.claim = claim.name;
  result.instance = std::string("helpers of ") + name_of(layout).kernel;
  result.arch = name_of(layout).family;
  result.property = claim.property;
  result.verdict = found.verdict;
  result.expected = claim.expected;
  result.bound = claim.instance + ", " + result.instance;
  result.assumptions = prover.assumptions(text);
  result.reason = found.verdict == Verdict::violated ? decode_witness(layout, found.witness) : found.reason;
  for (std::size_t i = 0; i < found.necessary.size(); ++i) {
    const std::string which = "without assumption " + std::to_string(i + 1) + ": ";
    result.notes.push_back(which + (found.necessary[i]
                                        ? "broken by " + decode_witness(layout, *found.necessary[i])
                                        : "holds as well"));
  }
  return result;
}

void add(std::vector<Claim>& all, Claim claim, const Texts& texts, const std::shared_ptr<Proofs>& proofs) {
  proofs->plan(claim, texts);
  for (const char* family : {"x86_64", "arm64"}) {
    const auto applies = [&](Layout layout) {
      return texts[static_cast<unsigned>(layout)] != nullptr &&
             std::string_view(name_of(layout).family) == family;
    };
    if (std::none_of(std::begin(layouts), std::end(layouts), applies)) continue;
    claim.arch = family;
    claim.run = [claim, proofs](const RunOptions& options) {
      if (!options.mutations.empty())
        throw std::invalid_argument(claim.name + " is about words: no step to mutate (its twins are claims)");
      return proofs->of(claim);
    };
    all.push_back(claim);
  }
}

}  // namespace

std::vector<Claim> claims_of(const std::string& part, const std::vector<Law>& book,
                             const std::string& bound) {
  std::vector<Claim> all;
  for (const Law& law : book) {
    const auto proofs = std::make_shared<Proofs>();
    Claim claim;
    claim.name = part + "/" + law.name;
    claim.sentence = law.sentence;
    claim.instance = bound;
    claim.property = law.name;
    claim.expected = law.expected;
    add(all, claim, law.text, proofs);
    for (const Twin& twin : law.twins) {
      Claim bad = claim;
      bad.name += std::string("/") + twin.name;
      bad.sentence = std::string(law.sentence) + ", although " + twin.mutation;
      bad.expected = Verdict::violated;
      add(all, bad, twin.text, proofs);
    }
  }
  return all;
}

}  // namespace ptmc::words
