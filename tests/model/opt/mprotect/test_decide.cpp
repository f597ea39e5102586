// The pure functions of change_pte_range on plain words: the cases that their comments speak of.
#include <doctest/doctest.h>

#include "model/arch/arm64.hpp"
#include "model/arch/x86_64.hpp"
#include "model/opt/mprotect/decide.hpp"

using namespace ptmc;
using namespace ptmc::mprotect;

namespace {

using PlainVma = Vma<bool, u64>;
constexpr u64 rw = vm::read | vm::write;

template <class A>
constexpr u64 entry(u64 pfn, u64 prot) {
  return A::pfn_pte(pfn, prot);
}

template <class A>
constexpr bool batches() {
  using M = Decide<A>;
  const u64 first = entry<A>(7, A::page_readonly);
  const auto next = [&](u64 e) { return M::batches_with(first, e, 1, M::batch_flags); };
  return next(entry<A>(8, A::page_readonly)) && next(A::pte_mkold(entry<A>(8, A::page_readonly))) &&
         next(A::pte_mkdirty(entry<A>(8, A::page_readonly)) & ~(A::has_soft_dirty ? u64{1} << 11 : 0)) &&
         !next(entry<A>(9, A::page_readonly)) && !next(entry<A>(8, A::page_shared)) &&
         !next(entry<A>(8, A::page_none)) && !next(A::pte_mkuffd_wp(entry<A>(8, A::page_readonly))) &&
         M::batches_with(first, entry<A>(8, A::page_shared), 1, 0);
}
static_assert(batches<X86_64>() && batches<Arm64>());
// Not present: the frame is stored inverted on x86, and the next page's is still the next.
static_assert(Decide<X86_64>::batches_with(entry<X86_64>(7, X86_64::page_none),
                                           entry<X86_64>(8, X86_64::page_none), 1, 0));

template <class A>
constexpr bool upgrades() {
  using M = Decide<A>;
  const PlainVma anon{rw | vm::soft_dirty, false, false};
  const u64 pte = M::changed(entry<A>(7, A::page_readonly), M::page_prot(anon), mm_cp_try_change_writable);
  return M::tries_writable(pte, mm_cp_try_change_writable) && !M::tries_writable(pte, 0) &&
         M::can_change_pte_writable(anon, pte, true, true) &&
         !M::can_change_pte_writable(anon, pte, true, false) &&
         !M::can_change_pte_writable(anon, pte, false, true) &&
         M::can_change_ptes_writable_v1(anon, pte, false, false, true, false) &&
         M::vma_wants_manual_pte_write_upgrade(anon);
}
static_assert(upgrades<X86_64>() && upgrades<Arm64>());

template <class A>
constexpr bool notifies() {
  using M = Decide<A>;
  const u64 shared = rw | vm::shared | vm::soft_dirty;
  const u64 pte = entry<A>(7, A::page_readonly);
  return A::pte_write(M::page_prot(PlainVma{shared, false, false})) &&
         !A::pte_write(M::page_prot(PlainVma{shared, false, true})) &&
         !A::pte_write(M::page_prot(PlainVma{shared, true, false})) &&
         !A::pte_write(M::page_prot(PlainVma{shared | vm::uffd_wp, false, false})) &&
         A::pte_write(M::page_prot(PlainVma{shared & ~vm::soft_dirty, false, false})) == !A::has_soft_dirty &&
         !M::can_change_pte_writable(PlainVma{shared, false, true}, pte, false, false) &&
         M::can_change_pte_writable(PlainVma{shared, false, true}, A::pte_mkdirty(pte), false, false);
}
static_assert(notifies<X86_64>() && notifies<Arm64>());

// A variant overrides what the others call.
template <class A>
struct NeverMaybe : Decide<A, NeverMaybe<A>> {
  static constexpr bool maybe_change_pte_writable(const auto&, const auto&) { return false; }
};
static_assert(!NeverMaybe<Arm64>::can_change_pte_writable(PlainVma{rw, false, false},
                                                          entry<Arm64>(1, Arm64::page_readonly), true, true));

}  // namespace

TEST_CASE("folding keeps the first entry but for A and D") {
  const u64 first = X86_64::pte_mkold(entry<X86_64>(7, X86_64::page_shared));
  const u64 next = X86_64::hw_mark_dirty(entry<X86_64>(8, X86_64::page_shared));
  const u64 merged = Decide<X86_64>::fold(first, next);
  CHECK(merged == (first | X86_64::accessed | X86_64::dirty | X86_64::soft_dirty));
  CHECK(Decide<X86_64>::fold(merged, first) == merged);
  const u64 arm = Decide<Arm64>::fold(entry<Arm64>(7, Arm64::page_shared),
                                      Arm64::hw_mark_dirty(entry<Arm64>(8, Arm64::page_shared)));
  CHECK(Arm64::pte_dirty(arm));
  CHECK(Arm64::pte_pfn(arm) == 7);
}
