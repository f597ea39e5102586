// What the steps of the litmus programs are called in a printed trace.
#pragma once
#include "checker/voice.hpp"

namespace ptmc::litmus {

const Voice& voice();

}  // namespace ptmc::litmus
