// The whole pipeline on headers of our own: compiled, translated, proved; and three planted bugs, each found.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "checker/gate/conform.hpp"

using namespace ptmc;
using namespace ptmc::gate;

namespace {

const std::filesystem::path mini = std::filesystem::path(PTMC_SOURCE_DIR) / "tests/kernel/mini";

ConformOptions options_for(const std::string& arch, const std::vector<std::string>& edits = {}) {
  ConformOptions options;
  options.tree = mini;
  options.arch = arch;
  options.cache = std::filesystem::temp_directory_path() / "ptmc-test-conform";
  for (const std::string& e : edits) options.edits.push_back(parse_edit(e));
  return options;
}

std::vector<std::string> with(const ConformReport& report, Verdict verdict) {
  std::vector<std::string> names;
  for (const ConformArch& a : report.archs)
    for (const HelperReport& h : a.helpers)
      if (h.verdict == verdict) names.push_back(h.helper);
  std::sort(names.begin(), names.end());
  return names;
}

const HelperReport& helper(const ConformReport& report, const std::string& name) {
  for (const ConformArch& a : report.archs)
    for (const HelperReport& h : a.helpers)
      if (h.helper == name) return h;
  FAIL("no helper ", name);
  return report.archs.front().helpers.front();
}

std::string decoded(const HelperReport& h, const std::string& name) {
  for (const ConformWord& w : h.words)
    if (w.name == name) return w.decoded;
  return "no word";
}

using Names = std::vector<std::string>;

}  // namespace

#ifdef PTMC_HAVE_LLVM

TEST_CASE("x86-64: every helper of the mini tree is proved") {
  const ConformReport report = conform(options_for("x86_64"));
  CHECK(with(report, Verdict::proved) ==
        Names{"pte_accessible", "pte_dirty", "pte_mkdirty", "pte_mkwrite", "pte_modify", "pte_pfn",
              "pte_present", "pte_same", "pte_write", "pte_wrprotect", "ptep_set_access_flags",
              "ptep_set_wrprotect", "swp_entry", "swp_type", "vm_get_page_prot"});
  CHECK(with(report, Verdict::violated).empty());
  CHECK(with(report, Verdict::unknown).empty());
  CHECK(exit_of(report) == Exit::ok);
  CHECK(report.archs.at(0).cpus == Names{"X86_FEATURE_SHSTK", "__supported_pte_mask"});
  CHECK(helper(report, "ptep_set_wrprotect").one_iteration);
  CHECK_FALSE(helper(report, "pte_wrprotect").one_iteration);
  CHECK(helper(report, "pte_none").verdict == Verdict::n_a);
  CHECK(helper(report, "vm_get_page_prot").assumptions == Names{"protection_map is as initialised"});
}

TEST_CASE("arm64: every helper of the mini tree is proved") {
  const ConformReport report = conform(options_for("arm64"));
  CHECK(with(report, Verdict::proved) ==
        Names{"pte_accessible", "pte_dirty", "pte_hw_dirty", "pte_mkdirty", "pte_mkwrite", "pte_modify",
              "pte_pfn", "pte_present", "pte_same", "pte_write", "pte_wrprotect", "ptep_set_access_flags",
              "ptep_set_wrprotect", "swp_entry", "swp_type"});
  CHECK(with(report, Verdict::violated).empty());
  CHECK(with(report, Verdict::unknown).empty());
  CHECK(report.archs.at(0).cpus == Names{"ARM64_HAS_LSE_ATOMICS"});
  CHECK(report.archs.at(0).skipped == Names{"dsb ish"});
  CHECK(helper(report, "ptep_set_access_flags").one_iteration);
}

TEST_CASE("arm64 bug: wrprotect forgets what the hardware dirtied") {
  const ConformReport report = conform(
      options_for("arm64", {R"(arch/arm64/include/asm/pgtable.h:pte_wrprotect=s/pte_hw_dirty\(pte\)/0/)"}));
  CHECK(with(report, Verdict::violated) == Names{"pte_wrprotect", "ptep_set_wrprotect"});
  CHECK(exit_of(report) == Exit::failed);
  const HelperReport& h = helper(report, "pte_wrprotect");
  CHECK(h.reason == "differs in DIRTY");
  CHECK(decoded(h, "pte") == "VALID pfn=0x0 WRITE");
  CHECK(decoded(h, "model") == "VALID RDONLY pfn=0x0 DIRTY");
  CHECK(decoded(h, "kernel") == "VALID RDONLY pfn=0x0");
}

TEST_CASE("x86-64 bug: pte_modify takes the dirty bits from the new protection") {
  const ConformReport report =
      conform(options_for("x86_64", {R"(arch/x86/include/asm/pgtable.h=s/ \| DIRTY_BITS\)/)/)"}));
  CHECK(with(report, Verdict::violated) == Names{"pte_modify"});
  const HelperReport& h = helper(report, "pte_modify");
  CHECK(h.reason == "differs in D");
  CHECK(decoded(h, "pte") == "P pfn=0x0");
  CHECK(decoded(h, "prot") == "P D");
}

TEST_CASE("x86-64 bug: wrprotect clears D without saving it") {
  const ConformReport report =
      conform(options_for("x86_64", {"arch/x86/include/asm/pgtable.h:pte_wrprotect=s/~RW/~(RW | D)/"}));
  CHECK(with(report, Verdict::violated) == Names{"pte_wrprotect", "ptep_set_wrprotect"});
  const HelperReport& h = helper(report, "ptep_set_wrprotect");
  CHECK(h.reason == "differs in SAVED_DIRTY");
  CHECK(decoded(h, "pte") == "P D pfn=0x0");
  CHECK(decoded(h, "kernel") == "P pfn=0x0");
}

TEST_CASE("more bugs: a wrong argument, a wrong CPU feature, a store that gets lost, undefined behaviour") {
  const std::string x86 = "arch/x86/include/asm/pgtable.h", arm64 = "arch/arm64/";
  const auto broken = [](const std::string& arch, const std::string& edit) {
    return with(conform(options_for(arch, {edit})), Verdict::violated);
  };
  CHECK(broken("x86_64", x86 + ":pte_accessible=s/&& atomic_read/|| atomic_read/") ==
        Names{"pte_accessible"});
  CHECK(broken("x86_64", x86 + ":pte_write=s/ && cpu_has\\(X86_FEATURE_SHSTK\\)//") == Names{"pte_write"});
  CHECK(broken("x86_64", x86 + ":cpu_has=s/return true/return false/") == Names{"pte_write"});
  CHECK(broken("x86_64", "arch/x86/mm/pgprot.c=s/USER . RW . NX,/USER | NX,/") == Names{"vm_get_page_prot"});
  CHECK(broken("x86_64", x86 + ":pte_pfn=s/>> 12/>> (12 + pte_val(pte) % 128)/") == Names{"pte_pfn"});
  CHECK(broken("arm64", arm64 + "include/asm/pgtable.h:cmpxchg=s/stlxr %w1, %4/stlxr %w1, %3/") ==
        Names{"ptep_set_access_flags", "ptep_set_wrprotect"});
  CHECK(broken("arm64", arm64 + "mm/fault.c=s/AF . WRITE/AF/") == Names{"ptep_set_access_flags"});
}

TEST_CASE("what it cannot read, it names") {
  const std::string x86 = "arch/x86/include/asm/pgtable.h";
  const auto reason = [&](const std::string& edit) {
    const ConformReport report = conform(options_for("x86_64", {edit}));
    CHECK(exit_of(report) == Exit::inconclusive);
    CHECK(helper(report, "pte_pfn").verdict == Verdict::unknown);
    return helper(report, "pte_pfn").reason;
  };
  CHECK(reason(x86 + ":pte_pfn=s/return/u64 v = 0; asm(\"popcntq %0, %0\" : \"+r\"(v)); return v +/") ==
        "asm popcntq");
  CHECK(reason(x86 + ":pte_pfn=s/return/void elsewhere(void); elsewhere(); return/") == "call of elsewhere");
  CHECK(reason(x86 + ":pte_pfn=s/return/while (*(volatile u64 *)&__supported_pte_mask) ; return/") ==
        "a loop that goes round more than once");
  // A helper of another shape is no absent helper.
  const std::string wider = "static inline u64 pte_pfn\\(pte_t pte\\)";
  CHECK(reason(x86 + "=s/" + wider + "/static inline u64 pte_pfn(pte_t pte, int level)/")
            .find("too few arguments") != std::string::npos);
}

TEST_CASE("input that cannot be used") {
  CHECK_THROWS_AS(conform(options_for("riscv")), InputError);
  CHECK_THROWS_AS(conform(options_for("x86_64", {"arch/x86/include/asm/pgtable.h:pte_pfn=s/nowhere/x/"})),
                  InputError);
  CHECK_THROWS_AS(conform(options_for("x86_64", {"arch/x86/include/asm/none.h=s/a/b/"})), InputError);
  CHECK_THROWS_AS(conform(options_for("x86_64", {"include/linux/mm.h=s/typedef _Bool bool;//"})), InputError);
  ConformOptions options = options_for("all");
  options.tree = mini / "include";
  CHECK_THROWS_AS(conform(options), InputError);
}

TEST_CASE("reports: 72 columns, equal bytes from run to run") {
  const ConformReport once = conform(options_for("all")), again = conform(options_for("all"));
  const std::string text = conform_text(once);
  CHECK(text == conform_text(again));
  CHECK(conform_json(once) == conform_json(again));
  CHECK(text.find("30 proved, 0 violated, 0 unknown, ") != std::string::npos);
  for (std::size_t at = 0, end; at < text.size(); at = end + 1) {
    end = text.find('\n', at);
    CHECK(end - at <= 72);
  }
}

#endif

TEST_CASE("exit codes") {
  ConformReport report;
  CHECK(exit_of(report) == Exit::uncovered);  // Nothing was compared.
  report.archs.resize(1);
  auto& helpers = report.archs[0].helpers;
  helpers.resize(1);
  helpers[0].verdict = Verdict::n_a;
  CHECK(exit_of(report) == Exit::uncovered);
  helpers.resize(2);
  helpers[1].verdict = Verdict::proved;
  CHECK(exit_of(report) == Exit::ok);
  helpers[0].verdict = Verdict::unknown;
  CHECK(exit_of(report) == Exit::inconclusive);
  helpers[0].verdict = Verdict::violated;
  CHECK(exit_of(report) == Exit::failed);
  report.unavailable = "built without LLVM";
  CHECK(exit_of(report) == Exit::uncovered);
  CHECK(conform_text(report) == "conform: n/a: built without LLVM\n");
}
