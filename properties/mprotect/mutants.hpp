// Functions of change_pte_range with one of them changed, for the bad twins of more than one file of laws,
// and the layouts with one helper changed that they share with properties/words.
#pragma once
#include "properties/mprotect/batch.hpp"
#include "properties/words/mutants.hpp"

namespace ptmc::mprotect {

using words::FlushIgnoresWrite;
using words::ModifyForgetsDirty;
using words::ModifyForgetsUffd;
using words::ModifyForgetsYoung;
using words::ModifyKeepsWrite;
using words::ModifyWithoutInversion;
using words::ModifyWithoutRedirty;
using words::ProtnoneCleans;
using words::UffdKeepsWrite;

template <class A>
struct KeyIgnoresWrite : A {  // As before 57fae936b40c.
  struct Rules : Decide<A, Rules> {
    static constexpr u64 batch_flags = fpb_respect_soft_dirty;
  };
};
template <class A>
struct KeyIgnoresSoftDirty : A {
  struct Rules : Decide<A, Rules> {
    static constexpr u64 batch_flags = fpb_respect_write;
  };
};
template <class A>
struct KeyIgnoresUffd : A {
  struct Rules : Decide<A, Rules> {
    static constexpr auto pte_batch_clear_ignored(const auto& e, u64 flags) {
      return Decide<A>::pte_batch_clear_ignored(A::pte_clear_uffd_wp(e), flags);
    }
  };
};
template <class A>
struct FoldForgetsDirty : A {
  struct Rules : Decide<A, Rules> {
    static constexpr auto fold(const auto& merged, const auto& next) {
      return ite(A::pte_young(next), wide(A::pte_mkyoung(merged)), wide(merged));
    }
  };
};
template <class A>
struct AsV1 : A {  // More than one entry, no reason to think that the folio is shared.
  struct Rules : Decide<A, Rules> {
    static constexpr auto can_change_pte_writable(const auto& vma, const auto& pte, const auto& anon,
                                                  const auto& exclusive) {
      return Decide<A>::can_change_ptes_writable_v1(vma, pte, anon, exclusive, true, false);
    }
  };
};

}  // namespace ptmc::mprotect
