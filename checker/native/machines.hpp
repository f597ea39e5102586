// The machines that exist, one function each: natively and in the model, step by step.
#pragma once
#include "checker/native/lockstep.hpp"

namespace ptmc::native {

Compared compare_mprotect();
Compared compare_contpte();
Compared compare_deferred_flush();

}  // namespace ptmc::native
