// Hardware: when a store to a page-table entry reaches the walkers. Every software access to an entry goes
// through here.
// x86: a walk is a load of coherent memory; stores of the caller are ordered by its locked instructions.
// arm64: a walker is another observer; a store reaches it at any time, at the latest when a DSB ISHST (or
//   stronger) of the storing PE completes (Arm ARM RDDMVT). Until then it may read the old
//   word.
//   A store that another PE's atomic update has read is visible to every observer: Armv8 is other-multi-copy
//   atomic (Arm ARM B2.3). So a store by another issuer, which has read the entry first (xchg, or a load
//   under the same PTL), leaves only the word before its own to be read late.
// Claim: while a store lags, any walk may read the word before it or the word itself.
// Omitted: different walkers' order of seeing (each may read either word, which allows more); lagging between
//   PEs' data accesses (software accesses are sequentially consistent).
#pragma once
#include <type_traits>

#include "model/core/reflect.hpp"

namespace ptmc::hw {

/// An arm64 entry with stores on their way to the walkers. A second store by the same issuer keeps the oldest
/// word: that the first one has been seen meanwhile is the rule `drain` of a machine. Without it a walk
/// cannot read the first one after the second was made. It then leaves nothing that it could not have left
/// before, so that only an invalidation between the second store and the issuer's DSB tells the difference: a
/// DSB ISHST that is missing before a TLBI.
template <class D, u64 issuers>
struct LaggingEntry {
  using W = Word<D>;
  using Issuers = Bits<D, issuers>;
  BOOST_HANA_DEFINE_STRUCT(LaggingEntry,
                           (W, word),            // Memory: what software and the walkers' atomic updates see.
                           (W, before),          // What a walker may read instead; 0 when nothing lags.
                           (Issuers, lagging));  // Bit i: issuer i stored last and has had no DSB since.
};

template <class Arch, class D, u64 issuers>
struct EntryOf {
  using Type = std::conditional_t<Arch::tlbi_is_posted, LaggingEntry<D, issuers>, Word<D>>;
};
template <class Arch, InMemory D, u64 issuers>
struct EntryOf<Arch, D, issuers> {
  using Type = typename D::Entry;
};
/// The type of an entry field: on x86 a bare word.
template <class Arch, class D, u64 issuers>
using Entry = typename EntryOf<Arch, D, issuers>::Type;

template <class E>
constexpr bool lags = requires(E e) {
  e.lagging;
};
template <class E>
constexpr bool is_memory = requires(E e) {
  e.exchange(u64{});
};

/// What software and atomic updates see.
template <class E>
constexpr auto load_entry(E&& e) {
  if constexpr (lags<E>)
    return load(e.word);
  else
    return load(e);
}
/// What a walker may read instead, if has_before.
template <class E>
constexpr auto load_before(const E& e) {
  if constexpr (lags<E>)
    return load(e.before);
  else
    return load(e);
}
/// A store by issuer `who`.
template <class E, class V>
constexpr void store_entry(E&& e, u64 who, const V& value) {
  if constexpr (lags<E>) {
    const auto mine = e.lagging == bit(static_cast<unsigned>(who));
    e.before = ite(mine, load(e.before), load(e.word));
    e.lagging = bit(static_cast<unsigned>(who));
    e.word = value;
  } else {
    e = value;
  }
}
/// Stores `value`, returns what was there.
template <class E, class V>
constexpr auto xchg_entry(E&& e, u64 who, const V& value) {
  if constexpr (is_memory<E>) {
    return e.exchange(value);
  } else {
    const auto old = load_entry(e);
    store_entry(e, who, value);
    return old;
  }
}
/// Stores `desired` if the entry holds `expected`; returns whether it did.
template <class E, class V, class W>
constexpr auto cmpxchg_entry(E&& e, u64 who, const V& expected, const W& desired) {
  if constexpr (is_memory<E>) {
    return e.compare_exchange(expected, desired);
  } else {
    const auto same = load_entry(e) == expected;
    when(same, e, [&](auto&& live) { store_entry(live, who, desired); });
    return same;
  }
}
/// An atomic A/D update by a walker: coherent, and nothing that a barrier waits for (D8.5.1, D8.5.2).
template <class E, class V>
constexpr void update_entry(E&& e, const V& value) {
  if constexpr (lags<E>)
    e.word = value;
  else
    e = value;
}

/// Is there an older word that a walker may still read?
template <class E>
constexpr auto has_before(const E& e) {
  if constexpr (lags<E>)
    return e.lagging != 0;
  else
    return false;
}
/// Rule: the stores become visible by themselves.
template <class E>
constexpr void drain(E&& e) {
  if constexpr (lags<E>) {
    e.before = 0;
    e.lagging = 0;
  }
}
/// DSB ISHST or stronger by issuer `who`, for one entry.
template <class E>
constexpr void publish(E&& e, u64 who) {
  if constexpr (lags<E>) {
    e.lagging = e.lagging & ~bit(static_cast<unsigned>(who));
    e.before = ite(e.lagging == 0, u64{0}, load(e.before));
  }
}
/// An entry that holds `value` and that every walker has seen: for initial states.
template <class E, class V>
constexpr void settle_entry(E&& e, const V& value) {
  update_entry(e, value);
  drain(e);
}

}  // namespace ptmc::hw
