#include <doctest/doctest.h>

#include <algorithm>

#include "checker/explicit.hpp"
#include "checker/trace_itf.hpp"
#include "tests/checker/toys.hpp"

using namespace ptmc;

namespace {

Trace example() {
  Trace t =
      explore(toys::counter(20, 5), {.threads = 1, .memory_max_bytes = u64{64} << 20}).violations.at(0).trace;
  t.subject = {"toy/big", "counter", "x86_64", {"PCID"}, {"drop:counter/one"}};
  t.states.back().push_back({"entry", ~u64{0} - 6, 64, true});
  return t;
}

std::string error_of(const std::string& text) {
  try {
    (void)from_itf(text, "file.itf.json");
  } catch (const TraceError& error) {
    return error.what();
  }
  return "none";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("written and read back") {
  const Trace t = example();
  const std::string text = to_itf(t);
  const Trace u = from_itf(text, "x");
  CHECK(to_itf(u) == text);
  CHECK(u.subject.claim == "toy/big");
  CHECK(u.subject.features == std::vector<std::string>{"PCID"});
  CHECK(u.subject.mutations == std::vector<std::string>{"drop:counter/one"});
  CHECK(u.predicate == "big");
  CHECK(u.ending == Trace::Ending::violated);
  REQUIRE(u.states.size() == t.states.size());
  for (std::size_t k = 0; k < t.states.size(); ++k) CHECK(equal(t.states[k], u.states[k]));
  CHECK(u.states.back().back().value == ~u64{0} - 6);
  CHECK(u.states.back().back().word);
  CHECK(u.steps[0].action.step == t.steps[0].action.step);
  CHECK(text.find("{\"#bigint\":\"18446744073709551609\"}") != std::string::npos);
}

TEST_CASE("errors name the line and the cure") {
  const std::string text = to_itf(example());
  CHECK(error_of(text.substr(0, text.size() / 2)).find(": cut off in the middle; write the trace anew") !=
        std::string::npos);
  CHECK(error_of("") == "file.itf.json:1: the file is empty; write the trace anew");
  CHECK(error_of("{\n  hello").starts_with("file.itf.json:2: no JSON here"));
  CHECK(error_of("[]").starts_with("file.itf.json:1: no trace in ITF"));
  CHECK(error_of("{\"vars\":[\"x\"],\n\"#meta\":{},\"states\":[]}")
            .starts_with("file.itf.json:2: an ITF trace of another tool"));
  CHECK(error_of(replaced(text, "\"n\":1", "\"n\":3")).find(": changed after it was written") !=
        std::string::npos);
  CHECK(error_of(replaced(text, "\"one\"", "\"two\"")).find(": changed after it was written") !=
        std::string::npos);
  CHECK(error_of(replaced(text, "\"n\":1", "\"n\":\"1\"")).find("\"n\" is no integer") != std::string::npos);
  CHECK(error_of(replaced(text, "\"n\":1", "\"m\":1")).find("\"m\" is declared nowhere") !=
        std::string::npos);
  CHECK(error_of(replaced(text, "\"violated\"", "\"lost\"")).find("unknown ending") != std::string::npos);
  CHECK(error_of(replaced(text, "\"action\":", "\"act\":")).find("not as ptmc writes it") !=
        std::string::npos);
  const std::string state = error_of(replaced(text, "\"n\":1", "\"n\":-1"));
  const auto line =
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("\"n\":1")), '\n');
  CHECK(state.starts_with("file.itf.json:" + std::to_string(line) + ": "));
}
