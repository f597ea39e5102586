// The golden traces in the formats that are not compared whole.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checker/trace_itf.hpp"
#include "counterexamples/graphviz.hpp"
#include "counterexamples/html.hpp"
#include "counterexamples/markdown.hpp"
#include "counterexamples/text.hpp"
#include "tests/counterexamples/dot.hpp"
#include "tests/counterexamples/golden/corpus.hpp"

using namespace ptmc;
using Json = nlohmann::ordered_json;

namespace {

struct Golden {
  std::string name;
  const Voice& voice;
  Trace trace;
  Columns columns;
};

std::vector<Golden> corpus() {
  std::vector<Golden> all;
  for (const golden::Entry& e : golden::corpus()) {
    Trace trace = from_itf(golden::read(e.name + ".itf.json"), e.name);
    Columns columns = columns_of(trace, *e.claim.voice);
    all.push_back({e.name, *e.claim.voice, std::move(trace), std::move(columns)});
  }
  return all;
}

}  // namespace

TEST_CASE("each page shows each field of each state once, and the groups that the machine names") {
  for (const Golden& g : corpus()) {
    CAPTURE(g.name);
    const std::string page = to_html(g.trace, g.columns, g.voice);
    const std::string begin = "id=\"data\">";
    const std::size_t at = page.find(begin) + begin.size();
    const Json data = Json::parse(page.substr(at, page.find("</script>", at) - at));
    CHECK(data["steps"].size() == g.trace.steps.size());
    std::size_t fields = 0;
    std::string titles;
    for (const Json& table : data["tables"]) {
      titles += table["title"].get<std::string>() + ";";
      for (const Json& row : table["rows"]) fields += row["cells"].size();
    }
    CHECK(fields == g.trace.states[0].size());
    CHECK(titles.starts_with("Page table;TLB"));
    CHECK(titles.find(";Locks;") != std::string::npos);
    CHECK(titles.find(";History that the code does not see;Where each actor is;") != std::string::npos);
    CHECK(titles.find("other;") == std::string::npos);
  }
}

TEST_CASE("each is a graph") {
  for (const Golden& g : corpus()) {
    CAPTURE(g.name);
    const dot::Graph graph = dot::parse(to_graphviz(g.trace, g.columns, g.voice));
    CHECK(graph.nodes.size() == g.trace.steps.size());
    CHECK(graph.clusters.size() == g.columns.all.size());
    for (const dot::Edge& e : graph.edges)  // From earlier to later.
      CHECK(std::stoul(e.from.substr(1)) < std::stoul(e.to.substr(1)));
  }
}

TEST_CASE("each reads as its text in Markdown") {
  for (const Golden& g : corpus()) {
    CAPTURE(g.name);
    const Text text = print(g.trace, g.columns, g.voice);
    const std::string markdown = to_markdown(g.trace, g.columns, g.voice);
    CHECK(markdown.find("```text\n" + text.diagram + "```\n") != std::string::npos);
    CHECK(markdown.find(g.trace.subject.claim) != std::string::npos);
  }
}

/// Or is it told with the PTL, which it is held with?
bool opens_reader(const Voice& voice) {
  return std::any_of(voice.phrases.begin(), voice.phrases.end(),
                     [](const Phrase& p) { return p.scope.lock == "mm.reader"; });
}

TEST_CASE("a lock that is given back has both its braces, one that is held at the end only the first") {
  for (const Golden& g : corpus()) {
    CAPTURE(g.name);
    std::size_t opened = 0, closed = 0;
    for (const Told& t : tell(g.trace, g.columns, g.voice)) {
      opened += t.edge == Scope::Edge::opens;
      closed += t.edge == Scope::Edge::closes;
    }
    std::size_t held = 0;  // Of the locks themselves.
    bool folio = false, ptl = false;
    for (const Field& f : g.trace.states.back()) {
      if (f.name.starts_with("ptl[") || f.name == "mm.writer" || f.name == "mm.ptl_held" ||
          f.name == "folio.locked" || (f.name == "mm.reader" && opens_reader(g.voice)))
        held += f.value != 0;
      else if (f.name == "mm.readers")
        held += f.value;
      folio = folio || (f.name == "mm.folio_locked" && f.value != 0);
      ptl = ptl || (f.name == "mm.ptl_held" && f.value != 0);
    }
    held += folio && !ptl;  // A fault takes both in one step, and they are told with one brace.
    CHECK(opened > 0);
    CHECK(opened - closed == held);
  }
}
