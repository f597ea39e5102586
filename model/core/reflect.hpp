// Reflection over nested state structs (Boost.Hana), in every domain: names, copying, clearing.
#pragma once
#include <boost/hana/accessors.hpp>
#include <boost/hana/at.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/define_struct.hpp>
#include <boost/hana/first.hpp>
#include <boost/hana/length.hpp>
#include <boost/hana/second.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/unpack.hpp>
#include <string>
#include <utility>
#include <vector>

#include "model/core/domain.hpp"

namespace ptmc {

namespace hana = boost::hana;

template <class T>
concept Structure = hana::Struct<std::remove_cvref_t<T>>::value;
template <class T>
concept Indexed = requires {
  std::remove_cvref_t<T>::index;
};

/// visit(leaf) for each field, in declaration order.
template <class T, class Visit>
constexpr void for_each_leaf(T&& x, Visit&& visit) {
  using X = std::remove_cvref_t<T>;
  if constexpr (Structure<X>)
    hana::unpack(hana::accessors<X>(), [&](auto... a) { (for_each_leaf(hana::second(a)(x), visit), ...); });
  else if constexpr (Indexed<X>)
    for (u64 i = 0; i < X::size; ++i) for_each_leaf(x[i], visit);
  else
    visit(x);
}

/// visit(leaf of a, leaf of b) for two values of one shape, e.g. in two domains.
template <class T, class U, class Visit>
constexpr void for_each_leaf_pair(T&& a, U&& b, Visit&& visit) {
  using X = std::remove_cvref_t<T>;
  using Y = std::remove_cvref_t<U>;
  if constexpr (Structure<X>) {
    constexpr std::size_t n = decltype(hana::length(hana::accessors<X>()))::value;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (for_each_leaf_pair(hana::second(hana::at_c<I>(hana::accessors<X>()))(a),
                          hana::second(hana::at_c<I>(hana::accessors<Y>()))(b), visit),
       ...);
    }
    (std::make_index_sequence<n>{});
  } else if constexpr (Indexed<X>) {
    for (u64 i = 0; i < X::size; ++i) for_each_leaf_pair(a[i], b[i], visit);
  } else {
    visit(a, b);
  }
}

/// Copies a structure field by field; plain `=` would copy a reference in the packed domain.
template <class T, class U>
constexpr void assign(T&& to, const U& from) {
  for_each_leaf_pair(to, from, [](auto& x, const auto& y) { x = load(y); });
}
/// Sets every field to zero.
template <class T>
constexpr void clear(T&& x) {
  for_each_leaf(x, [](auto& leaf) { leaf = 0; });
}

/// An index on the way to a field: which kind, which value.
struct PathIndex {
  By by;
  u64 value;
};

/// visit(name, leaf, indices): name is "tlb[0][1].frame".
template <class T, class Visit>
void for_each_named_leaf(T&& x, const std::string& name, std::vector<PathIndex>& indices, Visit&& visit) {
  using X = std::remove_cvref_t<T>;
  if constexpr (Structure<X>) {
    const std::string before = name + (name.empty() ? "" : ".");
    hana::unpack(hana::accessors<X>(), [&](auto... a) {
      (for_each_named_leaf(hana::second(a)(x), before + hana::first(a).c_str(), indices, visit), ...);
    });
  } else if constexpr (Indexed<X>) {
    for (u64 i = 0; i < X::size; ++i) {
      indices.push_back({X::index, i});
      for_each_named_leaf(x[i], name + "[" + std::to_string(i) + "]", indices, visit);
      indices.pop_back();
    }
  } else {
    visit(name, x, indices);
  }
}

}  // namespace ptmc
