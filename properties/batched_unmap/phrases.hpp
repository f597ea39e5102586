// What the steps of seed 004's machine are called in a printed trace.
#pragma once
#include "checker/voice.hpp"

namespace ptmc::batched_unmap {

/// "PROT_NONE", "pfn 1 RW dirty", "swap entry": an entry as a changelog names it. `arch` as in TraceSubject.
std::string entry_words(const std::string& arch, u64 entry);

const Voice& voice();

}  // namespace ptmc::batched_unmap
