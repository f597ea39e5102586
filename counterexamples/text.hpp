// Traces for people: CPU columns as kernel changelogs draw them.
#pragma once
#include <string>

#include "counterexamples/columns.hpp"

namespace ptmc {

constexpr std::size_t text_columns = 72;

/// What is known about a bug besides its trace. Both may be empty.
struct Heading {
  std::string commit;  // The kernel commit that fixed it.
  std::string what;    // What the bug is, in one sentence.
};

struct Text {
  std::string heading;    // Claim, architecture, mutation, commit.
  std::string diagram;    // The columns' names, then the steps.
  std::string finding;    // The violated sentence, what violates it, and the size of the trace.
  std::size_t lines = 0;  // Of the diagram, without the names.
  unsigned switches = 0;

  std::string whole() const { return heading + "\n" + diagram + "\n" + finding; }
};

/// No line is wider than text_columns. Consecutive steps of a column share lines; steps of which the voice
/// says nothing are counted, not told.
Text print(const Trace& trace, const Columns& columns, const Voice& voice = {}, const Heading& heading = {});

}  // namespace ptmc
