// One function an optimization.
#pragma once
#include "checker/native/subject.hpp"

namespace ptmc::native {

std::vector<Subject> mprotect_subjects();
std::vector<Subject> contpte_subjects();
std::vector<Subject> deferred_flush_subjects();

}  // namespace ptmc::native
