// A small trace, written by hand, that has a bit of everything: entries, locks that are given back or not, a
// TLB, registers, a step that is not told.
#pragma once
#include "counterexamples/telling.hpp"

namespace ptmc::small {

inline constexpr u64 mapped = 0x8000000000000067;  // x86: P RW US A D, frame 0.

inline Trace trace() {
  struct Step {
    const char *actor, *step, *instance, *field;
    u64 value;
  };
  constexpr Step steps[] = {{"hw", "fill", "cpu=0, page=0", "tlb[0][0].valid", 1},
                            {"mprotect", "mmap_write_lock", "", "mm.writer", 1},
                            {"reclaim", "unmap_one/lock", "", "ptl[0]", 1},
                            {"reclaim", "unmap_one/clear", "", "pte[0].word", 0},
                            {"reclaim", "unmap_one/quiet", "", "reclaim.old", mapped},
                            {"mprotect", "count", "", "mm.pending", 1},
                            {"reclaim", "unmap_one/unlock", "", "ptl[0]", 0},
                            {"hw", "fault", "page=0", "pte[0].word", mapped}};
  Trace t;
  t.subject = {"toy/all", "reclaim-mprotect", "x86_64", {"PCID"}, {"drop:reclaim/flush"}};
  t.predicate = "reach";
  t.sentence = "nothing is lost";
  t.states.push_back({{"pte[0].word", mapped, 64, true},
                      {"ptl[0]", 0, 2},
                      {"mm.writer", 0, 1},
                      {"mm.pending", 0, 3},
                      {"tlb[0][0].valid", 0, 1},
                      {"tlb[0][0].frame", 2, 2},
                      {"reclaim.old", 0, 64, true},
                      {"flag", 0, 1},
                      {"reclaim.pc", 0, 3}});
  for (const Step& s : steps) {
    DecodedState next = t.states.back();
    for (Field& f : next) {
      if (f.name == s.field) f.value = s.value;
      if (f.name == s.actor + std::string(".pc")) ++f.value;
    }
    t.steps.push_back({0, {s.actor, s.step, s.instance}});
    t.states.push_back(std::move(next));
  }
  return t;
}

inline Voice voice() {
  static constexpr Phrase phrases[] = {{"fill", "TLB filled"},
                                       {"mmap_write_lock", "lock mmap", nullptr, opens("mm.writer")},
                                       {"lock", "lock PTL", nullptr, opens("ptl[*]")},
                                       {"unlock", "unlock PTL", nullptr, closes("ptl[*]")},
                                       {"clear", "pte = 0"},
                                       {"quiet", ""},
                                       {"count", "pending = 1"},
                                       {"fault", "fault: pte set"}};
  static constexpr Group groups[] = {
      {"pte[*]", "Page table"},
      {"ptl[*]", "Locks", nullptr, [](u64 v) { return std::string(v == 0 ? "free" : "reclaim"); }},
      {"mm.writer", "Locks"},
      {"tlb[*][*].*", "TLBs",
       [](const std::vector<std::string>& at, const CpuName& cpu) {
         return cpu(std::stoull(at[0])) + " page " + at[1];
       },
       nullptr, "valid"}};
  Voice v;
  v.phrases = phrases;
  v.groups = groups;
  v.culprit = [](const Trace&, const CpuName& cpu) { return cpu(0) + " did it."; };
  return v;
}

inline Heading heading() { return {"123456789abc", "somebody forgets a flush", "./ptmc prove toy/all"}; }

/// Texts that would end, open or quote something in every format.
inline Trace hostile() {
  Trace t = trace();
  const std::string bad = "</script><b>\"x\" 'y' & | `z` \\ {{data}} ]]>\n# *w* --> <!-- \xff";
  t.subject = {bad, bad, "x86_64", {bad}, {bad}};
  t.sentence = bad;
  t.predicate = bad;
  for (TraceStep& s : t.steps) s.action.step += bad, s.action.instance = bad;
  for (DecodedState& s : t.states)
    for (Field& f : s)
      if (f.name == "flag") f.name = bad;
  return t;
}

}  // namespace ptmc::small
