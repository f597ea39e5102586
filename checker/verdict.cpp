#include "checker/verdict.hpp"

#include <array>

namespace ptmc {

std::string_view to_string(Verdict verdict) {
  constexpr std::array<std::string_view, verdict_count> names{"proved", "bounded", "violated", "unknown",
                                                              "n/a"};
  return names.at(static_cast<std::size_t>(verdict));
}

Outcome outcome(Verdict verdict, Verdict expected) {
  if (verdict == expected) return Outcome::as_catalogued;
  if (verdict == Verdict::unknown || verdict == Verdict::n_a) return Outcome::weaker;
  // From here on the verdict is definite. Whoever expects a violation, or gets one unasked, is wrong about
  // the model.
  if (verdict == Verdict::violated || expected == Verdict::violated) return Outcome::failed;
  if (expected == Verdict::proved) return Outcome::weaker;
  // What was thought not to exist, or not to be decidable, holds: as good as stronger.
  return Outcome::as_catalogued;
}

}  // namespace ptmc
