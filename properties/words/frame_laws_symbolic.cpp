// Laws of frames: which frame an entry names, and the same entry naming another.
#include "properties/words/law.hpp"

namespace ptmc::words {
namespace {

// ---- mutated helpers ----
template <class A>
struct FrameNotInverted : A {
  static constexpr auto pte_pfn(const auto& e) { return A::hw_pfn(e); }
};
template <class A>
struct WrprotectTouchesFrame : A {
  static constexpr auto pte_wrprotect(const auto& e) { return A::pte_wrprotect(e) & ~bit(12); }
};
template <class A>
struct AdvanceUp : A {  // Adds even to an inverted frame.
  static constexpr auto pte_advance_pfn(const auto& e, const auto& nr) {
    return e + (wide(nr) << arch::page_shift);
  }
};
template <class A>
struct AdvanceTwice : A {
  static constexpr auto pte_advance_pfn(const auto& e, const auto& nr) {
    return A::pte_advance_pfn(e, nr << 1);
  }
};
template <class A>
struct RenamesPresentOnly : A {
  static constexpr auto with_pfn(const auto& e, const auto& frame) {
    return ite(A::pte_present(e), A::with_pfn(e, frame), wide(e));
  }
};

/// How many frames the field of a 4 KiB leaf can name.
template <class A>
constexpr u64 frames = (A::hw_pfn(~u64{0})) + 1;

template <class A>
Premise present(const Words& w) {
  return given("p is present", "the helpers' contract: \"only work if pte_present() is true\", asm/pgtable.h",
               A::pte_present(w.p));
}

Law survives_marks() {
  return law("frame_survives_marks", "no mark on a present entry changes its frame", everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto same = [&](const sym::Word& e) { return A::pte_pfn(e) == A::pte_pfn(w.p); };
               std::vector<Premise> premises;
               if constexpr (A::is_x86) premises.push_back(present<A>(w));
               return {premises, same(A::pte_wrprotect(w.p)) && same(A::pte_mkwrite(w.p, w.flags)) &&
                                     same(A::pte_mkdirty(w.p)) && same(A::pte_mkclean(w.p)) &&
                                     same(A::pte_mkyoung(w.p)) && same(A::pte_mkold(w.p)) &&
                                     same(A::pte_mkspecial(w.p)) && same(A::pte_mkdevmap(w.p)) &&
                                     same(A::pte_mkuffd_wp(w.p)) && same(A::pte_clear_uffd_wp(w.p)) &&
                                     same(A::pte_mksoft_dirty(w.p)) && same(A::pte_clear_soft_dirty(w.p))};
             })
      .template twin<WrprotectTouchesFrame>("wrprotect_touches_frame",
                                            "pte_wrprotect clears the frame's lowest bit");
}

template <class A>
std::vector<Premise> frame_and_prot(const Words& w) {
  std::vector<Premise> all{
      given("n fits the frame field", "MAX_PHYSMEM_BITS, asm/sparsemem.h", w.n < frames<A>),
      given("prot holds no frame bits", "protection_map, arch/*/mm", A::hw_pfn(w.prot) == 0)};
  if constexpr (A::is_x86)
    all.push_back(given("prot is present or PROT_NONE", "protection_map, arch/x86/mm/pgprot.c",
                        arch::any(w.prot, A::present | A::protnone)));
  return all;
}

Law frame_round_trip() {
  return law("frame_round_trip", "pfn_pte makes an entry of just that frame and protection", everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               std::vector<Premise> premises = frame_and_prot<A>(w);
               if constexpr (A::is_x86)
                 premises.push_back(
                     given("a present prot has only bits that the CPU supports",
                           "vm_get_page_prot, arch/x86/mm/pgprot.c",
                           !arch::any(w.prot, A::present) || (w.prot & ~w.cpu.supported_pte_mask) == 0));
               const auto e = A::pfn_pte(w.n, w.prot, w.cpu);
               return {premises, A::pte_pfn(e) == w.n && A::pte_pgprot(e) == w.prot};
             })
      .template twin<FrameNotInverted>("not_inverted", "pte_pfn reads the raw frame bits", on_x86);
}

Law advance() {
  return law("advance_moves_the_frame",
             "pte_advance_pfn moves the frame by that many pages and changes nothing else", on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               constexpr u64 end = frames<A>;
               const auto e = A::pte_advance_pfn(w.p, w.n);
               std::vector<Premise> premises{given("the batch ends within the frame field",
                                                   "folio_pte_batch, mm/internal.h: one folio",
                                                   w.n < end && A::pte_pfn(w.p) < end - w.n)};
               if constexpr (A::is_x86) premises.push_back(present<A>(w));
               return {premises,
                       A::pte_pfn(e) == A::pte_pfn(w.p) + w.n && A::pte_pgprot(e) == A::pte_pgprot(w.p)};
             })
      .template twin<AdvanceTwice>("twice", "pte_advance_pfn moves twice as far")
      .template twin<AdvanceUp>("adds_to_inverted", "pte_advance_pfn adds to an inverted frame", on_x86_6_12);
}

Law renaming() {
  return law("renaming_changes_the_frame_alone",
             "with_pfn renames the frame of any entry that has one, back and forth, and nothing else",
             everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto other = A::with_pfn(w.p, w.n);
               const auto same =
                   A::pte_present(other) == A::pte_present(w.p) && A::pte_write(other) == A::pte_write(w.p) &&
                   A::pte_dirty(other) == A::pte_dirty(w.p) && A::has_pfn(other) == A::has_pfn(w.p);
               const auto named =
                   implies(A::has_pfn(w.p), A::pfn(other) == w.n && A::with_pfn(other, A::pfn(w.p)) == w.p);
               return {{given("n fits a migration entry", "SWP_PFN_BITS, include/linux/swapops.h",
                              w.n < bit(A::is_x86 ? 34 : 36))},
                       same && named && implies(!A::has_pfn(w.p), other == w.p)};
             })
      .template twin<RenamesPresentOnly>("present_only", "with_pfn leaves migration entries alone");
}

}  // namespace

void add_frame_laws(std::vector<Law>& book) {
  for (const Law& law : {survives_marks(), frame_round_trip(), advance(), renaming()}) book.push_back(law);
}

}  // namespace ptmc::words
