// What a claim came to: plain data, the same for every engine.
#pragma once
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/types.hpp"

namespace ptmc {

struct Trace;  // checker/trace.hpp

/// Never a bool.
enum class Verdict : u8 {
  proved,    // Unbounded: an inductive invariant or a lemma over all words.
  bounded,   // Exhaustive within the named bounds.
  violated,  // With a trace.
  unknown,   // A resource ran out or the solver gave up; the reason says which.
  n_a,       // What the claim or the mutation speaks of does not exist there.
};
constexpr unsigned verdict_count = 5;
/// "proved", "bounded", "violated", "unknown", "n/a".
std::string_view to_string(Verdict verdict);

struct Result {
  std::string claim;     // "seed004/reach"
  std::string instance;  // "reclaim-mprotect"
  std::string arch;      // "x86_64", "arm64", or "any" for what holds on no hardware in particular.
  std::string features;  // "PCID", "HA HD"; empty if the claim depends on none.
  std::string property;  // "reach"
  Verdict verdict = Verdict::unknown;
  Verdict expected = Verdict::proved;  // As catalogued for the unmutated claim.
  std::string bound;                   // "2 CPUs x 1 PTE x 2 frames, all interleavings"
  std::vector<std::string> assumptions;
  u64 states = 0;  // 0: nothing was explored.
  u64 edges = 0;
  std::shared_ptr<const Trace> trace;  // Set if violated and the violation is a run, not a word.
  std::string reason;  // Of unknown and n/a; of violated without a trace: the word that breaks it.
  std::vector<std::string> notes;  // "equivalent to the unmutated machine", "saves 1 IPI a batch".
};

/// How a verdict compares with the catalogued one.
enum class Surprise : u8 {
  none,    // As catalogued, or stronger: proved where bounded was promised.
  failed,  // A violation nobody expected, or an expected one that was not found.
  weaker,  // Bounded instead of proved, unknown, or n/a.
};
Surprise surprise(Verdict verdict, Verdict expected);

/// Exit codes of the ptmc command.
enum class Exit : u8 {
  ok = 0,            // Every claim came out as catalogued.
  failed = 1,        // A claim failed or an expected violation was not found.
  usage = 2,         // Bad input or usage; also a limit of 0.
  inconclusive = 3,  // Weaker than catalogued, or a limit was reached.
  uncovered = 4,     // Not covered, drift, or refused (gate).
  internal = 70,     // Our own error, or an output that could not be written.
  interrupted = 130,
};

/// Input that cannot be used: the command ends with Exit::usage. The text names file, line and cure where
/// there is one.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Two parts of ptmc disagree, or an output could not be written: the command ends with Exit::internal.
struct InternalError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace ptmc
