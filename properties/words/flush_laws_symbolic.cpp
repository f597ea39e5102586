// Laws of what a change means for entries that a TLB may still hold, and of the helpers that change live
// entries.
#include "properties/words/mutants.hpp"

namespace ptmc::words {
namespace {

// ---- mutated helpers ----
template <class A>
struct FlushIgnoresDirty : A {
  static constexpr auto pte_needs_flush(const auto& from, const auto& to) {
    return A::pte_needs_flush(from & ~A::dirty, to & ~A::dirty);
  }
};
template <class A>
struct FlushIgnoresFrame : A {
  static constexpr auto pte_needs_flush(const auto& from, const auto& to) {
    if constexpr (A::is_x86)
      return x86::Entry<A>::flags_need_flush(from, to, A::dirty | A::present);
    else
      return arch::any((from ^ to) & ~A::addr, ~u64{0});
  }
};
template <class A>
struct StoresAlways : A {  // x86: whole entry even if nothing became dirty.
  static constexpr auto ptep_set_access_flags(const auto& live, const auto& entry, const auto&) {
    return ite(live != entry, entry, live);
  }
};
template <class A>
struct PlainStore : A {
  static constexpr auto ptep_set_access_flags(const auto&, const auto& entry, const auto&) {
    return entry | 0;
  }
};
template <class A>
struct OrsRdonly : A {
  static constexpr auto ptep_set_access_flags(const auto& live, const auto& entry, const auto&) {
    return live | (entry & (A::rdonly | A::af | A::write | A::dirty));
  }
};
template <class A>
struct IgnoresCont : A {
  static constexpr auto pgattr_change_is_safe(const auto& from, const auto& to) {
    return A::pgattr_change_is_safe(from & ~A::cont, to & ~A::cont);
  }
};
template <class A>
struct FreezesRdonly : A {
  static constexpr auto pgattr_change_is_safe(const auto& from, const auto& to) {
    return A::pgattr_change_is_safe(from, to) && !arch::any(from ^ to, A::rdonly);
  }
};

Law no_flush() {
  return law("no_flush_loses_no_right",
             "if pte_needs_flush says no, whatever a TLB took from the old entry the new one grants as well: "
             "frame, "
             "rights, key, global, and D for silent stores",
             everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               std::vector<Premise> premises;
               if constexpr (A::is_x86)
                 premises.push_back(given("the old entry is valid",
                                          "stale copies of a PROT_NONE entry are owed by the gather that "
                                          "made it: change_pte_range, mm/mprotect.c",
                                          A::hw_valid(w.p)));
               const auto kept = [&](auto right) { return implies(right(w.p), right(w.q)); };
               const auto rights =
                   kept([](const auto& e) { return A::hw_valid(e); }) &&
                   kept([](const auto& e) { return A::hw_user_read(e); }) &&
                   kept([&](const auto& e) { return A::hw_can_store(e, w.hd); }) &&
                   kept([](const auto& e) { return A::hw_user_exec(e); }) &&
                   kept([](const auto& e) { return A::hw_can_exec(e); }) &&
                   kept([](const auto& e) { return A::hw_global(e); }) &&
                   kept([&](const auto& e) { return A::hw_can_store(e, w.hd) && A::hw_dirty(e); });
               const auto place = A::hw_pfn(w.p) == A::hw_pfn(w.q) && A::hw_pkey(w.p) == A::hw_pkey(w.q);
               const auto flush = A::pte_needs_flush(w.p, w.q);
               return {premises, flush || (rights && place)};
             })
      .template twin<FlushIgnoresDirty>("ignores_dirty", "pte_needs_flush ignores a cleared D", on_x86)
      .template twin<FlushIgnoresWrite>("ignores_write", "pte_needs_flush ignores the right to write")
      .template twin<FlushIgnoresFrame>("ignores_frame", "pte_needs_flush ignores the frame");
}

// p: as read under the PTL. live: what the hardware may have made of it since. entry: what the fault handler
// asks for.
template <class A>
struct Race {
  sym::Word live, entry;
  explicit Race(const Words& w)
      : live(ite(w.young, A::hw_mark_accessed(w.p), w.p)), entry(ite(w.dirty, A::pte_mkdirty(w.p), w.p)) {
    live = ite(w.write && A::hw_can_store(w.p, w.hd), A::hw_mark_dirty(w.p), live);
    entry = A::pte_mkyoung(ite(w.dirty && w.pending, A::pte_mkwrite(entry, w.prot.literal(0)), entry));
  }
};

Law access_flags() {
  return law("set_access_flags_drops_nothing",
             "ptep_set_access_flags loses no right, no dirty and no young bit, whatever the hardware did "
             "since the entry was read",
             everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Race<A> race(w);
               const auto r = A::ptep_set_access_flags(race.live, race.entry, w.dirty);
               const auto kept = [&](auto has) { return implies(has(race.live), has(r)); };
               std::vector<Premise> premises = outside_shadow_stack<A>(w);
               if constexpr (A::is_x86)
                 premises.push_back(given("p is valid",
                                          "handle_pte_fault, mm/memory.c: the entry under the PTL is present",
                                          A::hw_valid(w.p)));
               return {premises, kept([](const auto& e) { return A::pte_dirty(e); }) &&
                                     kept([](const auto& e) { return A::pte_young(e); }) &&
                                     kept([&](const auto& e) { return A::pte_write(e, w.cpu); }) &&
                                     kept([&](const auto& e) { return A::hw_can_store(e, w.hd); }) &&
                                     kept([](const auto& e) { return A::hw_user_read(e); }) &&
                                     kept([](const auto& e) { return A::hw_user_exec(e); }) &&
                                     A::pte_pfn(r) == A::pte_pfn(race.live) &&
                                     implies(w.dirty, A::pte_dirty(r) && A::pte_young(r))};
             })
      .template twin<StoresAlways>("stores_always", "stores the whole entry although nothing became dirty",
                                   on_x86)
      .template twin<PlainStore>("plain_store", "a plain store instead of or-ing into what is there")
      .template twin<OrsRdonly>("ors_rdonly", "or-s RDONLY instead of and-ing it: the entry stays read-only",
                                on_arm64);
}

Law safe_changes() {
  return law("write_protection_is_safe_live",
             "write protection, permission, dirtying and cleaning of a live entry need no break-before-make",
             on_arm64_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto safe = [&](const sym::Word& e) { return A::pgattr_change_is_safe(w.p, e); };
               return {{given("p is in no contiguous block",
                              "contpte_try_unfold, arch/arm64/include/asm/pgtable.h 6.12",
                              !A::pte_valid_cont(w.p))},
                       safe(A::pte_wrprotect(w.p)) && safe(A::pte_mkwrite(w.p)) &&
                           safe(A::pte_mkdirty(w.p)) && safe(A::pte_mkclean(w.p))};
             })
      .template twin<FreezesRdonly>("freezes_rdonly",
                                    "pgattr_change_is_safe does not allow RDONLY to change");
}

Law unsafe_changes() {
  return law("unsafe_changes_are_named",
             "a live change of frame, CONT or memory type is never called safe, except Normal to Tagged",
             on_arm64,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto live = A::pte_valid(w.p) && A::pte_valid(w.q);
               const auto normal = [](const sym::Word& e) {
                 return !arch::any(e, A::attrindx & ~A::mt_normal_tagged);
               };
               const auto type = arch::any(w.p ^ w.q, A::attrindx) && !(normal(w.p) && normal(w.q));
               const auto bad = A::pte_pfn(w.p) != A::pte_pfn(w.q) || arch::any(w.p ^ w.q, A::cont) || type;
               return {{}, implies(live && bad, !A::pgattr_change_is_safe(w.p, w.q))};
             })
      .template twin<IgnoresCont>("ignores_cont", "pgattr_change_is_safe ignores CONT");
}

}  // namespace

void add_flush_laws(std::vector<Law>& book) {
  for (const Law& law : {no_flush(), access_flags(), safe_changes(), unsafe_changes()}) book.push_back(law);
}

}  // namespace ptmc::words
