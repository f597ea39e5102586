// The packed domain: a field is a proxy onto a few bits of the state's words, so that an effect touches only
// what it changes and a state is its own key. Layout is computed at compile time from the state's structure.
#pragma once
#include "checker/lower/pool.hpp"
#include "model/core/reflect.hpp"

// Without optimization inlining wins nothing and makes building many times slower.
#ifdef __OPTIMIZE__
#define PTMC_INLINE [[gnu::always_inline]] inline
#define PTMC_INLINE_LAMBDA __attribute__((always_inline))
#define PTMC_FLATTEN [[gnu::flatten]]
#else
#define PTMC_INLINE inline
#define PTMC_INLINE_LAMBDA
#define PTMC_FLATTEN
#endif

namespace ptmc {
namespace packed {

constexpr u64 low_bits(unsigned n) { return n >= 64 ? ~u64{0} : bit(n) - 1; }

/// N bits at bit `o` of the words at `p`, never straddling two words. Not copyable: a copy would be a
/// reference.
template <unsigned N>
struct Bits {
  static constexpr unsigned width = N;
  u64* p;
  unsigned o;
  PTMC_INLINE constexpr Bits(u64* words, unsigned offset) : p(words), o(offset) {}
  Bits(const Bits&) = delete;
  PTMC_INLINE constexpr operator u64() const { return (p[o >> 6] >> (o & 63)) & low_bits(N); }
  PTMC_INLINE constexpr Bits& operator=(u64 x) {
    if constexpr (N < 64)
      if (__builtin_expect((x >> N) != 0, 0)) throw_width_error(x, N);
    u64& word = p[o >> 6];
    word = (word & ~(low_bits(N) << (o & 63))) | (x << (o & 63));
    return *this;
  }
  PTMC_INLINE constexpr Bits& operator=(const Bits& x) { return *this = static_cast<u64>(x); }
};

struct Flag {
  static constexpr unsigned width = 1;
  Bits<1> f;
  PTMC_INLINE constexpr Flag(u64* words, unsigned offset) : f(words, offset) {}
  PTMC_INLINE constexpr operator bool() const { return static_cast<u64>(f) != 0; }
  PTMC_INLINE constexpr Flag& operator=(bool b) {
    f = static_cast<u64>(b);
    return *this;
  }
  PTMC_INLINE constexpr Flag& operator=(const Flag& x) { return *this = static_cast<bool>(x); }
};

/// A page-table word, held as an index into the current pool.
struct Word {
  static constexpr unsigned width = 64;
  Bits<Pool::index_bits> f;
  PTMC_INLINE Word(u64* words, unsigned offset) : f(words, offset) {}
  PTMC_INLINE operator u64() const { return current_pool->value(static_cast<u64>(f)); }
  PTMC_INLINE Word& operator=(u64 x) {
    f = current_pool->index(x);
    return *this;
  }
  PTMC_INLINE Word& operator=(const Word& x) {
    f = static_cast<u64>(x.f);
    return *this;
  }
};

template <unsigned N>
unsigned offset(const Bits<N>& f) {
  return f.o;
}
inline unsigned offset(const Flag& f) { return f.f.o; }
inline unsigned offset(const Word& f) { return f.f.o; }

template <class T>
struct Layout;
/// Where a part of `bits` bits goes if the next free bit is `at`: in one word, or at the start of a word.
constexpr unsigned place(unsigned at, unsigned bits) {
  const bool fits = bits <= 64 && at / 64 == (at + bits - 1) / 64;
  return fits ? at : (at + 63) / 64 * 64;
}
/// Bit offset of element `i` in an array of elements of `bits` bits that holds `n` of them.
constexpr unsigned element(unsigned bits, u64 n, u64 i) {
  if (bits * n <= 64) return static_cast<unsigned>(i) * bits;
  if (bits > 64) return static_cast<unsigned>(i) * ((bits + 63) / 64 * 64);
  const unsigned per = 64 / bits;
  return static_cast<unsigned>(i / per * 64 + i % per * bits);
}

template <class T>
PTMC_INLINE constexpr T view(u64* p, unsigned o);

template <class T, u64 n, By by = By::none>
struct Array {
  static constexpr u64 size = n;
  static constexpr By index = by;
  u64* p;
  unsigned o;
  PTMC_INLINE constexpr Array(u64* words, unsigned offset) : p(words), o(offset) {}
  Array(const Array&) = delete;
  PTMC_INLINE constexpr T operator[](u64 i) { return view<T>(p, offset_of(i)); }
  PTMC_INLINE constexpr const T operator[](u64 i) const { return view<T>(p, offset_of(i)); }

 private:
  PTMC_INLINE constexpr unsigned offset_of(u64 i) const {
    const unsigned at = o + element(Layout<T>::bits, n, i);
    if constexpr (Layout<T>::bits * n <= 64)  // Spares the compiler to compute which word.
      if (at / 64 != o / 64) __builtin_unreachable();
    return at;
  }
};

template <unsigned N>
struct Layout<Bits<N>> {
  static constexpr unsigned bits = N;
};
template <>
struct Layout<Flag> {
  static constexpr unsigned bits = 1;
};
template <>
struct Layout<Word> {
  static constexpr unsigned bits = Pool::index_bits;
};
template <class T, u64 n, By by>
struct Layout<Array<T, n, by>> {
  static constexpr unsigned bits = element(Layout<T>::bits, n, n - 1) + Layout<T>::bits;
};
template <class T, std::size_t I>
using Member =
    std::remove_cvref_t<decltype(hana::second(hana::at_c<I>(hana::accessors<T>()))(std::declval<T&>()))>;
template <Structure T>
struct Layout<T> {
  static constexpr std::size_t members = decltype(hana::length(hana::accessors<T>()))::value;
  static constexpr auto offsets = []<std::size_t... I>(std::index_sequence<I...>) {
    std::array<unsigned, members + 1> o{};
    unsigned at = 0;
    ((o[I] = place(at, Layout<Member<T, I>>::bits), at = o[I] + Layout<Member<T, I>>::bits), ...);
    o[members] = at;
    return o;
  }
  (std::make_index_sequence<members>{});
  static constexpr unsigned bits = offsets[members];
};

/// Most elements of an array by that kind of index in T; 1 for By::none.
template <class T>
constexpr u64 extent(By by) {
  u64 most = by == By::none ? 1 : 0;
  if constexpr (Structure<T>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((most = std::max(most, extent<Member<T, I>>(by))), ...);
    }
    (std::make_index_sequence<Layout<T>::members>{});
  } else if constexpr (Indexed<T>) {
    most = std::max(T::index == by ? T::size : most,
                    extent<std::remove_cvref_t<decltype(std::declval<T&>()[0])>>(by));
  }
  return most;
}

/// The structure T whose first bit is bit `o` of the words at `p`.
template <class T>
PTMC_INLINE constexpr T view(u64* p, unsigned o) {
  if constexpr (Structure<T>)
    return [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      return T{view<Member<T, I>>(p, o + Layout<T>::offsets[I])...};
    }
  (std::make_index_sequence<Layout<T>::members>{});
  else return T(p, o);
}

template <class T, u64 n, By by>
PTMC_INLINE constexpr const T at(const Array<T, n, by>& a, u64 i) {
  if (__builtin_expect(i >= n, 0)) throw_width_error(i, bits_for(n));
  return a[i];
}
template <class T, u64 n, By by, class F>
PTMC_INLINE constexpr void update(Array<T, n, by>& a, u64 i, F body) {
  if (__builtin_expect(i >= n, 0)) throw_width_error(i, bits_for(n));
  auto&& x = a[i];
  body(x);
}
template <class T, u64 n, By by, class F>
PTMC_INLINE constexpr void update(Array<T, n, by>&& a, u64 i, F body) {
  update(a, i, body);
}

}  // namespace packed

struct Packed {
  template <unsigned N>
  using Bits = packed::Bits<N>;
  using Flag = packed::Flag;
  using Word = packed::Word;
  template <class T, u64 n, By by = By::none>
  using Array = packed::Array<T, n, by>;
};

}  // namespace ptmc
