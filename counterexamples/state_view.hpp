// The states of a trace as tables of texts, for formats that show them.
#pragma once
#include <string>
#include <vector>

#include "counterexamples/columns.hpp"

namespace ptmc {

/// What stands in a place from one state to the next.
struct Cell {
  struct Since {
    std::size_t state;
    std::string text;
  };
  std::vector<Since> values;  // The first since state 0, then where the text changes.
  bool word = false;          // A page-table entry: its text is a list of named bits.
};

struct StateTable {
  struct Row {
    std::string name;
    std::vector<Cell> cells;  // One a leaf, or one.
  };
  std::string title;
  std::vector<std::string> leaves;  // "valid", "frame". Empty: one cell a row.
  std::vector<Row> rows;
  bool news = true;  // False where every step changes something: where the actors are.
};

/// Tables as the voice groups the fields, then where each actor is, then one a common beginning of names,
/// then "other". Each field is in one of them.
std::vector<StateTable> state_tables(const Trace& trace, const Columns& columns, const Voice& voice = {});

}  // namespace ptmc
