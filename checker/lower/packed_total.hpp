// The packed domain once more, for effects that run before it is known whether their guard holds: nothing
// throws.
//
// A state is the word p[0]; what did not fit a field, or an index out of range, leaves a bit in p[1].
#pragma once
#include "checker/lower/packed.hpp"

namespace ptmc {
namespace packed {

template <unsigned N>
struct TotalBits {
  static constexpr unsigned width = N;
  u64* p;
  unsigned o;
  PTMC_INLINE constexpr TotalBits(u64* words, unsigned offset) : p(words), o(offset) {}
  TotalBits(const TotalBits&) = delete;
  PTMC_INLINE constexpr operator u64() const { return (p[0] >> o) & low_bits(N); }
  PTMC_INLINE constexpr TotalBits& operator=(u64 x) {
    if constexpr (N < 64) p[1] |= x >> N;
    p[0] = (p[0] & ~(low_bits(N) << o)) | ((x & low_bits(N)) << o);
    return *this;
  }
  PTMC_INLINE constexpr TotalBits& operator=(const TotalBits& x) { return *this = static_cast<u64>(x); }
};

struct TotalFlag {
  static constexpr unsigned width = 1;
  TotalBits<1> f;
  PTMC_INLINE constexpr TotalFlag(u64* words, unsigned offset) : f(words, offset) {}
  PTMC_INLINE constexpr operator bool() const { return static_cast<u64>(f) != 0; }
  PTMC_INLINE constexpr TotalFlag& operator=(bool b) {
    f = u64{b};
    return *this;
  }
  PTMC_INLINE constexpr TotalFlag& operator=(const TotalFlag& x) { return *this = static_cast<bool>(x); }
};

template <class T, u64 n, By by = By::none>
struct TotalArray : Array<T, n, by> {
  using Array<T, n, by>::Array;
};

template <unsigned N>
struct Layout<TotalBits<N>> : Layout<Bits<N>> {};
template <>
struct Layout<TotalFlag> : Layout<Flag> {};
template <class T, u64 n, By by>
struct Layout<TotalArray<T, n, by>> : Layout<Array<T, n, by>> {};

template <class T, u64 n, By by>
PTMC_INLINE constexpr const T at(const TotalArray<T, n, by>& a, u64 i) {
  a.p[1] |= i >= n;
  return a[i < n ? i : 0];
}
template <class T, u64 n, By by, class F>
PTMC_INLINE constexpr void update(TotalArray<T, n, by>& a, u64 i, F body) {
  a.p[1] |= i >= n;
  auto&& x = a[i < n ? i : 0];
  body(x);
}
template <class T, u64 n, By by, class F>
PTMC_INLINE constexpr void update(TotalArray<T, n, by>&& a, u64 i, F body) {
  update(a, i, body);
}

/// Whether a state of this type can be a single word without interned words, whose pool a wrong guess would
/// fill.
template <class T>
constexpr bool one_plain_word() {
  if constexpr (std::is_same_v<T, Word>)
    return false;
  else if constexpr (Structure<T>)
    return Layout<T>::bits <= 64 &&[]<std::size_t... I>(std::index_sequence<I...>) {
      return (one_plain_word<Member<T, I>>() && ...);
    }
  (std::make_index_sequence<Layout<T>::members>{});
  else if constexpr (Indexed<T>) return one_plain_word<
      std::remove_cvref_t<decltype(std::declval<T&>()[0])>>();
  else return true;
}

}  // namespace packed

struct PackedTotal {
  template <unsigned N>
  using Bits = packed::TotalBits<N>;
  using Flag = packed::TotalFlag;
  using Word = packed::Word;  // Not in a state of this domain.
  template <class T, u64 n, By by = By::none>
  using Array = packed::TotalArray<T, n, by>;
};

}  // namespace ptmc
