// The main job: the whole default catalogue.
#include <doctest/doctest.h>

#include "tests/checker/cli/process.hpp"

using namespace ptmc::cli_test;

TEST_CASE("prove: all as catalogued, with its proofs as scripts") {
  const Folder folder;
  const Run r = run(PTMC_BINARY, {"prove", "--proofs", folder.path("proofs")});
  CHECK(r.code == 0);
  CHECK(r.out.ends_with("all as catalogued\n"));
  for (const char* proof : {"seed004-proof-skip-x86_64", "seed004-proof-skip-arm64-HA-HD"}) {
    CAPTURE(proof);
    const std::string script = read(folder.path("proofs/") + proof + "/001-initial.smt2");
    CHECK(script.starts_with("; initial\n(set-logic QF_BV)\n(set-info :status unsat)\n"));
    CHECK(script.ends_with("(check-sat)\n"));
  }
}
