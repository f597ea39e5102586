// A batch against the loop over single entries: U5 (flush), U7 (words), H3 and H5.
#include "properties/mprotect/mutants.hpp"

namespace ptmc::mprotect {
namespace {

// ---- mutated functions ----
template <class A>
struct KeyIgnoresUser : A {
  struct Rules : Decide<A, Rules> {
    static constexpr auto pte_batch_clear_ignored(const auto& e, u64 flags) {
      return Decide<A>::pte_batch_clear_ignored(e & ~A::user, flags);
    }
  };
};
template <class A>
struct NoFlush : A {
  static constexpr bool pte_needs_flush(const auto&, const auto&) { return false; }
};
template <class A>
struct UpgradesUntried : A {
  struct Rules : Decide<A, Rules> {
    template <class P, class F, class C = NoFeatures>
    static constexpr auto tries_writable(const P& ptent, const F&, const C& cpu = {}) {
      return !A::pte_write(ptent, cpu);
    }
  };
};

template <class A>
struct FlushComparesRights : A {  // arm64, if it looked before it flushed.
  static constexpr auto pte_needs_flush(const auto& o, const auto& n) {
    return arch::any((o ^ n) & ~(A::af | A::dirty), ~u64{0});
  }
};

Law flush() {
  return law("U5",
             "without a flush, the new word of an entry grants whatever a TLB may hold of the old one: "
             "rights, frame, key, D; for every entry, by one decision on the merged word",
             on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b(w);
               Premises premises;
               if constexpr (A::is_x86)
                 premises = b.one_batch() + b.folded() + b.normal(b.entry, "entry is no shadow-stack leaf") +
                            b.saved_dirty_read_only(b.first, "first has SavedDirty only if it is read-only");
               return b.says(premises, b.flushed(b.flushes(b.merged())));
             })
      .template twin<KeyIgnoresWrite>("ignores_write", "the key leaves out FPB_RESPECT_WRITE", on_x86_6_12)
      .template twin<KeyIgnoresUser>("ignores_user", "the key leaves out the user bit", on_x86_6_12)
      .template twin<FoldForgetsDirty>("forgets_dirty", "the fold does not take over D", on_x86_6_12)
      .template twin<NoFlush>("no_flush", "nobody flushes")
      .template twin<FlushIgnoresWrite>("flush_ignores_write", "the decision ignores the right to write");
}

Law flush_by_first() {
  return law("U5_first",
             "the first entry's own word in place of the merged one would decide well too, as long as D is "
             "merged into what is stored",
             on_x86_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b(w);
               return b.says(
                   b.one_batch() + b.folded() + b.normal(b.entry, "entry is no shadow-stack leaf") +
                       b.saved_dirty_read_only(b.first, "first has SavedDirty only if it is read-only"),
                   b.flushed(b.flushes(b.first)));
             })
      .template twin<FoldForgetsDirty>("forgets_dirty", "the fold does not take over D");
}

template <class A>
Premises comparable(const Batch<A>& b) {
  return b.one_batch() + b.present() + b.folded() + b.normal(b.first, "first is no shadow-stack leaf") +
         b.normal(b.entry, "entry is no shadow-stack leaf") + b.normal_vma() + b.sane_prot() +
         b.supported_prot();
}

Law refines() {
  return law("U7",
             "an entry gets in the batch what the loop over single entries gives it, but for A, D and "
             "(x86-64) soft-dirty of the batch; and it is writable in the batch alone exactly where "
             "another's D stood in: shared and clean, or tracked and not soft-dirty",
             on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b(w);
               return b.says(comparable(b), b.marks_are_the_batchs() && b.gains_are_named());
             })
      .template twin<FoldForgetsDirty>("forgets_dirty", "the fold does not take over D")
      .template twin<KeyIgnoresSoftDirty>("ignores_soft_dirty", "the key leaves out FPB_RESPECT_SOFT_DIRTY",
                                          on_x86_6_12)
      .template twin<KeyIgnoresUffd>("ignores_uffd_wp", "the key leaves out uffd-wp")
      .template twin<UpgradesUntried>("untried", "the upgrade is tried unasked")
      .template twin<AsV1>("v1", "a batch of a private mapping asks only whether the folio seems shared");
}

Law strict_private() {
  return law("U7_private",
             "apart from A and D, a batch of a private mapping stores what the loop over single entries "
             "stores",
             on_arm64_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b(w);
               Premises premises = b.one_batch();
               premises.push_back(given("the mapping is private", "shared ones: law U7_shared",
                                        !arch::any(b.vma.flags, vm::shared)));
               return b.says(premises, ((b.batched() ^ b.single()) & ~Batch<A>::marks()) == 0);
             })
      .template twin<AsV1>("v1", "a batch of a private mapping asks only whether the folio seems shared");
}

// Two entries, as they may be found.
template <class A>
Premises two(const Batch<A>& b) {
  return b.one_batch() + b.prot_of_vma() + b.full_cpu() + b.typical() + b.no_shadow_stack();
}

Law strict_soft_dirty() {
  return law("H3",
             "apart from A and D, a batch of a private mapping stores what the loop over single entries "
             "stores",
             on_x86_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b = pair_of<A>(w);
               constexpr u64 marks = A::accessed | A::dirty | A::saved_dirty;
               Premises premises = two(b);
               premises.push_back(given("the mapping is private", "shared ones: law U7_shared",
                                        !arch::any(b.vma.flags, vm::shared)));
               return b.says(premises, ((b.batched() ^ b.single()) & ~(marks | A::rw)) == 0);
             })
      .expect(Verdict::violated);
}

Law soft_dirty_write() {
  return law("H3_write",
             "a batch of a private mapping makes no entry writable that the loop over single entries would "
             "leave write-protected for soft-dirty",
             on_x86_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b = pair_of<A>(w);
               Premises premises = two(b);
               premises.push_back(given("the mapping is private", "shared ones: law U7_shared",
                                        !arch::any(b.vma.flags, vm::shared)));
               return b.says(premises,
                             implies(A::pte_write(b.batched(), w.cpu), A::pte_write(b.single(), w.cpu)));
             })
      .expect(Verdict::violated);
}

Law shared_write() {
  return law("U7_shared",
             "a batch of a shared mapping makes no clean entry writable that the loop over single entries "
             "would leave write-protected for the file system",
             on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b = pair_of<A>(w);
               Premises premises = two(b);
               premises.push_back(given("the mapping is shared and not tracked for soft-dirty",
                                        "private ones: H3",
                                        arch::all(b.vma.flags, vm::shared | vm::soft_dirty)));
               return b.says(premises,
                             implies(A::pte_write(b.batched(), w.cpu), A::pte_write(b.single(), w.cpu)));
             })
      .expect(Verdict::violated);
}

Law sound() {
  return law("H5",
             "outside shadow stacks a batch loses no A, no D and no soft-dirty, grants no right that the "
             "loop over single entries does not, but where U7 says, and misses no flush",
             on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b(w);
               return b.says(
                   b.one_batch() + b.folded() + b.normal(b.first, "first is no shadow-stack leaf") +
                       b.normal(b.entry, "entry is no shadow-stack leaf") +
                       b.saved_dirty_read_only(b.first, "first has SavedDirty only if it is read-only"),
                   b.keeps_marks() && b.gains_have_a_reason() && b.flushed(b.flushes(b.merged())));
             })
      .template twin<KeyIgnoresWrite>("ignores_write", "the key leaves out FPB_RESPECT_WRITE", on_x86_6_12)
      .template twin<FoldForgetsDirty>("forgets_dirty", "the fold does not take over D")
      .template twin<NoFlush>("no_flush", "nobody flushes");
}

Law no_leak() {
  return law("H5_no_leak",
             "also without FPB_RESPECT_WRITE no entry becomes writable by another's right: the right to "
             "write comes from newprot and the upgrade",
             on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<KeyIgnoresWrite<A>> b(w);
               Premises premises = b.one_batch() + b.folded() +
                                   b.normal(b.first, "first is no shadow-stack leaf") +
                                   b.normal(b.entry, "entry is no shadow-stack leaf");
               if constexpr (!A::is_x86) premises = premises + b.sane_prot();
               return b.says(premises, b.gains_are_named());
             })
      .template twin<ModifyKeepsWrite>("keeps_write", "pte_modify keeps the old right to write");
}

Law no_missed_flush() {
  return law("H5_no_flush_missed",
             "also without FPB_RESPECT_WRITE no flush is missed on arm64, which flushes always (on x86-64 "
             "some are: U5/ignores_write)",
             on_arm64_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<KeyIgnoresWrite<A>> b(w);
               return b.says({}, b.flushed(b.flushes(b.merged())));
             })
      .template twin<FlushComparesRights>("compares", "arm64 flushes only if the words differ in a right");
}

}  // namespace

void add_refine_laws(std::vector<Law>& book) {
  for (const Law& law : {flush(), flush_by_first(), refines(), strict_private(), shared_write(),
                         strict_soft_dirty(), soft_dirty_write(), sound(), no_leak(), no_missed_flush()})
    book.push_back(law);
}

}  // namespace ptmc::mprotect
