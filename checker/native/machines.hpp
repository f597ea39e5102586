// The machines that exist, one function each: natively and in the model, step by step.
#pragma once
#include "checker/native/lockstep.hpp"

namespace ptmc::native {

/// All actors of a machine, in lockstep with the model. Throws std::invalid_argument for a name that is none.
Compared compare_machine(const std::string& name);

Compared compare_mprotect();
Compared compare_contpte();
Compared compare_deferred_flush();

}  // namespace ptmc::native
