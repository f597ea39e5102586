// Fix hints: single steps that, inserted or moved, make a machine whole that violates a claim.
//
// A hint is a change under which every property holds in the whole machine, explored to the end, and under
// which the machine still does what it did: it reaches the same covers, runs the same steps, and no actor
// comes to wait for ever. Nor is the property made blind (a step may write what it reads): without some other
// step it still fails. Anytime: what a limit leaves open is counted.
#pragma once
#include <memory>

#include "checker/explicit.hpp"
#include "counterexamples/candidates.hpp"
#include "counterexamples/price.hpp"

namespace ptmc {

/// The machine that violates the claim, with more mutations on top. They throw NotApplicable or
/// std::invalid_argument for one that has no meaning.
struct HintMachines {
  using SystemOf = std::function<std::shared_ptr<const System>(const More&)>;
  ProgramOf program;  // Of the small machine.
  SystemOf small;     // A small one that runs the trace.
  std::vector<SystemOf>
      whole;  // The same machine in full, with all its properties; several if one cannot have all.
  std::function<std::shared_ptr<const Stepper>(const More&)> stepper;  // Of the whole machine.
  ProgramOf whole_program;
  std::vector<u64>
      unbroken;  // code_of() the whole machine without the mutations that break it; may be empty.
  const Tariff* tariff = nullptr;
};

struct HintOptions {
  u64 time_max_ms = 10'000;
  u64 states_max = 5'000'000;  // Of each exploration.
  unsigned threads = 0;        // 0: one a core.
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(const std::string&)> progress{};  // "17 of 120 candidates"; may be empty.
};

struct Hint {
  Candidate change;
  bool undoes = false;  // The code is then as it would be unbroken.
  Price price;
  u64 states = 0;          // Of the whole machine with it.
  bool all_go_on = false;  // Known: no actor comes to wait for ever. False: the machine is too large to say.
};

/// Where candidates came to an end.
struct Tally {
  std::size_t tried = 0;
  std::size_t by_trace = 0;                // The trace itself is still a run.
  std::size_t by_small = 0, by_whole = 0;  // Something is violated.
  std::size_t by_cover = 0;                // A cover or a step of software is out of reach.
  std::size_t by_blindness = 0;            // Nothing violates the property any more, whatever is left out.
  std::size_t by_waiting = 0;              // An actor comes to wait for ever.
  std::size_t by_error = 0;                // A value leaves its field.
  std::size_t open = 0;                    // A limit ended their examination.
};

struct Hints {
  std::vector<Hint> found;  // What undoes the damage first, then by cost, then in order of the text.
  Tally tally;
  bool time_ended = false;
};

/// The trace must be a run of the small machine.
Hints hints(const Trace& trace, const HintMachines& machines, const HintOptions& options);

}  // namespace ptmc
