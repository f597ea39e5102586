// Hardware: page walks, their A/D updates, and accesses through a TLB entry.
// Intel SDM vol. 3 (253668), 4.8 and 4.10; Arm ARM (DDI 0487), D8.4 to D8.5 and D8.16.
// Claim: a walk may happen at any time (speculation), caches valid entries only, and marks what it uses.
// Omitted: walk-cache entries (model/hw/world.hpp); a miss that faults leaves nothing cached here, though
// arm64
//   may cache a permission-faulting entry: `fill` covers that.
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

/// How one CPU walks. A plain value: constant in an instance, so that a litmus knob may alter one rule.
template <class Arch>
struct Walker {
  bool ha = true, hd = true;                 // arm64: TCR_ELx.{HA, HD}. x86 always manages A and D.
  bool fault_drops = !Arch::tlbi_is_posted;  // SDM 4.10.4.1: a page fault invalidates; arm64 keeps the entry.
  bool clean_rewalks = true;                 // A store through a clean entry re-reads the descriptor.
  bool clean_only = true;                    // A store through a dirty entry looks at nothing.
  bool marks_accessed = true;                // A/AF is set in memory before the entry is cached.

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
  /// `upper_store`: the tables above allow stores.
  template <class U = bool>
  constexpr void fill(auto&& t, auto&& e, const U& upper_store = U{true}) const {
    const auto word = load_entry(e);
    const auto marked = Arch::hw_mark_accessed(word);
    if (marks_accessed) update_entry(e, marked);
    cache(t, marked, upper_store);
  }
  template <class U = bool>
  constexpr void fill_before(auto&& t, auto&& e, const U& upper_store = U{true}) const {
    if constexpr (lags<decltype(e)>) cache(t, load(e.before), upper_store);
  }

  /// An executed load. Every cached entry allows loads (user rights and keys are the caller's).
  template <class U = bool>
  constexpr auto access_load(auto&& t, auto&& e, const U& upper_store = U{true}) const {
    const auto hit = load(t.valid);
    const auto word = load_entry(e);
    const auto miss = !hit && cacheable(word);
    const auto marked = Arch::hw_mark_accessed(word);
    if (marks_accessed) update_entry(e, ite(miss, marked, word));
    when(miss, t, [&](auto&& entry) { cache(entry, marked, upper_store); });
    return Access<decltype(!hit)>{hit, !hit, !hit && !miss};
  }

  /// An executed store. Writable and dirty: looks at nothing (SDM 4.10.4.3). Writable and clean, or a miss:
  /// reads the entry again and sets D / clears AP[2] by one atomic update, or faults if it no longer allows
  /// the store (SDM 4.8; Arm ARM RSGJBL, IYZSVV). Cached as read-only: faults without a walk (SDM 4.10.4.3,
  /// spurious).
  template <class U = bool>
  constexpr auto access_store(auto&& t, auto&& e, const U& upper_store = U{true}) const {
    const auto valid = load(t.valid), writable = valid && t.writable;
    const auto hit = writable && ((t.dirty && clean_only) || !clean_rewalks);
    const auto walked = !hit && (!valid || writable);
    const auto word = load_entry(e);
    const auto granted = walked && cacheable(word) && Arch::hw_can_store(word, hd) && upper_store;
    const auto marked = Arch::hw_mark_dirty(word);
    update_entry(e, ite(granted, marked, word));
    when(granted, t, [&](auto&& entry) { cache(entry, marked, upper_store); });
    const auto faulted = !hit && !granted;
    if (fault_drops) drop_if(faulted, t);
    return Access<decltype(!hit)>{hit, walked, faulted};
  }

  /// The entry that a walk reading `word` leaves, in those fields that `t` has.
  template <class T, class W, class U>
  constexpr void cache(T&& t, const W& word, const U& upper_store) const {
    t.valid = true;
    t.frame = Arch::hw_pfn(word);
    t.writable = Arch::hw_can_store(word, hd) && upper_store;
    t.dirty = Arch::hw_dirty(word) && t.writable;
    if constexpr (requires { t.user; }) t.user = Arch::hw_user(word);
    if constexpr (requires { t.exec; }) t.exec = Arch::hw_user_exec(word);
    if constexpr (requires { t.global; }) t.global = Arch::hw_global(word);
    if constexpr (requires { t.block; }) t.block = Arch::hw_cont(word);
    if constexpr (requires { t.key; }) t.key = Arch::hw_pkey(word);
  }
};

}  // namespace ptmc::hw
