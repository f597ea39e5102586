// Proving seed 004's machine: all actors at once, any number of steps, all words.
#pragma once
#include "properties/batched_unmap/instances.hpp"
#include "properties/catalog.hpp"

namespace ptmc::batched_unmap {

/// Which flush the unmappers use: value of the knob `defer`.
struct Variant {
  const char* name;  // "skip", "batched", "eager"
  const char* knob;  // Mutation that chooses it; empty: the kernel's.
};
const std::vector<Variant>& variants();

struct ProofQuestion {
  bool x86 = true;
  FeatureSet features{"", 0};
  Variant variant;
};

/// What is proved: every actor in all its copies, mutated as the variant and the options say.
Setup proof_setup(const ProofQuestion& question, const RunOptions& options);

/// One result per property and per lemma that is a claim of its own (skip, protnone_is_pending): proved after
/// a second proof in a fresh solver, or what the first query that fails says. Throws InternalError if the
/// second proof disagrees.
std::vector<Result> prove_question(const ProofQuestion& question, const Claim& claim,
                                   const RunOptions& options);

}  // namespace ptmc::batched_unmap
