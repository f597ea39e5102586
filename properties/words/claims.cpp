#include "properties/words/claims.hpp"

#include <algorithm>
#include <stdexcept>

#include "properties/words/law.hpp"

namespace ptmc::words {
namespace {

constexpr const char* all_words = "all 64-bit words, all CPU features";

Result result_of(LawProver& prover, const Claim& claim, Text text, Layout layout) {
  const ValueResult found = prover.prove(text);
  Result result;
  result.claim = claim.name;
  result.instance = std::string("helpers of ") + name_of(layout).kernel;
  result.arch = claim.arch;
  result.property = claim.property;
  result.verdict = found.verdict;
  result.expected = claim.expected;
  result.bound = all_words;
  result.assumptions = prover.assumptions(text);
  result.reason = found.verdict == Verdict::violated ? decode_witness(layout, found.witness) : found.reason;
  for (std::size_t i = 0; i < found.necessary.size(); ++i) {
    const std::string& premise = result.assumptions[i];
    result.notes.push_back(found.necessary[i] ? "needed, else " + decode_witness(layout, *found.necessary[i])
                                              : "not needed: " + premise);
  }
  return result;
}

void add(std::vector<Claim>& all, Claim claim, const Texts& texts) {
  for (const char* family : {"x86_64", "arm64"}) {
    const auto applies = [texts, family](Layout layout) {
      return texts[static_cast<unsigned>(layout)] != nullptr &&
             std::string_view(name_of(layout).family) == family;
    };
    if (std::none_of(std::begin(layouts), std::end(layouts), applies)) continue;
    claim.arch = family;
    claim.run = [claim, texts, applies](const RunOptions& options) {
      if (!options.mutations.empty())
        throw std::invalid_argument(claim.name + " is about words: no step to mutate (its twins are claims)");
      LawProver prover;
      std::vector<Result> results;
      for (const Layout layout : layouts)
        if (applies(layout))
          results.push_back(result_of(prover, claim, texts[static_cast<unsigned>(layout)], layout));
      return results;
    };
    all.push_back(claim);
  }
}

}  // namespace

std::vector<Claim> claims() {
  std::vector<Claim> all;
  for (const Law& law : laws()) {
    Claim claim;
    claim.name = std::string("words/") + law.name;
    claim.sentence = law.sentence;
    claim.instance = all_words;
    claim.property = law.name;
    add(all, claim, law.text);
    for (const Twin& twin : law.twins) {
      Claim bad = claim;
      bad.name += std::string("/") + twin.name;
      bad.sentence = std::string(law.sentence) + ", although " + twin.mutation;
      bad.expected = Verdict::violated;
      add(all, bad, twin.text);
    }
  }
  return all;
}

}  // namespace ptmc::words
