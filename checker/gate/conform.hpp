// `ptmc conform`: is each helper of model/arch the kernel's own, for all words and all CPUs?
//
// The tree's own headers are compiled by its own flags to LLVM IR, translated to Z3 terms and compared with
// the model's text over solver terms. Needs LLVM when ptmc is built; needs clang, make, flex, bison, bc and
// lld to run on a kernel tree. The user's tree is only read.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "checker/gate/overlay.hpp"
#include "checker/verdict.hpp"

namespace ptmc::gate {

struct ConformOptions {
  std::filesystem::path tree;
  std::string arch = "all";                // "x86_64", "arm64"
  std::vector<Edit> edits;                 // Seen by the compiler only: what if the kernel's helper read so?
  std::filesystem::path cache;             // Copies and builds; empty: default_cache().
  unsigned solver_steps_max = 50'000'000;  // Z3 rlimit of one query.
  Notice progress = [](const std::string&) {};
};

/// An argument, a CPU fact or a result of the word that breaks an equality.
struct ConformWord {
  std::string name;  // "pte", "X86_FEATURE_SHSTK", "model", "kernel"
  u64 value = 0;
  std::string decoded;  // "P RW US pfn=0x12"; empty for numbers.
};

struct HelperReport {
  std::string helper;                    // Of the model: "ptep_set_wrprotect"
  std::string kernel;                    // What it was compared with: "__ptep_set_wrprotect"
  Verdict verdict = Verdict::unknown;    // proved, violated, unknown or n_a.
  std::string reason;                    // Of unknown and n/a; of violated: which bits differ.
  std::vector<ConformWord> words;        // Of violated.
  std::vector<std::string> assumptions;  // What the equality needs; the claim is false or open without it.
  bool one_iteration = false;            // A loop: its body, once, with the store succeeding.
};

struct ConformArch {
  std::string arch;    // "arm64"
  std::string layout;  // "arm64_6_1"
  std::string compiler;
  std::vector<std::string> config;  // Options that the tree lacks or overrides.
  std::vector<std::string> cpus;    // Facts about CPUs that helpers read; proofs hold for all values.
  std::vector<std::string>
      skipped;  // Instructions and calls that do not change words: barriers, TLB flushes.
  std::vector<std::string> uncovered;  // Helpers of the tree's headers that the model does not have.
  std::map<std::string, u64> opcodes;  // LLVM opcodes translated.
  std::vector<HelperReport> helpers;
};

struct ConformReport {
  std::string unavailable;  // Why there is no answer at all; empty if there is one.
  std::string release;      // "6.12.117"
  std::string hash;         // Of what was read of the tree.
  std::vector<std::string> edits;
  std::vector<ConformArch> archs;
};

/// Throws InputError: no kernel tree, a version without a layout, a tree that does not build, an edit that
/// does not apply. Throws InternalError if the cache cannot be written or a verdict does not survive its
/// recheck.
ConformReport conform(const ConformOptions& options);

/// 0 every compared helper is proved; 1 some differ; 3 some unknown; 4 not available or nothing compared.
Exit exit_of(const ConformReport& report);

/// 72 columns.
std::string conform_text(const ConformReport& report);
/// {"results": [...], "summary": {...}}, equal from run to run.
std::string conform_json(const ConformReport& report);

}  // namespace ptmc::gate
