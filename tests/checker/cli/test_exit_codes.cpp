// How the real command ends, and what it leaves behind.
#include <doctest/doctest.h>

#include "tests/checker/cli/process.hpp"

using namespace ptmc::cli_test;

TEST_CASE("0: every claim came out as catalogued, violations too") {
  CHECK(toy({"prove", "good"}).code == 0);
  CHECK(toy({"prove", "good/breaks", "--threads", "1"}).code == 0);
  CHECK(toy({"list"}).code == 0);
  CHECK(toy({"--help"}).code == 0);
}

TEST_CASE("1: a claim failed, or an expected violation was not found") {
  CHECK(toy({"prove", "bad/breaks"}).code == 1);
  CHECK(toy({"prove", "bad/never-breaks"}).code == 1);
  CHECK(toy({"prove", "weak", "bad"}).code == 1);
  CHECK(toy({"explore", "bad/breaks"}).code == 1);
}

TEST_CASE("2: bad input, with the cure") {
  CHECK(says(toy({"prove", "god/words"}), "did you mean good/words?"));
  CHECK(says(toy({"prov"}), "did you mean prove?"));
  CHECK(says(toy({"prove", "--arch", "riscv"}), "x86_64 or arm64 or all"));
  CHECK(says(toy({"prove", "--limit-states", "0"}), "would run nothing"));
  CHECK(says(toy({"prove", "--limit-states", "many"}), "2000000 or 2M"));
  CHECK(says(toy({"prove", "good", "--mutate", "drop:counter/stp"}), "did you mean counter/step?"));
  CHECK(says(toy({"prove", "good", "--mutate", "dorp:counter/step"}), "drop"));
  CHECK(says(toy({"replay", "no-such-file"}), "no-such-file"));
  CHECK(says(toy({"prove", "good/breaks", "--arch", "x86_64"}), "nothing to do"));
  CHECK(says(toy({"explore", "good/words"}), "no machine"));
  const std::vector<std::vector<std::string>> lines{{},
                                                    {"prov"},
                                                    {"prove", "god/words"},
                                                    {"prove", "--nonsense"},
                                                    {"prove", "--arch", "riscv"},
                                                    {"prove", "--bounds", "huge"},
                                                    {"prove", "--limit-states", "0"},
                                                    {"prove", "--limit-memory", "0"},
                                                    {"prove", "--limit-time", "0s"},
                                                    {"prove", "--limit-states", "-5"},
                                                    {"prove", "--limit-time", "nan"},
                                                    {"prove", "--threads", "0"},
                                                    {"prove", "good", "--mutate", "drop:counter/stp"},
                                                    {"prove", "good", "--mutate", "drop"},
                                                    {"explore", "good/words"},
                                                    {"replay"},
                                                    {"replay", "no-such-file"},
                                                    {"replay", "."},
                                                    {"bench", "nothing"},
                                                    {"conform"}};
  for (const auto& line : lines) {
    std::string text;
    for (const std::string& word : line) text += word + " ";
    CAPTURE(text);
    const Run r = toy(line);
    CHECK(r.code == 2);
    CHECK(r.out.empty());
    CHECK(says(r, "error: "));
  }
}

TEST_CASE("2: the real catalogue as well") {
  CHECK(run(PTMC_BINARY, {"prove", "no/such/claim"}).code == 2);
  CHECK(run(PTMC_BINARY, {"prove", "--limit-states", "0"}).code == 2);
  CHECK(run(PTMC_BINARY, {"list"}).code == 0);
  CHECK(run(PTMC_BINARY, {"list"}, -1, "/dev/full").code == 70);
}

TEST_CASE("3: weaker than catalogued, or a limit was reached") {
  CHECK(toy({"prove", "weak/bounded"}).code == 3);
  CHECK(toy({"prove", "weak/unknown"}).code == 3);
  CHECK(toy({"prove", "weak/absent"}).code == 3);
  CHECK(toy({"prove", "huge", "--limit-states", "1k"}).code == 3);
  CHECK(toy({"prove", "huge", "--limit-time", "50ms"}).code == 3);
  CHECK(toy({"explore", "huge", "--limit-states", "1k"}).code == 3);
}

TEST_CASE("70: our own error") {
  CHECK(says(toy({"prove", "broken/empty"}), "returned no result"));
  CHECK(says(toy({"prove", "broken/throws"}), "a bug of ours"));
  CHECK(says(toy({"prove", "broken/violated-without-evidence"}), "without a counterexample"));
  CHECK(says(toy({"prove", "broken/unknown-without-reason"}), "without a reason"));
  for (const char* claim : {"empty", "throws", "violated-without-evidence", "unknown-without-reason"})
    CHECK(toy({"prove", std::string("broken/") + claim}).code == 70);
}

TEST_CASE("70: a full disk") {
  for (const char* command : {"list", "prove"}) {
    const Run r = run(PTMC_TOY, {command, "good"}, -1, "/dev/full");
    CHECK(r.code == 70);
    CHECK(says(r, "No space left on device"));
  }
  CHECK(run(PTMC_TOY, {"prove", "good", "--json"}, -1, "/dev/full").code == 70);
  CHECK(toy({"prove", "good", "--output", "/dev/full"}).code == 70);
  CHECK(toy({"prove", "good", "--output", "/no/such/folder/report"}).code == 70);
}

TEST_CASE("130: Ctrl-C, also where a claim does not listen, and no file is left half written") {
  for (const char* claim : {"slow/listens", "slow/deaf"}) {
    const Folder folder;
    const Run r = run(PTMC_TOY, {"prove", claim, "--json", "--output", folder.path("report")}, 300);
    CHECK(r.code == 130);
    CHECK(r.out.empty());
    CHECK(says(r, "interrupted"));
    CHECK(folder.names().empty());
  }
}

TEST_CASE("a report replaces a file whole or leaves it alone") {
  const Folder folder;
  write(folder.path("report"), "old");
  CHECK(toy({"prove", "broken/throws", "--output", folder.path("report")}).code == 70);
  CHECK(read(folder.path("report")) == "old");
  CHECK(toy({"prove", "good", "--output", folder.path("report")}).code == 0);
  CHECK(read(folder.path("report")).find("all as catalogued") != std::string::npos);
  CHECK(folder.names() == std::vector<std::string>{"report"});
}
