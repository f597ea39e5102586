// Traces for people: CPU columns as kernel changelogs draw them.
#pragma once
#include <string>

#include "counterexamples/telling.hpp"

namespace ptmc {

constexpr std::size_t text_columns = 72;

struct Text {
  std::string heading;    // Claim, architecture, mutation, commit.
  std::string diagram;    // The columns' names, then the steps.
  std::string finding;    // The violated sentence, what violates it, and the size of the trace.
  std::size_t lines = 0;  // Of the diagram, without the names.
  unsigned switches = 0;
  std::string size;  // "19 steps in 6 lines, 2 context switches."

  std::string whole() const { return heading + "\n" + diagram + "\n" + finding; }
};

/// No line is wider than text_columns. Consecutive steps of a column share lines; steps of which the voice
/// says nothing are counted, not told. What a column does under a lock stands in braces, and a bar under the
/// column's name goes on as long as the lock is held, also past other columns' lines where these leave room.
Text print(const Trace& trace, const Columns& columns, const Voice& voice = {}, const Heading& heading = {});

}  // namespace ptmc
