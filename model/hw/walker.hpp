// Hardware: page walks, their A/D updates, and accesses through a TLB entry.
// Intel SDM vol. 3 (253668), 4.8 and 4.10; Arm ARM (DDI 0487), D8.4 to D8.5 and D8.16.
// Claim: a walk may happen at any time (speculation), caches valid entries only, and marks what it uses.
// Omitted: walk-cache entries (model/hw/world.hpp). An access that misses and faults leaves nothing cached;
//   arm64 may then cache a permission-faulting entry, which `fill` covers.
#pragma once
#include "model/core/context.hpp"
#include "model/hw/features.hpp"
#include "model/hw/tlb.hpp"
#include "model/hw/visibility.hpp"

namespace ptmc::hw {

/// What an access did; B is the domain's truth value. Neither hit nor walked: denied by a cached entry.
template <class B>
struct Access {
  B hit;      // Used the cached entry, looked at no memory.
  B walked;   // Looked at the entry in memory.
  B faulted;  // Otherwise the access went to the frame now in the TLB entry.
};

/// What the levels above an entry leave of it: SDM 4.6.1, 4.10.2.2; Arm ARM D8.4.4.
template <class B>
struct Upper {
  B present = true;  // They lead to the entry.
  B store = true;    // AND of RW; no APTable[1].
  B user = true;     // AND of US; no APTable[0].
  B exec = true;     // No NX, no UXNTable.
};

/// How one CPU walks. A plain value: constant in an instance, so that a litmus knob may alter one rule.
template <class Arch>
struct Walker {
  bool ha = true, hd = true;                 // arm64: TCR_ELx.{HA, HD}. x86 always manages A and D.
  bool fault_drops = !Arch::tlbi_is_posted;  // SDM 4.10.4.1: a page fault invalidates; arm64 keeps the entry.
  bool clean_rewalks = true;                 // A store through a clean entry re-reads the descriptor.
  bool dirty_rewalks = false;                // A store through a dirty entry looks at nothing.
  bool marks_accessed = true;                // A/AF is set in memory before the entry is cached.
  bool marks_dirty = false;                  // Speculation never sets D (SDM 4.8; Arm ARM RNMLQ).
  bool combines_upper = true;                // Rights are those of all levels.

  constexpr Walker() = default;
  constexpr explicit Walker(const Ctx& x) {
    if constexpr (Arch::tlbi_is_posted) {
      ha = x.has(arm::Feature::ha);
      hd = ha && x.has(arm::Feature::hd);
    }
  }

  /// May a walk that reads `word` cache it? SDM 4.10.2.3: P=1. Arm ARM IWZCBG: nothing that gives a
  /// translation or access-flag fault; permission-faulting entries yes.
  constexpr auto cacheable(const auto& word) const { return Arch::hw_cacheable(word, ha); }
  /// Guard of a speculative walk.
  constexpr auto can_fill(const auto& e) const { return cacheable(load_entry(e)); }
  /// Guard of a walk that has not seen the latest store. Setting AF is atomic on the word in memory, so only
  /// a word that needs no update can be used this way.
  constexpr auto can_fill_before(const auto& e) const {
    if constexpr (lags<decltype(e)>)
      return has_before(e) && Arch::hw_cacheable(load(e.before), false);
    else
      return false;
  }

  /// A speculative walk: marks the entry accessed, then caches what it read (SDM 4.8; Arm ARM D8.5.1).
  template <class U = Upper<bool>>
  constexpr void fill(auto&& t, auto&& e, const U& upper = U{}) const {
    const auto word = load_entry(e);
    const auto marked = marks_dirty ? Arch::hw_mark_dirty(word) : Arch::hw_mark_accessed(word);
    if (marks_accessed) update_entry(e, marked);
    cache(t, marked, upper);
  }
  template <class U = Upper<bool>>
  constexpr void fill_before(auto&& t, auto&& e, const U& upper = U{}) const {
    if constexpr (lags<decltype(e)>) cache(t, load(e.before), upper);
  }

  /// An executed load. Every cached entry allows loads (user rights and keys are the caller's).
  template <class U = Upper<bool>>
  constexpr auto access_load(auto&& t, auto&& e, const U& upper = U{}) const {
    const auto hit = load(t.valid);
    const auto word = load_entry(e);
    const auto granted = !hit && cacheable(word) && upper.present;
    const auto marked = Arch::hw_mark_accessed(word);
    if (marks_accessed) update_entry(e, ite(granted, marked, word));
    when(granted, t, [&](auto&& entry) { cache(entry, marked, upper); });
    return Access<decltype(!hit)>{hit, !hit, !hit && !granted};
  }

  /// An executed store. Writable and dirty: looks at nothing (SDM 4.10.4.3). Writable and clean, or a miss:
  /// reads the entry again and sets D / clears AP[2] by one atomic update, or faults if it no longer allows
  /// the store (SDM 4.8; Arm ARM RSGJBL, IYZSVV). Cached as read-only: faults without a walk (spurious,
  /// SDM 4.10.4.3).
  template <class U = Upper<bool>>
  constexpr auto access_store(auto&& t, auto&& e, const U& upper = U{}) const {
    const auto valid = load(t.valid), writable = valid && t.writable;
    const auto hit = writable && ((t.dirty && !dirty_rewalks) || !clean_rewalks);
    const auto walked = !hit && (!valid || writable);
    const auto word = load_entry(e);
    const auto granted = walked && cacheable(word) && Arch::hw_can_store(word, hd) && upper.present &&
                         (upper.store || !combines_upper);
    const auto marked = Arch::hw_mark_dirty(word);
    update_entry(e, ite(granted, marked, word));
    when(granted, t, [&](auto&& entry) { cache(entry, marked, upper); });
    const auto faulted = !hit && !granted;
    if (fault_drops) drop_if(faulted, t);
    return Access<decltype(!hit)>{hit, walked, faulted};
  }

  /// The entry that a walk reading `word` leaves, in those fields that `t` has.
  template <class T, class W, class U>
  constexpr void cache(T&& t, const W& word, const U& upper) const {
    const bool leaf_only = !combines_upper;
    t.valid = true;
    t.frame = Arch::hw_pfn(word);
    t.writable = Arch::hw_can_store(word, hd) && (upper.store || leaf_only);
    t.dirty = Arch::hw_dirty(word) && t.writable;
    if constexpr (requires { t.user; }) t.user = Arch::hw_user(word) && (upper.user || leaf_only);
    if constexpr (requires { t.exec; }) t.exec = Arch::hw_user_exec(word) && (upper.exec || leaf_only);
    if constexpr (requires { t.global; }) t.global = Arch::hw_global(word);
    if constexpr (requires { t.cont; }) t.cont = Arch::hw_cont(word);
    if constexpr (requires { t.block; }) t.block = false;
    if constexpr (requires { t.key; }) t.key = Arch::hw_pkey(word);
  }
};

}  // namespace ptmc::hw
