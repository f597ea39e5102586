// What `ptmc time` measures: an optimization and what it replaces, as the machine's own steps over memory and
// as loops written by hand.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "checker/lone_run.hpp"
#include "checker/native/domain.hpp"

namespace ptmc::native {

/// What stands for a TLB flush: nothing; or an interrupt of every CPU that runs another thread of this
/// process.
enum class Flush : u8 { none, interrupt };

/// From the first entry to the last, call after call.
using Loop = std::function<void(Entry* table, u64 entries, Flush flush)>;

/// One way of doing the same work.
struct Way {
  const char* name;  // "per-PTE", "batched"
  Loop steps;        // The machine's own.
  Loop by_hand;      // Written as a loop: the same entries and flushes afterwards.
  /// What `steps` comes to, counted step by step, in the items of the subject's tariff; and how many batches
  /// there were of each length.
  struct Counts {
    Bill bill;
    std::vector<std::pair<u64, u64>> batches;  // Length, number.
    u64 steps = 0;
  };
  std::function<Counts(Entry* table, u64 entries)> count;
};

struct Subject {
  const char* name;         // "mprotect"
  const char* arch;         // Of the entries: "x86_64", "arm64".
  const char* sentence;     // What a run is.
  u64 per_call;             // At most so many entries a call.
  u64 changes;              // A run changes each entry so often.
  bool repeatable;          // A run leaves what it found.
  std::vector<u64> folios;  // In pages: frames of one folio are contiguous, the next one's lie elsewhere.
  std::vector<u64> sizes;   // In entries.
  std::vector<Way> ways;    // The baseline first.
  std::function<void(Entry* table, u64 entries, u64 folio)> fill;
  const Tariff* tariff;
  const char* published;  // What its authors measured: other machine, other unit.
  const char* machine;    // Whose steps they are: compare_machine knows it by this name.
};

/// Throws std::invalid_argument for a name that does not exist.
const Subject& subject(const std::string& name);
const std::vector<Subject>& subjects();

}  // namespace ptmc::native
