// The laws of mprotect's batches: verdicts, premises, twins, and the words that refute the hypotheses.
#include <map>

#include "properties/mprotect/batch.hpp"
#include "tests/properties/words/law_checks.hpp"

using namespace ptmc;
using namespace ptmc::words;

namespace {

const Law& find(const std::string& name) {
  for (const Law& law : mprotect::laws())
    if (name == law.name) return law;
  throw std::invalid_argument(name);
}

/// The value of each constant in the counterexample on x86-64.
std::map<std::string, u64> counterexample(const std::string& name) {
  LawProver prover;
  std::map<std::string, u64> values;
  const Text text = find(name).text[static_cast<unsigned>(Layout::x86_64)];
  for (const Assignment& a : prover.prove(text).witness) values[a.name] = a.value;
  return values;
}

using M = mprotect::Decide<X86_64>;
using PlainVma = mprotect::Vma<bool, u64>;
struct ShadowStacks : NoFeatures {
  static constexpr bool shstk = true;
};

/// What a batch of two stores for its second entry, and what is stored for it alone; no page is exclusive.
struct Second {
  u64 merged, batched, alone;
  explicit Second(std::map<std::string, u64> v, const ShadowStacks& cpu = {}) {
    const PlainVma vma{v["vma"], v["page_mkwrite"] != 0, v["writeback"] != 0};
    merged = M::fold(v["first"], v["entry"]);
    const auto stored = [&](u64 old) {
      const u64 ptent = M::changed(old, v["prot"], v["cp_flags"], cpu);
      return M::made_writable(
          vma, ptent,
          M::tries_writable(ptent, v["cp_flags"], cpu) &&
              M::can_change_pte_writable(vma, ptent, v["anon"] != 0, v["exclusive"] != 0));
    };
    batched = M::committed(stored(merged), u64{1});
    alone = stored(v["entry"]);
  }
};

}  // namespace

TEST_CASE("every law has its verdict for all words and needs each of its premises") {
  CHECK(check_laws(mprotect::laws()) == 46);
}

TEST_CASE("every bad twin is caught on every layout it exists on") {
  CHECK(check_twins(mprotect::laws()) == 100);
}

TEST_CASE("names are unique, every law has a twin or is refuted") { check_names(mprotect::laws()); }

// By the plain functions, not the solver's terms.
TEST_CASE("H1: a batch of two makes the second page of a shadow stack writable") {
  const auto v = counterexample("H1_excess");
  const ShadowStacks cpu;
  CHECK(M::batches_with(v.at("first"), v.at("entry"), u64{1}, M::batch_flags));
  const Second second(v);
  CHECK(X86_64::pte_shstk(v.at("first"), cpu));
  CHECK(!X86_64::pte_write(v.at("entry"), cpu));
  CHECK(X86_64::pte_write(second.batched, cpu));
  CHECK(!X86_64::pte_write(second.alone, cpu));
}

TEST_CASE("H1: a batch of two takes a shadow stack's right to write and does not flush") {
  for (const char* name : {"H1_stale", "H1_stale_uniform"}) {
    CAPTURE(name);
    const auto v = counterexample(name);
    const ShadowStacks cpu;
    CHECK(M::batches_with(v.at("first"), v.at("entry"), u64{1}, M::batch_flags));
    const Second second(v);
    CHECK(X86_64::pte_shstk(v.at("entry"), cpu));
    CHECK(!X86_64::pte_write(second.batched, cpu));
    CHECK(!M::needs_flush(second.merged, X86_64::pte_advance_pfn(second.batched, ~u64{0})));
  }
}

TEST_CASE("H2: mprotect(PROT_READ) leaves a shadow stack writable") {
  const auto v = counterexample("H2");
  const Second second(v);
  CHECK((v.at("vma") & vm::write) == 0);
  CHECK(X86_64::hw_can_shadow_stack_store(second.alone, ShadowStacks{}));
  CHECK(!X86_64::pte_needs_flush(v.at("entry"), second.alone));
}

TEST_CASE("H3: another entry's D makes an entry soft-dirty, and so writable") {
  const Second marked(counterexample("H3"));
  CHECK(X86_64::pte_soft_dirty(marked.batched) != X86_64::pte_soft_dirty(marked.alone));
  const Second written(counterexample("H3_write"));
  CHECK(X86_64::pte_write(written.batched));
  CHECK(X86_64::pte_soft_dirty(written.batched));  // Reported, though too much.
  CHECK(!X86_64::pte_write(written.alone));
}
