// The native domain: the same text over real memory. Entries lie in page-aligned tables and are accessed as
// the kernel does, registers are plain numbers, a flush is what the policy makes of it.
#pragma once
#include "model/core/domain.hpp"

namespace ptmc::native {

/// One entry of a table in memory. READ_ONCE, WRITE_ONCE and the atomics of the kernel's own accessors.
struct Entry {
  u64 word = 0;

  operator u64() const { return *static_cast<const volatile u64*>(&word); }
  Entry& operator=(u64 value) {
    *static_cast<volatile u64*>(&word) = value;
    return *this;
  }
  /// xchg: x86 arch/x86/include/asm/pgtable.h native_ptep_get_and_clear; arm64 __ptep_get_and_clear,
  /// xchg_relaxed.
  u64 exchange(u64 value) { return __atomic_exchange_n(&word, value, __ATOMIC_RELAXED); }
  bool compare_exchange(u64 expected, u64 desired) {
    return __atomic_compare_exchange_n(&word, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }
  Entry() = default;
  Entry(const Entry&) = delete;
};
static_assert(sizeof(Entry) == 8);

/// A register. Of its own width in memory, so that the compiler knows that no entry overlaps it.
template <unsigned N>
struct Bits {
  static constexpr unsigned width = N;
  using Held = std::conditional_t<(N <= 32), u32, u64>;
  Held v = 0;
  constexpr operator u64() const { return v; }
  constexpr Bits& operator=(u64 x) {
    v = static_cast<Held>(x);
    return *this;
  }
};

template <class T, u64 n, By by>
struct Array {
  static constexpr u64 size = n;
  static constexpr By index = by;
  T a[n]{};
  constexpr T& operator[](u64 i) { return a[i]; }
  constexpr const T& operator[](u64 i) const { return a[i]; }
};
/// Entries: part of a table that whoever runs the machine has made.
template <u64 n, By by>
struct Array<Entry, n, by> {
  static constexpr u64 size = n;
  static constexpr By index = by;
  Entry* a = nullptr;
  Entry& operator[](u64 i) { return a[i]; }
  const Entry& operator[](u64 i) const { return a[i]; }
};
template <class T, u64 n, By by>
constexpr const T& at(const Array<T, n, by>& a, u64 i) {
  return a[i];
}
template <class T, u64 n, By by, class F>
constexpr void update(Array<T, n, by>& a, u64 i, F body) {
  body(a[i]);
}

/// Flushes nothing.
struct NoFlush {
  void flush() {}
};

template <class F = NoFlush>
struct Native {
  template <unsigned N>
  using Bits = native::Bits<N>;
  using Flag = plain::Flag;
  using Word = plain::Word;
  template <class T, u64 n, By by = By::none>
  using Array = native::Array<T, n, by>;
  using Entry = native::Entry;
  using Posted = F;
};

}  // namespace ptmc::native
