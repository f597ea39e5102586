// Do the three readings of a model's text mean the same? Packed successors, the naive stepper and symbolic
// terms, state by state.
#pragma once
#include "checker/stepper.hpp"
#include "checker/symbolic/source.hpp"

namespace ptmc {

struct AgreementOptions {
  u64 states_max = 10'000;
  u64 seed = 1;  // Of random states.
};

struct Agreement {
  u64 states = 0, edges = 0;
  u64 refused = 0;                         // Steps and predicates that are not safe in a state: a value too
                                           // wide, an index out of range.
  bool complete = false;                   // All reachable states were compared.
  std::vector<std::string> disagreements;  // The first few, in order.
};

/// From the initial states breadth first: the same initial states, enabled actions, successors and values of
/// predicates. If complete, the reachable sets are equal. `system` and `naive` have the same setup; a
/// symbolic source that is given wants both without fusing. Throws InternalError if the fields differ.
Agreement agree_on_reachable(const System& system, const Stepper* naive, const SymbolicSource* symbolic,
                             const AgreementOptions& options);

/// The naive stepper and the terms, as above, in `states_max` states that mostly are unreachable: random
/// fields of reachable ones changed. Lemmas are compared, too, whether or not `system` checks them.
Agreement agree_on_random(const System& system, const Stepper& naive, const SymbolicSource& symbolic,
                          const AgreementOptions& options);

}  // namespace ptmc
