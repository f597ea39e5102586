// Each machine natively and in the model, step by step; and that a difference would be found.
#include <doctest/doctest.h>

#include "checker/native/compare.hpp"
#include "checker/native/machines.hpp"
#include "model/arch/x86_64.hpp"
#include "model/opt/mprotect/machine.hpp"
#include "properties/mprotect/cost.hpp"

using namespace ptmc;
using namespace ptmc::native;

namespace {

/// "contpte_convert/set_pte": a helper's step stands in several places and counts once.
std::string in_helper(const std::string& path) {
  const std::size_t last = path.rfind('/'), before = path.rfind('/', last - 1);
  return before == std::string::npos ? path : path.substr(before + 1);
}
/// Steps to which no actor comes that runs alone.
std::string unseen(const Compared& c) {
  std::set<std::string> left;
  for (const std::string& path : c.all) left.insert(in_helper(path));
  for (const std::string& path : c.paths) left.erase(in_helper(path));
  std::string text;
  for (const std::string& name : left) text += name + " ";
  return text;
}

}  // namespace

TEST_CASE("mprotect's machine does natively what it does in the model, on both architectures") {
  const Compared c = compare_mprotect();
  REQUIRE_FALSE(c.difference);
  // Anonymous pages are clean until hardware stores to them, and here it does not.
  CHECK(unseen(c) ==
        "try_to_unmap_flush_dirty/clear_tlb_ubc try_to_unmap_flush_dirty/dsb_ish "
        "try_to_unmap_flush_dirty/send_ipis try_to_unmap_flush_dirty/wait_for_acks "
        "try_to_unmap_one/folio_mark_dirty ");
}
TEST_CASE("so does contpte's") {
  const Compared c = compare_contpte();
  REQUIRE_FALSE(c.difference);
  CHECK(unseen(c) == "ptep_get_lockless/retry ");  // Nobody changes entries meanwhile.
}
TEST_CASE("and seed 004's") {
  const Compared c = compare_deferred_flush();
  REQUIRE_FALSE(c.difference);
  CHECK(unseen(c) == "");
}

namespace {

using B = mprotect::Explored<X86_64>;
using State = mprotect::State<Native<>, B>;

/// mprotect(PROT_READ) of three pages, the last one dirty, with `config` changed natively only.
Compared with_native_change(void (*change)(Config& config), void (*spoil)(State& state)) {
  mprotect::Instance i = mprotect::instance("soft-dirty");
  Setup setup = mprotect::setup_of(i, true, mprotect::feature_sets(true)[0], "", "");
  setup.fuse = false;
  const auto model = plain_stepper(mprotect::plain_x86_64(), setup);
  Config config = instantiate(mprotect::plain_x86_64().text, setup).program.actors[0].config;
  change(config);
  alignas(4096) static Entry table[512];
  State native{};
  native.pte.a = table;
  Follower follower(*model, mprotect::tariff(true), "mprotect", model->initial().back(), names_of(native));
  set_values(native, follower.begin());
  spoil(native);
  round_in_lockstep(mprotect::Mprotect<B>::sequence_, native, config, mm::prot_read, follower);
  return follower.compared();
}
void as_is(Config&) {}
void as_it_was(State&) {}

}  // namespace

TEST_CASE("a machine that differs natively is told by the fewest rounds that show it") {
  using Lockstep = MachineInLockstep<mprotect::Machine<B>, State>;
  const auto difference = [](const char* instance, const char* knob) {
    const Setup setup =
        mprotect::setup_of(mprotect::instance(instance), true, mprotect::feature_sets(true)[0], "", "");
    const ModelSide what{mprotect::plain_x86_64(), setup, mprotect::tariff(true), {knob}};
    return std::make_unique<Lockstep>(what)->run().difference;
  };
  const auto advance = difference("anon-fork", "knob:pte_advance_pfn=same");
  REQUIRE(advance);
  CHECK(advance->rounds == "mprotect 0");
  CHECK(advance->action == "mprotect/change_pte_range/modify_prot_commit_ptes");
  CHECK(advance->what.starts_with("pte[1] is 0x"));
  const auto pending = difference("anon-reclaim-stores", "knob:pte_accessible=no-pending");
  CHECK_FALSE(pending);  // Alone, reclaim never meets an open gather.
}

TEST_CASE("a native run that computes another word, or takes another way, is found out at that step") {
  CHECK_FALSE(with_native_change(as_is, as_it_was).difference);

  const Compared other_way = with_native_change(
      [](Config& c) {
        c.knob[static_cast<unsigned>(mprotect::KnobId::change_pte_range)] = mprotect::per_pte;
      },
      as_it_was);
  REQUIRE(other_way.difference);
  CHECK(other_way.difference->what == "the model comes to change_pte_range/folio_pte_batch");

  const Compared other_word = with_native_change(
      [](Config& c) { c.knob[static_cast<unsigned>(mprotect::KnobId::pte_advance_pfn)] = 1; }, as_it_was);
  REQUIRE(other_word.difference);
  CHECK(other_word.difference->action == "mprotect/change_pte_range/modify_prot_commit_ptes");
  CHECK(other_word.difference->what.starts_with("pte[1] is 0x"));

  const Compared other_begin = with_native_change(as_is, [](State& s) { s.pte[2] = 0; });
  REQUIRE(other_begin.difference);
  CHECK(other_begin.difference->steps == 0);

  const Compared waits = with_native_change(as_is, [](State& s) { s.mm.ptl_held = true; });
  REQUIRE(waits.difference);
}
