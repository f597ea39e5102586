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

TEST_CASE("a mutation that means nothing in the whole catalogue is bad input, whatever else is not there") {
  for (const char* claims : {"*", "seed000/*", "seed000/H3", "words"}) {
    CAPTURE(claims);
    const Run r = run(PTMC_BINARY, {"prove", claims, "--mutate", "drop:nosuch"});
    CHECK(r.code == 2);
    CHECK(r.out.empty());
    CHECK(r.err.starts_with("ptmc: error: --mutate: "));
  }
  // What exists on the other architecture only is still something.
  CHECK(run(PTMC_BINARY, {"prove", "seed000/H3", "--mutate", "drop:mprotect/tlb_flush_mmu"}).code != 2);
}

TEST_CASE("what --mutate may name, over the whole catalogue") {
  const Run r = run(PTMC_BINARY, {"list", "--paths"});
  CHECK(r.code == 0);
  for (const char* path : {"\nmprotect/tlb_flush_mmu/tlbi_vale1is\n",
                           "\nreclaim/try_to_unmap_one/ptep_clear_flush/tlbi_vale1is\n"})
    CHECK(r.out.find(path) != std::string::npos);
}

TEST_CASE("a mutation that leads out of the model is unknown, not the end of the run") {
  const std::vector<std::pair<const char*, const char*>> rows{
      {"seed000/shared-file-writeback", "drop:mprotect/change_pte_range/pte_offset_map_lock"},
      {"seed000/cost", "drop:mprotect/change_pte_range/next_batch"}};
  for (const auto& [claim, mutation] : rows) {
    CAPTURE(claim);
    const Run r = run(PTMC_BINARY, {"prove", claim, "--arch", "x86_64", "--mutate", mutation});
    CHECK(r.code == 3);
    CHECK(r.out.find("the mutation leads out of the model: ") != std::string::npos);
  }
}
