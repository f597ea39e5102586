// How the machine of contpte is told.
#pragma once
#include "checker/voice.hpp"
#include "properties/contpte/instances.hpp"

namespace ptmc::contpte {

const Voice& voice();
/// What an instance claims.
std::string sentence_of(const Instance& instance);

}  // namespace ptmc::contpte
