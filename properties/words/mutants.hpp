// Layouts with one helper changed, for the bad twins of more than one law book.
#pragma once
#include "properties/words/law.hpp"

namespace ptmc::words {

template <class A>
struct ModifyForgetsDirty : A {
  static constexpr auto pte_modify(const auto& e, const auto& prot, const auto&... cpu) {
    if constexpr (A::is_x86)
      return A::pte_modify(e & ~A::dirty, prot, cpu...);
    else
      return A::pte_modify(e | A::rdonly, prot, cpu...);
  }
};
template <class A>
struct ModifyForgetsUffd : A {
  static constexpr auto pte_modify(const auto& e, const auto& prot, const auto&... cpu) {
    return A::pte_clear_uffd_wp(A::pte_modify(e, prot, cpu...));
  }
};
template <class A>
struct ModifyForgetsYoung : A {
  static constexpr auto pte_modify(const auto& e, const auto& prot, const auto&... cpu) {
    return A::pte_mkold(A::pte_modify(e, prot, cpu...));
  }
};
template <class A>
struct ModifyKeepsWrite : A {
  static constexpr auto pte_modify(const auto& e, const auto& prot, const auto&... cpu) {
    constexpr u64 w = A::is_x86 ? x86::Bits::rw : arm::Bits::write;
    return A::pte_modify(e, prot, cpu...) | (e & w);
  }
};
template <class A>
struct ModifyWithoutInversion : A {
  static constexpr auto pte_modify(const auto& e, const auto& prot, const auto&... cpu) {
    return arch::replace(A::pte_modify(e, prot, cpu...), e, A::pte_pfn_mask);
  }
};
template <class A>
struct ModifyWithoutRedirty : A {  // Before 3c0696076aad.
  static constexpr auto pte_modify(const auto& e, const auto& prot, const auto&...) {
    return arch::replace(arm::Entry<A>::fold_dirty(e), prot, arm::Pte<A>::modify_mask);
  }
};
template <class A>
struct ProtnoneCleans : A {
  static constexpr auto pte_modify(const auto& e, const auto& prot, const auto&... cpu) {
    const auto r = A::pte_modify(e, prot, cpu...);
    return ite(A::pte_valid(r), r, A::pte_mkclean(r));
  }
};
template <class A>
struct UffdKeepsWrite : A {  // Before f1eb1bacfba9.
  static constexpr auto pte_mkuffd_wp(const auto& e) { return e | A::uffd_wp; }
};
template <class A>
struct FlushIgnoresWrite : A {
  static constexpr auto pte_needs_flush(const auto& from, const auto& to) {
    if constexpr (A::is_x86)
      return A::pte_needs_flush(from & ~A::rw, to & ~A::rw);
    else
      return A::pte_pfn(from) != A::pte_pfn(to);
  }
};

}  // namespace ptmc::words
