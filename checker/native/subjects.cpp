#include "checker/native/subjects.hpp"

#include <stdexcept>

namespace ptmc::native {

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all = [] {
    std::vector<Subject> some;
    for (auto* of : {mprotect_subjects, contpte_subjects, deferred_flush_subjects})
      for (Subject& s : of()) some.push_back(std::move(s));
    return some;
  }();
  return all;
}

const Subject& subject(const std::string& name) {
  for (const Subject& s : subjects())
    if (s.name == name) return s;
  throw std::invalid_argument("there is no subject " + name);
}

}  // namespace ptmc::native
