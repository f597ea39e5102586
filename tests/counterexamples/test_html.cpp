// The page of a small trace, compared whole, and of one that tries to break out of it.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "counterexamples/html.hpp"
#include "counterexamples/page/page.hpp"
#include "tests/counterexamples/small.hpp"

using namespace ptmc;

namespace {

using Json = nlohmann::ordered_json;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from) + from.size();
  return text.substr(begin, text.find(to, begin) - begin);
}

std::string data_of(const std::string& page) {
  return between(page, "<script type=\"application/json\" id=\"data\">", "</script>");
}

constexpr const char* small_data = R"json({
"columns": ["CPU0 mprotect", "CPU1 reclaim", "CPU2 user"],
"steps": [
{"column": 2, "text": "TLB filled", "name": "hw/fill(cpu=0, page=0)", "silent": false, "depths": [0,0,0]},
{"column": 0, "text": "lock mmap {", "name": "mprotect/mmap_write_lock", "silent": false, "depths": [0,0,0]},
{"column": 1, "text": "unmap_one(): lock PTL {", "name": "reclaim/unmap_one/lock", "silent": false,
 "depths": [1,0,0]},
{"column": 1, "text": "pte = 0", "name": "reclaim/unmap_one/clear", "silent": false, "depths": [1,1,0]},
{"column": 1, "text": "quiet", "name": "reclaim/unmap_one/quiet", "silent": true, "depths": [1,1,0]},
{"column": 0, "text": "pending = 1", "name": "mprotect/count", "silent": false, "depths": [1,1,0]},
{"column": 1, "text": "} unlock PTL", "name": "reclaim/unmap_one/unlock", "silent": false, "depths": [1,0,0]},
{"column": 2, "text": "fault: pte set", "name": "hw/fault(page=0)", "silent": false, "depths": [1,0,0]}],
"tables": [
{"title": "Page table", "leaves": [], "rows": [{"name": "pte[0]", "cells": [{"word": true, "values":
 [[0, "P RW US A D pfn=0x0 NX"], [4, "none"], [8, "P RW US A D pfn=0x0 NX"]]}]}], "news": true},
{"title": "Locks", "leaves": [], "rows": [
 {"name": "ptl[0]", "cells": [{"word": false, "values": [[0, "free"], [3, "reclaim"], [7, "free"]]}]},
 {"name": "mm.writer", "cells": [{"word": false, "values": [[0, "0"], [2, "1"]]}]}], "news": true},
{"title": "TLBs", "leaves": ["valid", "frame"], "rows": [{"name": "CPU2 page 0", "cells": [
 {"word": false, "values": [[0, "0"], [1, "1"]]},
 {"word": false, "values": [[0, "\u2013"], [1, "2"]]}]}], "news": true},
{"title": "Where each actor is", "leaves": [], "rows": [{"name": "CPU1 reclaim", "cells": [{"word": false,
 "values": [[0, "at its start"], [3, "after step 3: unmap_one/lock"], [4, "after step 4: unmap_one/clear"],
  [5, "after step 5: unmap_one/quiet"], [7, "after step 7: unmap_one/unlock"]]}]}], "news": false},
{"title": "mm", "leaves": [], "rows": [
 {"name": "mm.pending", "cells": [{"word": false, "values": [[0, "0"], [6, "1"]]}]}], "news": true},
{"title": "reclaim", "leaves": [], "rows": [{"name": "reclaim.old", "cells": [{"word": true, "values":
 [[0, "none"], [5, "P RW US A D pfn=0x0 NX"]]}]}], "news": true},
{"title": "other", "leaves": [], "rows": [
 {"name": "flag", "cells": [{"word": false, "values": [[0, "0"]]}]}], "news": true}],
"ending": "Violated: always nothing is lost (reach).", "culprit": "CPU2 did it.", "bad": true})json";

}  // namespace

TEST_CASE("the whole page of a small trace") {
  const Trace t = small::trace();
  const Voice voice = small::voice();
  std::string expected = page::html;
  const auto fill = [&](const char* name, const std::string& text) {
    expected = replaced(expected, std::string("{{") + name + "}}", text);
  };
  fill("title", "toy/all on x86_64 (PCID): reclaim-mprotect");
  fill("style", page::style);
  fill("script", page::script);
  fill("facts",
       "<dt>Mutation</dt><dd>drop:reclaim/flush</dd><dt>Bug</dt><dd>somebody forgets a flush</dd>"
       "<dt>Fixed by</dt><dd>kernel commit 123456789abc</dd>"
       "<dt>Reproduce</dt><dd class=\"code\">./ptmc prove toy/all</dd>");
  fill("finding", "<p><strong>Violated: always nothing is lost (reach).</strong></p><p>CPU2 did it.</p>");
  fill("text", R"(toy/all on x86_64 (PCID): reclaim-mprotect
Mutation: drop:reclaim/flush
Bug: somebody forgets a flush
Fixed by: kernel commit 123456789abc

CPU0 mprotect  CPU1 reclaim  CPU2 user
                             TLB filled
lock mmap {
|              unmap_one(): lock PTL { pte = 0
| pending = 1  |
|              } unlock PTL
|                            fault: pte set

Violated: always nothing is lost (reach).
CPU2 did it.
8 steps in 6 lines, 5 context switches.
)");
  fill("data", Json::parse(small_data).dump(-1, ' ', true));
  CHECK(to_html(t, columns_of(t, voice), voice, small::heading()) == expected);
}

TEST_CASE("whatever a trace says, it is text") {
  const Trace t = small::hostile();
  const std::string bad = t.subject.claim, page = to_html(t, columns_of(t), {}, {bad, bad, bad});
  CHECK(count(page, "<script") == 2);
  CHECK(count(page, "</script>") == 2);
  CHECK(count(page, "<!--") == 0);
  CHECK(count(page, "<b>") == 0);
  CHECK(count(page, "{{") == count(page, "{{data}}"));  // As the trace has it: nothing was filled in there.
  const std::string data = data_of(page);
  CHECK(data.find_first_of("<>&\n") == std::string::npos);
  const Json read = Json::parse(data);
  std::string expected = bad;
  expected.replace(expected.find('\xff'), 1, "\xef\xbf\xbd");
  CHECK(read["steps"][0]["name"] == "hw/fill" + expected + "(" + expected + ")");
  CHECK(read["ending"] == "Violated: always " + expected + " (" + expected + ").");
  const std::string facts = between(page, "<dl id=\"facts\">", "</dl>");
  CHECK(count(facts, "<") == count(facts, "<dt>") * 2 + count(facts, "<dd") * 2);
  CHECK(count(facts, "\"") == 2);  // Of class="code".
}

TEST_CASE("the page needs nothing else") {
  for (const std::string part : {page::html, page::style, page::script})
    for (const char* way : {"http:", "https:", "//www", " src=", "href", "url(", "@import", "import(",
                            "fetch(", " onclick", "innerHTML", "document.write", "eval("})
      CHECK_MESSAGE(part.find(way) == std::string::npos, std::string(way));
  CHECK(std::string(page::html).find("default-src 'none'") != std::string::npos);
}

TEST_CASE("the same bytes for the same trace; and a trace without steps") {
  Trace t = small::trace();
  const Voice voice = small::voice();
  CHECK(to_html(t, columns_of(t, voice), voice) == to_html(t, columns_of(t, voice), voice));
  t.steps.clear();
  t.states.resize(1);
  t.ending = Trace::Ending::reached;
  const Json data = Json::parse(data_of(to_html(t, columns_of(t, voice), voice)));
  CHECK(data["steps"].empty());
  CHECK(data["bad"] == false);
}
