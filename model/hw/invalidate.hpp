// Hardware: invalidations on their way to other CPUs.
// x86: INVLPG and MOV CR3 are local (SDM 4.10.4.1); a remote one is an IPI, taken only with interrupts on,
// and the
//   initiator waits until every target has done it (SDM 4.10.5; kernel: smp_call_function_many, wait).
// arm64: TLBI ...IS is posted, takes effect on each PE at any time, and is known complete only after a DSB
// ISH by
//   the PE that issued it (Arm ARM RYNJCP). No interrupt is involved, so it waits for no IRQ-off section.
// Claim: one mask per issuer and CPU says which pages' entries that CPU has yet to drop for that issuer.
// Omitted: accesses already translated by a dying entry, which DSB waits for: an access is one step here.
#pragma once
#include "model/core/context.hpp"
#include "model/hw/tlb.hpp"

namespace ptmc::hw {

template <class D, u64 issuers, u64 cpus, u64 page_count>
struct PostedMasks {
  static constexpr u64 page_max = page_count;
  using Mask = Bits<D, page_count>;
  using Row = Array<D, Mask, cpus, By::cpu>;
  using Rows = Array<D, Row, issuers>;
  BOOST_HANA_DEFINE_STRUCT(PostedMasks, (Rows, pages));  // [issuer][cpu]: bit v: page v.
};
template <class D, u64 issuers, u64 cpus, u64 page_count>
struct PostedOf {
  using Type = PostedMasks<D, issuers, cpus, page_count>;
};
template <InMemory D, u64 issuers, u64 cpus, u64 page_count>
struct PostedOf<D, issuers, cpus, page_count> {
  using Type = typename D::Posted;
};
template <class D, u64 issuers, u64 cpus, u64 page_count>
using Posted = typename PostedOf<D, issuers, cpus, page_count>::Type;
/// Flushes that a real CPU carries out before flush() returns.
template <class P>
concept FlushesAtOnce = requires(P p) {
  p.flush();
};

/// Pages first..end-1 of a table: what mmu_gather knows of what it is to flush.
template <class V>
struct PageRange {
  V first, end;
};
template <class V, class W>
PageRange(V, W) -> PageRange<V>;
/// As a mask; what is one already stays as it is.
template <u64 page_count>
constexpr auto mask_of(const auto& pages) {
  return wide(pages);
}
template <u64 page_count, class V>
constexpr auto mask_of(const PageRange<V>& pages) {
  u64 mask = 0;
  for (u64 v = 0; v < page_count; ++v)
    mask |= ite(pages.first <= v && v < pages.end, bit(static_cast<unsigned>(v)), u64{0});
  return mask;
}

/// Why this change of a flush has no meaning there; null if it has one. Levels (TTL) are arm64's.
template <class Arch>
constexpr const char* operand_absent(Operand operand) {
  const bool exists = Arch::tlbi_is_posted || operand != Operand::wrong_level;
  return exists ? nullptr : "an invalidation of x86-64 names no level";
}

/// The pages (of `count`) whose leaf entries a flush of `pages` drops, as `operand` changes it.
/// Arm ARM RSQXYZ: if TTL is not the leaf's level, nothing need be invalidated.
template <class Arch>
constexpr auto leaves_of(const auto& pages, u64 count, Operand operand) {
  const u64 all = bits(static_cast<unsigned>(count - 1), 0);
  switch (operand) {
    case Operand::other_page:
      return ((wide(pages) << 1) | (wide(pages) >> (count - 1))) & all;
    case Operand::short_range:
      return wide(pages) & (all >> 1);
    case Operand::wrong_level:
      return wide(pages) & (Arch::tlbi_is_posted ? u64{0} : all);
    case Operand::no_page:
    case Operand::walk_only:
      return wide(pages) & u64{0};
    default:
      return wide(pages);
  }
}

/// Sends the invalidation of `pages` (a mask or a PageRange) to the CPUs for which targets(cpu) holds. x86:
/// an IPI, which a lazy CPU may be spared; arm64: TLBI ...IS. `local_only` reaches none: the issuer's own CPU
/// is not among them.
template <class Arch, class P>
constexpr void post(P&& posted, u64 issuer, const auto& pages, const Ctx& x, auto targets) {
  if constexpr (FlushesAtOnce<std::remove_cvref_t<P>>) {
    posted.flush();
  } else {
    constexpr u64 page_max = std::remove_cvref_t<P>::page_max;
    if (x.operand == Operand::local_only) return;
    const auto leaves = leaves_of<Arch>(mask_of<page_max>(pages), page_max, x.operand);
    for (u64 c = 0; c < x.count(By::cpu); ++c) {
      auto&& mask = posted.pages[issuer][c];
      mask = ite(targets(c), mask | leaves, wide(mask));
    }
  }
}
template <class Arch, class P>
constexpr void post(P&& posted, u64 issuer, const auto& pages, const Ctx& x) {
  post<Arch>(posted, issuer, pages, x, [](u64) { return true; });
}

/// Guard of the delivery to `cpu`. `irqs_off`: that CPU runs with interrupts off.
template <class Arch>
constexpr auto can_deliver(const auto& posted, u64 issuer, u64 cpu, const auto& irqs_off) {
  const auto due = load(posted.pages[issuer][cpu]) != 0;
  if constexpr (Arch::tlbi_is_posted)
    return due;
  else
    return due && !irqs_off;
}
/// The CPU whose entries are `tlb` (an array over pages) does what `issuer` asked of it.
constexpr void deliver(auto&& posted, u64 issuer, u64 cpu, auto&& tlb) {
  auto&& mask = posted.pages[issuer][cpu];
  for (u64 v = 0; v < std::remove_cvref_t<decltype(posted)>::page_max; ++v)
    drop_if((mask & bit(static_cast<unsigned>(v))) != 0, tlb[v]);
  mask = 0;
}
/// Guard of what waits for `issuer`'s own invalidations: all IPIs acknowledged, or DSB ISH. Those of others
/// do not count (RYNJCP).
template <class P>
constexpr auto complete(const P& posted, u64 issuer) {
  if constexpr (FlushesAtOnce<P>) {
    return true;
  } else {
    using Row = std::remove_cvref_t<decltype(posted.pages[issuer])>;
    return for_all<Row::size>([&](u64 c) { return load(posted.pages[issuer][c]) == 0; });
  }
}

}  // namespace ptmc::hw
