// What a report says about the tools behind it.
#pragma once
#include <string>

namespace ptmc {

std::string z3_version();        // "4.8.12", of the library that is loaded.
std::string compiler_version();  // "g++ 12.2.0"

}  // namespace ptmc
