// What makes an entry writable, and who must agree: U8.
#include "properties/mprotect/mutants.hpp"

namespace ptmc::mprotect {
namespace {

// ---- mutated functions ----
template <class A>
struct SoftDirtyInverted : A {  // Before 76aefad628aa.
  struct Rules : Decide<A, Rules> {
    static constexpr auto pte_needs_soft_dirty_wp(const auto& vma, const auto& pte) {
      return arch::any(vma.flags, vm::soft_dirty) && !A::pte_soft_dirty(pte);
    }
  };
};
template <class A>
struct SoftDirtyUntracked : A {  // vm_page_prot keeps the right to write.
  struct Rules : Decide<A, Rules> {
    static constexpr bool vma_soft_dirty_enabled(const auto&) { return false; }
  };
};
template <class A>
struct UffdNotNotified : A {  // Before 51d3d5eb74ff.
  struct Rules : Decide<A, Rules> {
    static constexpr auto vma_wants_writenotify(const auto& vma) {
      return arch::all(vma.flags, vm::shared | vm::write) &&
             (vma.page_mkwrite || Decide<A>::vma_soft_dirty_enabled(vma) || vma.writeback);
    }
  };
};
template <class A>
struct UffdUnasked : A {
  struct Rules : Decide<A, Rules> {
    static constexpr bool userfaultfd_pte_wp(const auto&, const auto&) { return false; }
  };
};
template <class A>
struct WriteUnasked : A {
  struct Rules : Decide<A, Rules> {
    static constexpr auto maybe_change_pte_writable(const auto& vma, const auto& pte) {
      return !A::pte_protnone(pte) && !Decide<A>::pte_needs_soft_dirty_wp(vma, pte) &&
             !Decide<A>::userfaultfd_pte_wp(vma, pte);
    }
  };
};
template <class A>
struct AnonUnasked : A {
  struct Rules : Decide<A, Rules> {
    static constexpr auto can_change_private_pte_writable(const auto& vma, const auto& pte, const auto&,
                                                          const auto& exclusive) {
      return Decide<A>::maybe_change_pte_writable(vma, pte) && exclusive;
    }
  };
};
template <class A>
struct ExclusiveUnasked : A {
  struct Rules : Decide<A, Rules> {
    static constexpr auto can_change_private_pte_writable(const auto& vma, const auto& pte, const auto& anon,
                                                          const auto&) {
      return Decide<A>::maybe_change_pte_writable(vma, pte) && anon;
    }
  };
};
template <class A>
struct DirtyUnasked : A {
  struct Rules : Decide<A, Rules> {
    static constexpr auto can_change_shared_pte_writable(const auto& vma, const auto& pte) {
      return Decide<A>::maybe_change_pte_writable(vma, pte);
    }
  };
};
template <class A>
struct DirtyAskedOfAnon : A {  // Before d84887739d5c.
  struct Rules : Decide<A, Rules> {
    static constexpr auto can_change_private_pte_writable(const auto& vma, const auto& pte, const auto& anon,
                                                          const auto& exclusive) {
      return Decide<A>::can_change_private_pte_writable(vma, pte, anon, exclusive) && A::pte_dirty(pte);
    }
  };
};

// Nobody who did not consent reads what a store changes, or fails to hear of it. In words of its own: nothing
// here asks the functions under test.
template <class A>
struct Observers {
  sym::Bool owner, fork_sharers, soft_dirty, uffd, file_system;
  template <class M>
  Observers(const Batch<M>& b, const sym::Word& n)
      : owner(arch::any(b.vma.flags, vm::write)),
        fork_sharers(arch::any(b.vma.flags, vm::shared) || (b.anon && b.exclusive)),
        soft_dirty(b.truth(true)),
        uffd(!arch::any(b.vma.flags, vm::uffd_wp) || !A::pte_uffd_wp(n)),
        file_system(implies(arch::any(b.vma.flags, vm::shared) && (b.vma.page_mkwrite || b.vma.writeback),
                            A::pte_dirty(n))) {
    if constexpr (A::has_soft_dirty)
      soft_dirty = arch::any(b.vma.flags, vm::soft_dirty) || A::pte_soft_dirty(n);
  }
  sym::Bool consent() const { return owner && fork_sharers && soft_dirty && uffd && file_system; }
};

Law consent() {
  return law("U8",
             "a writable new word has everybody's consent: VM_WRITE; private: the page is anonymous and "
             "exclusive; tracked: soft-dirty; uffd-wp VMA: no mark; file system that asks: dirty",
             on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b(w);
               const auto n = b.stored(b.merged());
               return b.says(b.prot_of_vma() + b.normal(b.first, "first is no shadow-stack leaf"),
                             implies(A::pte_write(n, w.cpu), Observers<A>(b, n).consent()));
             })
      .template twin<SoftDirtyInverted>("soft_dirty_inverted",
                                        "VM_SOFTDIRTY is read the wrong way round (before 76aefad628aa)",
                                        on_x86_6_12)
      .template twin<SoftDirtyUntracked>("soft_dirty_untracked", "nobody asks whether soft-dirty is tracked",
                                         on_x86_6_12)
      .template twin<UffdNotNotified>("uffd_not_notified",
                                      "uffd-wp does not take the right to write from vm_page_prot (before "
                                      "51d3d5eb74ff)")
      .template twin<UffdUnasked>("uffd_unasked", "the upgrade does not ask for uffd-wp")
      .template twin<WriteUnasked>("write_unasked", "the upgrade does not ask for VM_WRITE")
      .template twin<AnonUnasked>("anon_unasked", "the upgrade does not ask for an anonymous page")
      .template twin<ExclusiveUnasked>("exclusive_unasked", "the upgrade does not ask for PageAnonExclusive")
      .template twin<DirtyUnasked>("dirty_unasked", "the upgrade of a shared entry does not ask for D")
      .template twin<AsV1>("v1", "a batch of a private mapping asks only whether the folio seems shared");
}

Law no_fault_left() {
  return law("U8_complete", "where everybody consents and the upgrade is asked for, the new word is writable",
             on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b(w);
               const auto n = b.stored(b.merged());
               Premises premises = b.prot_of_vma();
               premises.push_back(given("the upgrade is asked for",
                                        "vma_wants_manual_pte_write_upgrade, mm/mprotect.c",
                                        arch::any(b.cp, mm_cp_try_change_writable)));
               if constexpr (A::is_x86)
                 premises.push_back(given("shadow stacks are for CPUs that have them",
                                          "VM_SHADOW_STACK is 0 otherwise, include/linux/mm.h 6.12",
                                          w.cpu.shstk || !arch::any(b.vma.flags, vm::shadow_stack)));
               const auto asks = arch::any(b.vma.flags, vm::shared) && !A::pte_dirty(n);
               return b.says(premises,
                             implies(Observers<A>(b, n).consent() && !asks, A::pte_write(n, w.cpu)));
             })
      .template twin<DirtyAskedOfAnon>("dirty_asked_of_anon",
                                       "the upgrade asks for D of private entries too (before d84887739d5c)");
}

// Version 1 of the series on two entries of a large folio, mapped read-only, that seems to be nobody else's.
template <class A>
Statement version_1(const Words& w, bool anon) {
  const Batch<AsV1<A>> b = pair_of<AsV1<A>>(w);
  const auto n = b.batched();
  return b.says(
      b.one_batch() + b.full_cpu() + b.prot_of_vma() + b.typical() + b.no_shadow_stack() +
          Premises{given("the mapping is private", "MAP_PRIVATE", !arch::any(b.vma.flags, vm::shared)),
                   given("a fault mapped both read-only", "do_read_fault, mm/memory.c",
                         !A::pte_write(b.first) && !A::pte_write(b.entry)),
                   given(anon ? "the folio is anonymous" : "the folio is page cache", "folio_test_anon",
                         b.anon == anon)},
      implies(A::pte_write(n, w.cpu), Observers<A>(b, n).consent()));
}

Law v1_page_cache() {
  return law("v1_page_cache",
             "version 1 makes no page of the page cache writable in a private mapping: one process, no race",
             on_6_12, []<class A>(Is<A>, const Words& w) -> Statement { return version_1<A>(w, false); })
      .expect(Verdict::violated);
}

Law v1_not_exclusive() {
  return law("v1_not_exclusive",
             "version 1 makes no anonymous page writable that is not exclusive, though mapped by one "
             "process only (a child pinned it and unmapped)",
             on_6_12, []<class A>(Is<A>, const Words& w) -> Statement { return version_1<A>(w, true); })
      .expect(Verdict::violated);
}

}  // namespace

void add_write_laws(std::vector<Law>& book) {
  for (const Law& law : {consent(), no_fault_left(), v1_page_cache(), v1_not_exclusive()})
    book.push_back(law);
}

}  // namespace ptmc::mprotect
