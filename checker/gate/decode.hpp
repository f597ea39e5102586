// Words as named bits, for reports.
#pragma once
#include <string>

#include "properties/words/helpers.hpp"

namespace ptmc::gate {

/// "P RW US A pfn=0x12" for entries and protections; "type=3 offset=0x12" for swap entries; "" for numbers.
std::string decode(words::Layout layout, words::Type type, u64 word);

}  // namespace ptmc::gate
