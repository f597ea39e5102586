// What there is to tell of a trace, before any format: shared by text, Markdown, Graphviz and HTML.
#pragma once
#include "counterexamples/columns.hpp"

namespace ptmc {

/// What is known about a bug besides its trace. All may be empty.
struct Heading {
  std::string commit = {};  // The kernel commit that fixed it.
  std::string what = {};    // What the bug is, in one sentence.
  std::string again = {};   // The command that finds it.
};

struct Told {
  std::string text;      // Empty: the step is not told.
  std::string function;  // That the step's column enters here, "change_pte_range"; else empty.
  /// Of scopes that nest: one that crosses another is told, but opens and closes nothing here.
  Scope::Edge edge = Scope::Edge::none;
  unsigned depth = 0;  // Scopes of its column around the step; an edge is outside its own.

  std::string whole() const { return (function.empty() ? "" : function + "(): ") + text; }
  /// Scopes of its column that are open afterwards.
  unsigned depth_after() const { return depth + unsigned{edge == Scope::Edge::opens}; }
};

/// By step.
std::vector<Told> tell(const Trace& trace, const Columns& columns, const Voice& voice = {});

/// "CPU1 reclaim": how column `c` is headed.
std::string column_name(const Columns& columns, std::size_t c, const Voice& voice = {});
/// "CPU2": how the column of that user CPU is headed; "user CPU 1" if it has none.
std::string cpu_name(const Columns& columns, u64 cpu);

struct Account {
  struct Fact {
    std::string name, text;  // "Mutation", "drop:reclaim/flush".
  };
  std::string title;        // "bug/B06 on arm64 (HA HD): reclaim-numa"
  std::vector<Fact> facts;  // Mutation, bug, commit: what is known of them.
  std::string ending;       // "Violated: always ... (reach)."
  std::string culprit;      // What in the last state breaks the claim. May be empty.
};
Account account_of(const Trace& trace, const Columns& columns, const Voice& voice = {},
                   const Heading& heading = {});

/// "1 step", "3 context switches".
std::string counted(std::size_t n, const std::string& noun);
std::string joined(const std::vector<std::string>& words, const std::string& between);
/// Everywhere in `text`.
std::string replaced(std::string text, std::string_view from, std::string_view to);

}  // namespace ptmc
