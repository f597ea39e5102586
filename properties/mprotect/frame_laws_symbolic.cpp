// Why `first` may stand at entry's place: counting frames on commutes with all that is done to a word.
// U3_step, U7_frame, U7_count.
#include "properties/mprotect/batch.hpp"

namespace ptmc::mprotect {
namespace {

// ---- mutated functions ----
template <class A>
struct AdvanceWithoutInversion : A {
  static constexpr auto pte_advance_pfn(const auto& e, const auto& nr) { return e + (wide(nr) << 12); }
};
template <class A>
struct AdvanceOrs : A {
  static constexpr auto pte_advance_pfn(const auto& e, const auto& nr) { return e | (wide(nr) << 12); }
};
template <class A>
struct StoresFirstFrame : A {
  struct Rules : Decide<A, Rules> {
    static constexpr auto committed(const auto& ptent, const auto&) { return wide(ptent); }
  };
};
template <class A>
struct FlushOnEvenFrames : A {
  static constexpr auto pte_needs_flush(const auto& o, const auto& n) {
    return A::pte_needs_flush(o, n) && (A::pte_pfn(o) & 1) == 0;
  }
};
template <class A>
Premises next_frame(const Batch<A>& b) {
  return {given("the next page's frame exists",
                "folio_pte_batch_flags stops at the folio's end, 7b08b74f3d99",
                A::pte_pfn(b.first) < b.top_frame)};
}

Law key_loop() {
  return law("U3_step",
             "the loop's expected word, counted on by one page, is the key of the next page: so all "
             "entries are compared with the first, however many",
             on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               using R = typename Batch<A>::R;
               const Batch<A> b(w);
               const auto key = [](const sym::Word& e) {
                 return sym::Word(R::pte_batch_clear_ignored(e, R::batch_flags));
               };
               const sym::Word one = b.k.literal(1);
               const Premises premises = A::is_x86 ? next_frame(b) : Premises{};
               return b.says(premises,
                             A::pte_advance_pfn(key(b.first), one) == key(A::pte_advance_pfn(b.first, one)));
             })
      .template twin<AdvanceWithoutInversion>(
          "no_inversion", "pte_advance_pfn adds where the frame is inverted", on_x86_6_12);
}

Law frames() {
  return law("U7_frame",
             "fold, change, upgrade and the flush decision commute with counting the frame on by one page; "
             "so by any number",
             on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               using R = typename Batch<A>::R;
               const Batch<A> b(w);
               const sym::Word one = b.k.literal(1);
               const sym::Word next = A::pte_advance_pfn(b.first, one);
               return b.says(next_frame(b) + b.present() + (A::is_x86 ? b.sane_prot() : Premises{}) +
                                 b.supported_prot(),
                             R::fold(next, b.rest) == A::pte_advance_pfn(R::fold(b.first, b.rest), one) &&
                                 b.stored(next) == R::committed(b.stored(b.first), one) &&
                                 b.truth(R::needs_flush(next, b.stored(next))) ==
                                     b.truth(R::needs_flush(b.first, b.stored(b.first))));
             })
      .template twin<StoresFirstFrame>("stores_first_frame", "every entry gets the first one's frame")
      .template twin<AdvanceWithoutInversion>("no_inversion",
                                              "pte_advance_pfn adds where the frame is inverted", on_x86_6_12)
      .template twin<FlushOnEvenFrames>("flush_on_even_frames", "the decision looks at the frame");
}

Law count() {
  return law("U7_count", "counting on by k pages and then by one is counting on by k + 1", on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b(w);
               const sym::Word k = b.word("k", 10);
               return b.says(b.present(),
                             A::pte_advance_pfn(b.first, k + 1) ==
                                 A::pte_advance_pfn(A::pte_advance_pfn(b.first, k), k.literal(1)),
                             {k.e});
             })
      .template twin<AdvanceOrs>("ors_frames", "pte_advance_pfn or-s the count into the frame");
}

}  // namespace

void add_frame_laws(std::vector<Law>& book) {
  for (const Law& law : {key_loop(), frames(), count()}) book.push_back(law);
}

}  // namespace ptmc::mprotect
