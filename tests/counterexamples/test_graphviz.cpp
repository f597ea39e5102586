// DOT of a small trace, compared whole; and the syntax of what a hostile one becomes.
#include <doctest/doctest.h>

#include "counterexamples/graphviz.hpp"
#include "tests/counterexamples/dot.hpp"
#include "tests/counterexamples/small.hpp"

using namespace ptmc;

TEST_CASE("the whole graph of a small trace") {
  const Trace t = small::trace();
  const Voice voice = small::voice();
  CHECK(to_graphviz(t, columns_of(t, voice), voice, small::heading()) ==
        R"(digraph trace {
  fontname="monospace";
  node [shape=box, fontname="monospace"];
  edge [fontname="monospace", fontsize=10];
  subgraph cluster_0 {
    label="CPU0 mprotect";
    s2 [label="2. lock mmap"];
    s6 [label="6. pending = 1"];
  }
  subgraph cluster_1 {
    label="CPU1 reclaim";
    s3 [label="3. unmap_one(): lock PTL"];
    s4 [label="4. pte = 0"];
    s5 [label="5. reclaim/unmap_one/quiet", style=dotted];
    s7 [label="7. unlock PTL"];
  }
  subgraph cluster_2 {
    label="CPU2 user";
    s1 [label="1. TLB filled"];
    s8 [label="8. fault: pte set", peripheries=2];
  }
  s1 -> s2 [style=invis];
  s2 -> s3 [style=invis];
  s3 -> s4;
  s4 -> s5;
  s2 -> s6;
  s5 -> s6 [style=invis];
  s5 -> s7;
  s6 -> s7 [style=invis];
  s1 -> s8;
  s7 -> s8 [style=invis];
  s4 -> s8 [style=dashed, label="pte[0]"];
  labelloc=t;
  labeljust=l;
  label="toy/all on x86_64 (PCID): reclaim-mprotect\l)"
        R"(Mutation: drop:reclaim/flush\l)"
        R"(Bug: somebody forgets a flush\l)"
        R"(Fixed by: kernel commit 123456789abc\l)"
        R"(Violated: always nothing is lost (reach).\l)"
        R"(CPU2 did it.\l";
}
)");
}

TEST_CASE("the parser of this test refuses what is no DOT") {
  CHECK_NOTHROW(dot::parse("digraph a { x [label=\"y\"]; x -> x; }"));
  for (const char* bad : {"digraph a { x -> y; }", "digraph a { x [label=\"y]; }", "digraph a { x }",
                          "digraph a { x [label=\"a & b\"]; }", "digraph a { x [label=\"\n\"]; }",
                          "digraph a { x; } y", "digraph a { x; x; }", "digraph a { x [label=<b>]; }"})
    CHECK_THROWS_AS(dot::parse(bad), std::runtime_error);
}

TEST_CASE("whatever a trace says, it is a label") {
  const Trace t = small::hostile();
  const dot::Graph g = dot::parse(to_graphviz(t, columns_of(t)));
  CHECK(g.nodes.size() == t.steps.size());
  CHECK(g.clusters.size() == 3);
  std::string expected = t.subject.claim;
  for (char& c : expected) c = c == '\n' ? ' ' : c;
  CHECK(g.attributes.at("label").starts_with(expected + " on x86_64"));
  CHECK(g.nodes.at("s1").at("label").find("</script><b>\"x\" 'y' & | `z` \\ ") != std::string::npos);
}

TEST_CASE("a trace without steps") {
  Trace t = small::trace();
  t.steps.clear();
  t.states.resize(1);
  CHECK(dot::parse(to_graphviz(t, columns_of(t))).nodes.empty());
}
