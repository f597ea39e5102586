// How the states of seed 004's machine are shown: which fields belong together, and what their numbers mean.
#pragma once
#include "checker/voice.hpp"

namespace ptmc::batched_unmap {

std::span<const Group> groups();

}  // namespace ptmc::batched_unmap
