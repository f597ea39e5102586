// How states become tables.
#include <doctest/doctest.h>

#include "counterexamples/state_view.hpp"
#include "tests/counterexamples/small.hpp"

using namespace ptmc;

namespace {

Trace of(std::vector<DecodedState> states) {
  Trace t;
  t.subject.arch = "x86_64";
  for (std::size_t k = 1; k < states.size(); ++k) t.steps.push_back({0, {"a", "step", ""}});
  t.states = std::move(states);
  return t;
}

// "title(leaves): row=text@state,..."
std::string told(const std::vector<StateTable>& tables) {
  std::string all;
  for (const StateTable& t : tables) {
    all += t.title + "(" + joined(t.leaves, " ") + "):";
    for (const StateTable::Row& r : t.rows) {
      all += " " + r.name + "=";
      for (const Cell& c : r.cells)
        for (const Cell::Since& s : c.values) all += s.text + "@" + std::to_string(s.state) + ",";
    }
    all += "\n";
  }
  return all;
}

}  // namespace

TEST_CASE("without a voice, names that begin alike stand together") {
  const Trace t = of({{{"pte[0]", 0, 64, true},
                       {"pte[1]", 0x67, 64, true},
                       {"frame[0].refs", 1, 2},
                       {"frame[0].dirty", 0, 1},
                       {"frame[1].refs", 2, 2},
                       {"frame[1].dirty", 0, 1},
                       {"a.old", 7, 3},
                       {"a.log.x", 1, 1},
                       {"count", 5, 3},
                       {"a.pc", 0, 3}}});
  CHECK(told(state_tables(t, columns_of(t))) ==
        "Where each actor is(): a=at its start@0,\n"
        "pte(): pte[0]=none@0, pte[1]=P RW US A D pfn=0x0@0,\n"
        "frame(refs dirty): frame[0]=1@0,0@0, frame[1]=2@0,0@0,\n"
        "a(): a.old=7@0, a.log.x=1@0,\n"
        "other(): count=5@0,\n");
}

TEST_CASE("a field that a state lacks, and one without names for its bits") {
  Trace t = of({{{"x", 1, 64, true}}, {{"x", 1, 64, true}, {"y", 2, 2}}, {{"y", 3, 2}}});
  t.subject.arch = "none";
  CHECK(told(state_tables(t, columns_of(t))) == "other(): x=0x1@0,\u2013@2, y=\u2013@0,2@1,3@2,\n");
}

TEST_CASE("a voice's groups come first, in its order, and see to empty entries and levels") {
  static constexpr Group groups[] = {
      {"top[*]", "Tables", nullptr, nullptr, {}, 1},
      {"tlb[*].*", "TLB",
       [](const std::vector<std::string>& at, const CpuName& cpu) { return cpu(at[0][0] - u64{'0'}); },
       nullptr, "valid"},
      {"leaf[*]", "Tables"}};
  Voice voice;
  voice.groups = groups;
  const Trace t = of({{{"tlb[0].valid", 0, 1},
                       {"tlb[0].frame", 3, 2},
                       {"leaf[0]", 0xe7, 64, true},
                       {"top[0]", 0xe7, 64, true}},
                      {{"tlb[0].valid", 1, 1},
                       {"tlb[0].frame", 3, 2},
                       {"leaf[0]", 0xe7, 64, true},
                       {"top[0]", 0xe7, 64, true}}});
  CHECK(told(state_tables(t, columns_of(t), voice)) ==
        "Tables(): leaf[0]=P RW US A D PAT pfn=0x0@0, top[0]=P RW US A D PSE pfn=0x0@0,\n"
        "TLB(valid frame): user CPU 0=0@0,1@1,\u2013@0,3@1,\n");
}
