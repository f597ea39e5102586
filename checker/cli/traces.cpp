#include "checker/cli/traces.hpp"

#include <fmt/core.h>

namespace ptmc::cli {
namespace {

std::string changes(const DecodedState& before, const DecodedState& after) {
  std::string text;
  for (std::size_t k = 0; k < after.size(); ++k) {
    const bool same_place = k < before.size() && before[k].name == after[k].name;
    if (same_place && before[k].value == after[k].value) continue;
    text += text.empty() ? "" : ", ";
    text += after[k].name + " = " + fmt::format(fmt::runtime(after[k].word ? "{:#x}" : "{}"), after[k].value);
  }
  return text;
}

}  // namespace

std::string printed(const Trace& t) {
  std::string text;
  for (std::size_t k = 0; k < t.steps.size(); ++k)
    text += fmt::format("  {:3}  {}\n         {}\n", k + 1, label(t.steps[k].action),
                        changes(t.states[k], t.states[k + 1]));
  return text + "  " + t.predicate + ": " + t.sentence + "\n";
}

}  // namespace ptmc::cli
