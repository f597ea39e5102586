// The symbolic domain for states: fields, arrays with value semantics, and the functions that model text
// calls.
//
// What the other domains refuse at run time (a value too wide for its field, an index out of range) goes to
// the innermost NarrowingLog as a proof obligation, under the condition of the `when` around it.
#pragma once
#include "checker/symbolic/word.hpp"
#include "model/core/reflect.hpp"

namespace ptmc {
namespace sym {

/// `n` elements, copied with the array. A constant index must be in range.
template <class T, u64 n, By by = By::none>
struct Array {
  static constexpr u64 size = n;
  static constexpr By index = by;
  std::array<T, n> a;
  T& operator[](u64 i) { return a.at(i); }
  const T& operator[](u64 i) const { return a.at(i); }
};

/// Calls next.template operator()<L>() for each leaf type L of T, in declaration order, and puts the results
/// together: terms have no default value.
template <class T, class Next>
T build(Next& next) {
  if constexpr (Structure<T>) return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return T{build<std::remove_cvref_t<decltype(hana::second(hana::at_c<I>(hana::accessors<T>()))(
          std::declval<T&>()))>>(next)...};
    }
  (std::make_index_sequence<decltype(hana::length(hana::accessors<T>()))::value>{});
  else if constexpr (Indexed<T>) return [&]<std::size_t... I>(std::index_sequence<I...>) {
    using Element = std::remove_cvref_t<decltype(std::declval<T&>()[0])>;
    return T{{(static_cast<void>(I), build<Element>(next))...}};
  }
  (std::make_index_sequence<T::size>{});
  else return next.template operator()<T>();
}

template <class T>
std::vector<z3::expr> leaves(const T& x) {
  std::vector<z3::expr> terms;
  for_each_leaf(x, [&](const auto& leaf) { terms.push_back(leaf.e); });
  return terms;
}

/// c ? a : b, without a new term where that is one of them.
z3::expr pick(const z3::expr& c, const z3::expr& a, const z3::expr& b);

/// x = c ? x : otherwise, leaf by leaf.
template <class T>
void merge(const Bool& c, T& x, const T& otherwise) {
  for_each_leaf_pair(x, otherwise, [&](auto& leaf, const auto& old) { leaf.e = pick(c.e, leaf.e, old.e); });
}

inline Word load(const Word& field) { return field; }
inline Bool load(const Bool& field) { return field; }
inline Bool ite(const Bool& c, bool a, bool b) { return ite(c, a, Bool(c.e.ctx().bool_val(b))); }

/// The body writes `s` only: what else it reaches is not undone where `c` fails.
template <class S, class F>
void when(const Bool& c, S&& s, F body) {
  const std::remove_cvref_t<S> before = s;
  const std::vector<Obligation> obligations = [&] {
    const NarrowingLog log;
    body(s);
    return log.obligations();
  }();
  for (const Obligation& o : obligations) require(o.what, z3::implies(c.e, o.term));
  merge(c, s, before);
}

void require_below(const Word& index, u64 n);

template <class T, u64 n, By by>
const T& at(const Array<T, n, by>& a, u64 i) {
  return a[i];
}
template <class T, u64 n, By by>
T at(const Array<T, n, by>& a, const Word& i) {
  require_below(i, n);
  T value = a[n - 1];
  for (u64 k = n - 1; k-- > 0;) {
    T other = a[k];
    merge(i == k, other, value);
    value = other;
  }
  return value;
}

template <class T, u64 n, By by, class F>
void update(Array<T, n, by>& a, u64 i, F body) {
  body(a[i]);
}
/// Runs the body once, on a copy of the element, then puts each leaf that it changed where the index says.
template <class T, u64 n, By by, class F>
void update(Array<T, n, by>& a, const Word& i, F body) {
  T element = at(a, i);
  const std::vector<z3::expr> before = leaves(element);
  body(element);
  const std::vector<z3::expr> after = leaves(element);
  for (u64 k = 0; k < n; ++k) {
    const Bool here = i == k;
    std::size_t l = 0;
    for_each_leaf(a[k], [&](auto& leaf) {
      if (!z3::eq(before[l], after[l])) leaf.e = pick(here.e, after[l], leaf.e);
      ++l;
    });
  }
}

}  // namespace sym

struct Symbolic {
  template <unsigned N>
  using Bits = sym::Bits<N>;
  using Flag = sym::Bool;
  using Word = sym::Bits<64>;
  template <class T, u64 n, By by = By::none>
  using Array = sym::Array<T, n, by>;
};

}  // namespace ptmc
