// Which entries make a batch, and what becomes of any number of them: U3, U4, U6.
#include "properties/mprotect/mutants.hpp"

namespace ptmc::mprotect {
namespace {

// ---- mutated functions ----
template <class A>
struct KeyKeepsYoung : A {
  struct Rules : Decide<A, Rules> {
    static constexpr auto pte_batch_clear_ignored(const auto& e, u64 flags) {
      return Decide<A>::pte_batch_clear_ignored(e, flags) | (e & A::hw_mark_accessed(u64{0}));
    }
  };
};
template <class A>
struct FoldForgetsYoung : A {
  struct Rules : Decide<A, Rules> {
    static constexpr auto fold(const auto& merged, const auto& next) {
      return ite(A::pte_dirty(next), wide(A::pte_mkdirty(merged)), wide(merged));
    }
  };
};
template <class A>
struct FoldTakesLast : A {
  struct Rules : Decide<A, Rules> {
    static constexpr auto fold(const auto& merged, const auto& next) { return Decide<A>::fold(next, merged); }
  };
};
template <class A>
struct FoldOrs : A {
  struct Rules : Decide<A, Rules> {
    static constexpr auto fold(const auto& merged, const auto& next) { return merged | next; }
  };
};
template <class A>
struct AsksFromTheHead : A {  // Before cf1b80dc31a1.
  struct Rules : Decide<A, Rules> {
    static constexpr auto exclusive_page(const auto&, const auto& i) { return wide(i); }
  };
};
template <class A>
struct RunsPastTheEnd : A {
  struct Rules : Decide<A, Rules> {
    static constexpr auto sub_batch_goes_on(const auto& i, const auto& start, const auto& max_len,
                                            const auto& exclusive, const auto& expected) {
      return i <= start + max_len && exclusive == expected;
    }
  };
};
template <class A>
struct OneDecision : A {  // The first page's flag for the whole batch.
  struct Rules : Decide<A, Rules> {
    static constexpr auto sub_batch_goes_on(const auto& i, const auto& start, const auto& max_len,
                                            const auto&, const auto&) {
      return i < start + max_len;
    }
  };
};

Law key() {
  return law("U3", "entries of one batch are equal, frames counted on, but for A and D", on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b(w);
               constexpr u64 soft = A::is_x86 ? x86::Bits::soft_dirty : 0;
               return b.says(b.one_batch(), ((b.first ^ b.entry) & ~(Batch<A>::marks() & ~soft)) == 0);
             })
      .template twin<KeyIgnoresWrite>("ignores_write", "the key leaves out FPB_RESPECT_WRITE")
      .template twin<KeyIgnoresSoftDirty>("ignores_soft_dirty", "the key leaves out FPB_RESPECT_SOFT_DIRTY",
                                          on_x86_6_12)
      .template twin<KeyIgnoresUffd>("ignores_uffd_wp", "the key leaves out uffd-wp");
}

Law key_is_exact() {
  return law("U3_exact", "entries that differ in A and D alone do make a batch", on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               using R = typename Batch<A>::R;
               const Batch<A> b(w);
               const auto e = b.first;
               const auto with = [&](const sym::Word& other) {
                 return R::batches_with(b.first, other, b.k, R::batch_flags);
               };
               return b.says({}, with(e) && with(A::pte_mkold(e)) && with(A::pte_mkyoung(e)) &&
                                     with(A::pte_mkclean(e)));
             })
      .template twin<KeyKeepsYoung>("keeps_young", "the key does not ignore A");
}

Law fold_step() {
  return law("U4",
             "folding one more entry keeps what the fold has: dirty and young of all, everything else of "
             "the first; so after any number",
             on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               using R = typename Batch<A>::R;
               const Batch<A> b(w);
               const auto m = b.merged();  // Of everything up to here; `entry` is the next.
               const sym::Word next = R::fold(m, b.entry);
               return b.says(b.normal(m, "the merged word is no shadow-stack leaf"),
                             A::pte_dirty(next) == (A::pte_dirty(m) || A::pte_dirty(b.entry)) &&
                                 A::pte_young(next) == (A::pte_young(m) || A::pte_young(b.entry)) &&
                                 b.truth(A::pte_soft_dirty(next)) ==
                                     (A::pte_soft_dirty(m) || (A::has_soft_dirty && A::pte_dirty(b.entry))) &&
                                 A::pte_write(next, w.cpu) == A::pte_write(m, w.cpu) &&
                                 ((next ^ m) & ~Batch<A>::marks()) == 0);
             })
      .template twin<FoldForgetsDirty>("forgets_dirty", "the fold does not take over D")
      .template twin<FoldForgetsYoung>("forgets_young", "the fold does not take over A")
      .template twin<FoldTakesLast>("takes_last", "the fold keeps the last entry instead of the first")
      .template twin<FoldOrs>("ors_words", "the fold or-s whole words");
}

Law fold_of_many() {
  return law("U4_rest",
             "two entries fold like one that is dirty if either is and young if either is: one word stands "
             "for any number",
             on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               using R = typename Batch<A>::R;
               const Batch<A> b(w);
               const auto& both = w.q;
               return b.says(
                   {given("q is as dirty and young as entry and rest together", "its definition",
                          A::pte_dirty(both) == (A::pte_dirty(b.entry) || A::pte_dirty(b.rest)) &&
                              A::pte_young(both) == (A::pte_young(b.entry) || A::pte_young(b.rest)))},
                   R::fold(R::fold(b.first, b.rest), b.entry) == R::fold(b.first, both));
             })
      .template twin<FoldOrs>("ors_words", "the fold or-s whole words");
}

// commit_anon_folio_batch over a batch of `size` entries that begins at page `page` of its folio. k: an
// arbitrary entry; own: PageAnonExclusive of its page.
//   outer loop: entries before idx are committed, nr_ptes = size - idx remain; k is among the committed if it
//     is below idx, then with its own flag, and only then
//   inner loop: entries idx..i-1 have the flag `expected`
template <class A>
struct Partition {
  using R = typename RulesOf<A>::type;
  const Batch<A>& b;
  sym::Word k, page, size, idx, i;  // A page table has 512 entries.
  sym::Bool own, read, expected, done, with;
  explicit Partition(const Batch<A>& batch)
      : b(batch),
        k(b.word("k", 10)),
        page(b.word("page", 10)),
        size(b.word("size", 10)),
        idx(b.word("idx", 10)),
        i(b.word("i", 10)),
        own(b.flag("own")),
        read(b.flag("read")),
        expected(b.flag("expected")),
        done(b.flag("done")),
        with(b.flag("with")) {}
  std::vector<z3::expr> inputs() const {
    return {k.e, page.e, size.e, idx.e, i.e, own.e, read.e, expected.e, done.e, with.e};
  }
  sym::Bool outer(const sym::Word& at, const sym::Bool& committed, const sym::Bool& write) const {
    return at <= size && committed == (k < at) && implies(committed, write == own);
  }
  sym::Bool inner(const sym::Word& at, const sym::Bool& flag) const {
    return idx < at && at <= size && implies(idx <= k && k < at, own == flag);
  }
  /// What reading the flag for entry `at` says, if `flag` came out.
  sym::Bool reads(const sym::Word& at, const sym::Bool& flag) const {
    return implies(R::exclusive_page(page, at) == page + k, flag == own);
  }
};

Law partition() {
  return law("U6",
             "sub-batches cover each entry of the batch once, each with the PageAnonExclusive of its own "
             "page, however many there are",
             on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               using R = typename Batch<A>::R;
               const Batch<A> b(w);
               const Partition<A> p(b);
               const auto outer = p.outer(p.idx, p.done, p.with), inner = p.inner(p.i, p.expected);
               const auto left = p.size - p.idx;
               const auto begins = p.outer(w.n.literal(0), b.truth(false), p.with);
               // while (nr_ptes): the run's first entry.
               const auto starts =
                   implies(outer && left != 0 && p.reads(p.idx, p.read), p.inner(p.idx + 1, p.read));
               // page_anon_exclusive_sub_batch: one more.
               const auto grows = implies(outer && inner && p.reads(p.i, p.read) &&
                                              R::sub_batch_goes_on(p.i, p.idx, left, p.read, p.expected),
                                          p.inner(p.i + 1, p.expected));
               // prot_commit_flush_ptes(idx, len, expected).
               const auto len = p.i - p.idx;
               const auto hit = p.idx <= p.k && p.k < p.i;
               const auto commits =
                   implies(outer && inner,
                           len != 0 && p.idx + len <= p.size && !(hit && p.done) &&
                               p.outer(p.idx + len, p.done || hit, (hit && p.expected) || (!hit && p.with)));
               const auto ends = implies(outer && left == 0, p.done && p.with == p.own);
               return b.says({given("k is an entry of the batch", "its definition", p.k < p.size)},
                             begins && starts && grows && commits && ends, p.inputs());
             })
      .template twin<AsksFromTheHead>("asks_from_the_head",
                                      "page i of the folio is asked for entry i (before cf1b80dc31a1)")
      .template twin<OneDecision>("one_decision", "the first page's flag decides for all")
      .template twin<RunsPastTheEnd>("runs_past_the_end", "a run may take one entry more than remain");
}

}  // namespace

void add_fold_laws(std::vector<Law>& book) {
  for (const Law& law : {key(), key_is_exact(), fold_step(), fold_of_many(), partition()})
    book.push_back(law);
}

}  // namespace ptmc::mprotect
