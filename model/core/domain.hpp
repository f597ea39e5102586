// The plain domain (u64 and bool, values with copy semantics) and the functions that a model's text may call.
//
// The same text runs over three more: the packed domain (exploration, checker/lower/packed.hpp), the symbolic
// one (proof, checker/symbolic/word.hpp) and memory (timing, checker/native/domain.hpp). What a name means
// must not depend on the domain:
//   const auto w = load(s.pte[v]);   a value, unaffected by later stores
//   auto&& t = s.tlb[c][v];          a reference, in every domain
// `auto w = s.pte[v]` is neither (a copy here, a live reference when packed) and tests/tidy rejects it.
#pragma once
#include <array>
#include <stdexcept>
#include <type_traits>

#include "model/core/types.hpp"

namespace ptmc {

/// What an index of an array or of a ruleset counts. Indices of one kind may be permuted together by
/// symmetry.
enum class By : u8 { none, cpu, page, frame, table, slot, actor };
constexpr unsigned by_count = 7;

/// A value did not fit its field. Never an assert: it is a finding about the model, with the field's width.
struct WidthError : std::range_error {
  using std::range_error::range_error;
};
[[noreturn]] void throw_width_error(u64 value, unsigned width);

namespace plain {

/// A field of N bits.
template <unsigned N>
struct Bits {
  static constexpr unsigned width = N;
  u64 v = 0;
  constexpr operator u64() const { return v; }
  constexpr Bits& operator=(u64 x) {
    if constexpr (N < 64)
      if ((x >> N) != 0) throw_width_error(x, N);
    v = x;
    return *this;
  }
};

struct Flag {
  static constexpr unsigned width = 1;
  bool v = false;
  constexpr operator bool() const { return v; }
  constexpr Flag& operator=(bool b) {
    v = b;
    return *this;
  }
};

/// A 64-bit page-table word.
struct Word {
  static constexpr unsigned width = 64;
  u64 v = 0;
  constexpr operator u64() const { return v; }
  constexpr Word& operator=(u64 x) {
    v = x;
    return *this;
  }
};

/// `n` elements, indexed by `by`.
template <class T, u64 n, By by = By::none>
struct Array {
  static constexpr u64 size = n;
  static constexpr By index = by;
  std::array<T, n> a{};
  constexpr T& operator[](u64 i) { return a.at(i); }
  constexpr const T& operator[](u64 i) const { return a.at(i); }
};

}  // namespace plain

struct Plain {
  template <unsigned N>
  using Bits = plain::Bits<N>;
  using Flag = plain::Flag;
  using Word = plain::Word;
  template <class T, u64 n, By by = By::none>
  using Array = plain::Array<T, n, by>;
};

// Short names for state declarations: `template <class D> struct Tlb { using F = Flag<D>; ... }`.
template <class D, unsigned N>
using Bits = typename D::template Bits<N>;
template <class D>
using Flag = typename D::Flag;
template <class D>
using Word = typename D::Word;
template <class D, class T, u64 n, By by = By::none>
using Array = typename D::template Array<T, n, by>;

/// A domain whose entries are memory that real CPUs share: nothing of the hardware is modelled there.
template <class D>
concept InMemory = requires {
  typename D::Entry;
};

// ---- values ----
constexpr u64 ite(bool c, u64 a, u64 b) { return c ? a : b; }
constexpr bool ite(bool c, bool a, bool b) { return c ? a : b; }
constexpr bool implies(bool a, bool b) { return !a || b; }
constexpr u64 wide(u64 v) { return v; }

/// for_all<n>(claim): claim(0) && ... && claim(n - 1).
template <u64 n, class Claim>
constexpr auto for_all(Claim claim) {
  auto holds = claim(u64{0});
  for (u64 i = 1; i < n; ++i) holds = holds && claim(i);
  return holds;
}
template <u64 n, class Claim>
constexpr auto exists(Claim claim) {
  auto holds = claim(u64{0});
  for (u64 i = 1; i < n; ++i) holds = holds || claim(i);
  return holds;
}

// ---- access to state: one shared access a step ----
/// The value of a field, unaffected by later stores.
constexpr u64 load(u64 field) { return field; }
constexpr bool load(bool field) { return field; }
template <class F, class V>
constexpr void store(F&& field, const V& value) {
  field = value;
}
/// Stores `value`, returns what was there.
template <class F, class V>
constexpr auto xchg(F&& field, const V& value) {
  auto old = load(field);
  field = value;
  return old;
}
/// Stores `desired` if the field holds `expected`; returns whether it did.
template <class F, class V, class W>
constexpr auto cmpxchg(F&& field, const V& expected, const W& desired) {
  auto same = load(field) == expected;
  field = ite(same, desired, load(field));
  return same;
}

/// Element `i` for reading; the index may be a state value. Out of range is an error, in the proof an
/// obligation.
template <class T, u64 n, By by>
constexpr const T& at(const plain::Array<T, n, by>& a, u64 i) {
  return a[i];
}
/// body(element i).
template <class T, u64 n, By by, class F>
constexpr void update(plain::Array<T, n, by>& a, u64 i, F body) {
  body(a[i]);
}
/// body(s) if `c` holds: a branch inside one atomic step. The symbolic twin runs it on a copy and merges.
template <class S, class F>
constexpr void when(bool c, S&& s, F body) {
  if (c) body(s);
}

}  // namespace ptmc
