#include "checker/verdict.hpp"

#include <array>

namespace ptmc {

std::string_view to_string(Verdict verdict) {
  constexpr std::array<std::string_view, verdict_count> names{"proved", "bounded", "violated", "unknown",
                                                              "n/a"};
  return names.at(static_cast<std::size_t>(verdict));
}

Surprise surprise(Verdict verdict, Verdict expected) {
  if (verdict == expected) return Surprise::none;
  if (verdict == Verdict::unknown || verdict == Verdict::n_a) return Surprise::weaker;
  // From here on the verdict is definite. Whoever expects a violation, or gets one unasked, is wrong about
  // the model.
  if (verdict == Verdict::violated || expected == Verdict::violated) return Surprise::failed;
  if (expected == Verdict::proved) return Surprise::weaker;
  // What was thought not to exist, or not to be decidable, holds: as good as stronger.
  return Surprise::none;
}

}  // namespace ptmc
