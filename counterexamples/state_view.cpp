#include "counterexamples/state_view.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "counterexamples/telling.hpp"
#include "model/arch/decode.hpp"

namespace ptmc {
namespace {

constexpr const char* nothing = "\u2013";

// A field, its place and how it is told.
struct Place {
  std::string field;  // As the states have it.
  std::string table, row, leaf;
  std::size_t rank;              // Of the table.
  const Group* group = nullptr;  // Null: none of the voice's.
};

constexpr std::size_t positions_rank = 1000, prefix_rank = 1001, other_rank = 1u << 20;

std::vector<std::string> names_of(const Trace& t) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const DecodedState& s : t.states)
    for (const Field& f : s)
      if (seen.insert(f.name).second) names.push_back(f.name);
  return names;
}

const Field* find(const DecodedState& s, const std::string& name) {
  const auto f = std::find_if(s.begin(), s.end(), [&](const Field& x) { return x.name == name; });
  return f == s.end() ? nullptr : &*f;
}

std::string prefix(const std::string& name) { return name.substr(0, name.find_first_of(".[")); }

class Tables {
 public:
  Tables(const Trace& t, const Columns& columns, const Voice& voice)
      : trace_(t), columns_(columns), voice_(voice) {}

  std::vector<StateTable> build() {
    const std::vector<std::string> names = names_of(trace_);
    for (const std::string& n : names) ++with_prefix_[prefix(n)];
    std::vector<Place> places;
    for (const std::string& n : names) places.push_back(place(n));
    std::stable_sort(places.begin(), places.end(),
                     [](const Place& a, const Place& b) { return a.rank < b.rank; });
    std::vector<StateTable> all;
    for (std::size_t k = 0, end = 0; k < places.size(); k = end) {
      while (end < places.size() && places[end].table == places[k].table) ++end;
      all.push_back(table({places.begin() + static_cast<std::ptrdiff_t>(k),
                           places.begin() + static_cast<std::ptrdiff_t>(end)}));
    }
    return all;
  }

 private:
  Place place(const std::string& field) {
    const std::string plain(plain_name(field));
    const std::size_t dot = plain.rfind('.');
    const std::string leaf = dot == std::string::npos ? "" : plain.substr(dot + 1);
    const std::string row = plain.substr(0, dot);
    if (field.ends_with(".pc")) return {field, "Where each actor is", actor(row), "", positions_rank};
    for (const Group& g : voice_.groups) {
      const auto captured = match_field(g.fields, plain);
      if (!captured) continue;
      const auto name = [&](u64 cpu) { return cpu_name(columns_, cpu); };
      return {field, std::string(g.title), g.name != nullptr ? g.name(*captured, name) : row, leaf, rank(g),
              &g};
    }
    if (with_prefix_[prefix(plain)] < 2) return {field, "other", plain, "", other_rank};
    const auto known = prefixes_.emplace(prefix(plain), prefix_rank + prefixes_.size()).first;
    return {field, known->first, row, leaf, known->second};
  }

  std::size_t rank(const Group& group) const {
    for (std::size_t k = 0; k < voice_.groups.size(); ++k)
      if (voice_.groups[k].title == group.title) return k;
    return 0;
  }

  std::string actor(const std::string& name) const {
    for (std::size_t c = 0; c < columns_.all.size(); ++c)
      if (columns_.all[c].actor == name) return column_name(columns_, c, voice_);
    return name;
  }

  StateTable table(const std::vector<Place>& places) const {
    std::vector<std::string> rows;
    std::map<std::string, std::vector<std::string>> leaves;  // By row.
    bool matrix = true;
    for (const Place& p : places) {
      if (!leaves.contains(p.row)) rows.push_back(p.row);
      leaves[p.row].push_back(p.leaf);
      matrix = matrix && !is_word(p.field);
    }
    for (const auto& [row, mine] : leaves)
      matrix = matrix && mine == leaves[rows[0]] && mine.size() > 1 && mine.size() <= leaves_max;
    StateTable t{places[0].table, {}, {}, places[0].rank != positions_rank};
    if (matrix) t.leaves = leaves[rows[0]];
    for (const Place& p : places) {
      const auto same = [&](const StateTable::Row& r) { return matrix && r.name == p.row; };
      const auto row = std::find_if(t.rows.begin(), t.rows.end(), same);
      if (row != t.rows.end())
        row->cells.push_back(cell(p));
      else
        t.rows.push_back({p.row + (matrix || p.leaf.empty() ? "" : "." + p.leaf), {cell(p)}});
    }
    return t;
  }

  bool is_word(const std::string& field) const {
    return std::any_of(trace_.states.begin(), trace_.states.end(), [&](const DecodedState& s) {
      const Field* f = find(s, field);
      return f != nullptr && f->word;
    });
  }

  Cell cell(const Place& p) const {
    Cell c{{}, is_word(p.field)};
    for (std::size_t k = 0; k < trace_.states.size(); ++k) {
      const std::string text = p.rank == positions_rank ? position(p.field, k) : value(p, trace_.states[k]);
      if (c.values.empty() || c.values.back().text != text) c.values.push_back({k, text});
    }
    return c;
  }

  std::string value(const Place& p, const DecodedState& state) const {
    const Field* f = find(state, p.field);
    if (f == nullptr) return nothing;
    if (p.group != nullptr && !p.group->valid.empty() && p.leaf != p.group->valid) {
      const Field* valid =
          find(state, p.field.substr(0, p.field.rfind('.') + 1) + std::string(p.group->valid));
      if (valid != nullptr && valid->value == 0) return nothing;
    }
    if (f->word) {
      const auto level = static_cast<Level>(p.group == nullptr ? 0 : p.group->level);
      return decode(trace_.subject.arch, f->value, level);
    }
    return p.group != nullptr && p.group->words != nullptr ? p.group->words(f->value)
                                                           : std::to_string(f->value);
  }

  // What the actor has done last, k steps into the trace: counters have no names here.
  std::string position(const std::string& field, std::size_t k) const {
    const std::string actor = field.substr(0, field.rfind('.'));
    while (k-- > 0)
      if (trace_.steps[k].action.actor == actor)
        return "after step " + std::to_string(k + 1) + ": " + trace_.steps[k].action.step;
    return "at its start";
  }

  static constexpr std::size_t leaves_max = 12;
  const Trace& trace_;
  const Columns& columns_;
  const Voice& voice_;
  std::map<std::string, std::size_t> with_prefix_;  // How many fields begin so.
  std::map<std::string, std::size_t> prefixes_;     // Ranks.
};

}  // namespace

std::vector<StateTable> state_tables(const Trace& trace, const Columns& columns, const Voice& voice) {
  return Tables(trace, columns, voice).build();
}

}  // namespace ptmc
