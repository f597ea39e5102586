// How the machine of mprotect is told.
#pragma once
#include "checker/voice.hpp"

namespace ptmc::mprotect {

const Voice& voice();

}  // namespace ptmc::mprotect
