// Laws of pmd and pud entries.
#include "properties/words/law.hpp"

namespace ptmc::words {
namespace {

// ---- mutated helpers ----
template <class A>
struct InvalidIsNone : A {
  static constexpr auto pmd_mkinvalid(const auto& pmd, const auto&) { return pmd & 0; }
};
template <class A>
struct InvalidStaysValid : A {
  static constexpr auto pmd_mkinvalid(const auto& pmd, const auto& cpu) {
    return A::pmd_mkinvalid(pmd, cpu) | 1;
  }
};
template <class A>
struct InvalidForgetsDirty : A {
  static constexpr auto pmd_mkinvalid(const auto& pmd, const auto& cpu) {
    return A::pmd_mkinvalid(A::pmd_mkclean(pmd), cpu);
  }
};
template <class A>
struct PmdModifyAsPte : A {  // The pte mask: PSE is not kept.
  static constexpr auto pmd_modify(const auto& pmd, const auto& prot, const auto& cpu) {
    if constexpr (A::is_x86)
      return A::pte_modify(pmd, prot, cpu) & ~A::pse;
    else
      return A::pmd_modify(pmd, prot) | A::table_bit;
  }
};
template <class A>
struct PmdWrprotectForgets : A {
  static constexpr auto pmd_wrprotect(const auto& pmd) { return A::pmd_mkclean(A::pmd_wrprotect(pmd)); }
};
template <class A>
struct PmdPfnRaw : A {
  static constexpr auto pmd_pfn(const auto& pmd) { return A::hw_pfn(pmd, Level::pte); }
};

template <class A>
struct LeafByPresence : A {
  static constexpr auto pmd_leaf(const auto& pmd) { return A::pmd_present(pmd); }
};

template <class A>
struct HugeFlushIgnoresUser : A {
  static constexpr auto huge_pmd_needs_flush(const auto& from, const auto& to) {
    if constexpr (A::is_x86)
      return A::huge_pmd_needs_flush(from & ~A::user, to & ~A::user);
    else
      return arch::any(from ^ to, ~A::user);
  }
};
template <class A>
struct PmdProtnoneCleans : A {
  static constexpr auto pmd_modify(const auto& pmd, const auto& prot, const auto& cpu) {
    const auto r = A::pmd_modify(pmd, prot, cpu);
    return ite(A::pte_valid(r), r, A::pmd_mkclean(r));
  }
};

template <class A>
Premise huge_leaf(const Words& w) {
  return given("p is a present huge leaf",
               "pmdp_invalidate: VM_WARN_ON_ONCE(!pmd_present), mm/pgtable-generic.c 6.12; __split_huge_pmd "
               "checks pmd_trans_huge",
               A::hw_leaf(w.p, Level::pmd));
}

Law mkinvalid() {
  return law("invalid_pmd_is_present_and_dead",
             "a pmd made invalid stays a present huge leaf of the same frame, dirty and young as before, and "
             "no walker uses it",
             everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto r = A::pmd_mkinvalid(w.p, w.cpu);
               return {{huge_leaf<A>(w)},
                       A::pmd_present(r) && A::pmd_leaf(r) && A::pmd_pfn(r) == A::pmd_pfn(w.p) &&
                           !A::hw_leaf(r, Level::pmd) && !A::hw_table(r, Level::pmd) &&
                           A::pmd_dirty(r) == A::pmd_dirty(w.p) && A::pmd_young(r) == A::pmd_young(w.p) &&
                           A::pmd_trans_huge(r) == A::pmd_trans_huge(w.p)};
             })
      .template twin<InvalidIsNone>("is_none", "pmd_mkinvalid clears the entry: MADV_DONTNEED overlooks it")
      .template twin<InvalidStaysValid>("stays_valid", "pmd_mkinvalid leaves the entry valid")
      .template twin<InvalidForgetsDirty>("forgets_dirty", "pmd_mkinvalid drops dirtiness");
}

Law huge_modify() {
  return law("huge_leaf_survives_modify",
             "pmd_modify keeps a huge leaf huge, its frame, and its dirty and young state", everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto r = A::pmd_modify(w.p, w.prot, w.cpu);
               std::vector<Premise> premises{huge_leaf<A>(w)};
               if constexpr (!A::is_x86) {
                 premises.push_back(given("prot is valid or PROT_NONE",
                                          "protection_map, arch/arm64/mm/mmap.c",
                                          A::pte_valid(w.prot) || A::pte_protnone(w.prot)));
                 premises.push_back(given("prot is clean: writable only together with RDONLY",
                                          "PAGE_SHARED, asm/pgtable-prot.h",
                                          !(arch::any(w.prot, A::write) && !arch::any(w.prot, A::rdonly))));
               }
               return {premises, A::pmd_present(r) && A::pmd_leaf(r) && A::pmd_pfn(r) == A::pmd_pfn(w.p) &&
                                     A::pmd_dirty(r) == A::pmd_dirty(w.p) &&
                                     A::pmd_young(r) == A::pmd_young(w.p)};
             })
      .template twin<PmdModifyAsPte>("splits", "pmd_modify turns the leaf into a table");
}

Law huge_wrprotect() {
  return law("dirty_survives_pmd_wrprotect",
             "a huge leaf is as dirty after write protection as before, and not writable", everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto r = A::pmd_wrprotect(w.p);
               return {{},
                       A::pmd_dirty(r) == A::pmd_dirty(w.p) && !A::pmd_write(r, w.cpu) &&
                           !A::hw_can_store(r, w.hd, Level::pmd)};
             })
      .template twin<PmdWrprotectForgets>("forgets_dirty", "pmd_wrprotect drops dirtiness");
}

Law huge_frame() {
  return law("huge_frame_round_trip", "pfn_pmd makes an entry of just that frame", everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto huge = [&] {
                 if constexpr (A::is_x86)
                   return w.prot | A::pse;
                 else
                   return w.prot & ~A::table_bit;
               }();
               std::vector<Premise> premises{
                   given("n fits the frame field", "MAX_PHYSMEM_BITS, asm/sparsemem.h",
                         w.n <= A::hw_pfn(~u64{0})),
                   given("n is aligned to 512 pages", "a PMD-sized folio", (w.n & 511) == 0),
                   given("prot holds no frame bits", "protection_map, arch/*/mm", A::hw_pfn(w.prot) == 0)};
               if constexpr (A::is_x86)
                 premises.push_back(
                     given("a present prot has only bits that the CPU supports",
                           "vm_get_page_prot, arch/x86/mm/pgprot.c",
                           !arch::any(w.prot, A::present) || (huge & ~w.cpu.supported_pte_mask) == 0));
               return {premises, A::pmd_pfn(A::pfn_pmd(w.n, huge, w.cpu)) == w.n};
             })
      .template twin<PmdPfnRaw>("raw", "pmd_pfn reads the raw frame bits", on_x86);
}

Law kinds() {
  return law("table_or_leaf",
             "a valid pmd or pud is a table or a leaf for the walker, never both, and the kernel agrees",
             everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto one = [&](Level level, const auto& leaf) {
                 const auto is_leaf = A::hw_leaf(w.p, level), is_table = A::hw_table(w.p, level);
                 return !(is_leaf && is_table) && implies(is_leaf || is_table, is_leaf == leaf);
               };
               return {{},
                       one(Level::pmd, A::pmd_leaf(w.p)) && one(Level::pud, A::pud_leaf(w.p)) &&
                           implies(A::hw_leaf(w.p, Level::pmd) || A::hw_table(w.p, Level::pmd),
                                   A::pmd_present(w.p) && !A::pmd_none(w.p)) &&
                           implies(A::pmd_protnone(w.p),
                                   !A::hw_leaf(w.p, Level::pmd) && !A::hw_table(w.p, Level::pmd))};
             })
      .template twin<LeafByPresence>("by_presence", "pmd_leaf is true for tables");
}

Law huge_no_flush() {
  return law("no_flush_loses_no_huge_right",
             "if huge_pmd_needs_flush says no, whatever a TLB took from the old leaf the new one grants as "
             "well, "
             "A included",
             everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               std::vector<Premise> premises;
               if constexpr (A::is_x86) premises.push_back(huge_leaf<A>(w));
               const auto kept = [&](auto right) { return implies(right(w.p), right(w.q)); };
               const auto rights =
                   kept([](const auto& e) { return A::hw_user_read(e, Level::pmd); }) &&
                   kept([&](const auto& e) { return A::hw_user_store(e, w.hd, Level::pmd); }) &&
                   kept([](const auto& e) { return A::hw_user_exec(e, Level::pmd); }) &&
                   kept([](const auto& e) { return A::hw_leaf(e, Level::pmd); }) &&
                   kept([](const auto& e) { return A::hw_dirty(e); }) &&
                   kept([](const auto& e) { return A::hw_accessed(e); });
               const auto place = A::hw_pfn(w.p, Level::pmd) == A::hw_pfn(w.q, Level::pmd) &&
                                  A::hw_pkey(w.p) == A::hw_pkey(w.q);
               return {premises, (rights && place) || A::huge_pmd_needs_flush(w.p, w.q)};
             })
      .template twin<HugeFlushIgnoresUser>("ignores_user", "huge_pmd_needs_flush ignores the user bit");
}

Law huge_round_trip() {
  return law("huge_protnone_round_trip",
             "through PROT_NONE and back a huge leaf is as if it had gone straight", everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto none = w.prot.literal(A::page_none);
               const auto through = A::pmd_modify(A::pmd_modify(w.p, none, w.cpu), w.prot, w.cpu);
               std::vector<Premise> premises;
               if constexpr (A::is_x86 && !A::v6_1)
                 premises.push_back(given("SavedDirty is set in read-only entries only",
                                          "mksaveddirty_shift and clear_saveddirty_shift, asm/pgtable.h 6.12",
                                          !arch::all(w.p, A::rw | A::saved_dirty)));
               if constexpr (A::is_x86) premises.push_back(huge_leaf<A>(w));
               return {premises, through == A::pmd_modify(w.p, w.prot, w.cpu)};
             })
      .template twin<PmdProtnoneCleans>("protnone_cleans", "pmd_modify to PROT_NONE also cleans");
}

}  // namespace

void add_huge_laws(std::vector<Law>& book) {
  for (const Law& law : {mkinvalid(), huge_modify(), huge_wrprotect(), huge_frame(), kinds(), huge_no_flush(),
                         huge_round_trip()})
    book.push_back(law);
}

}  // namespace ptmc::words
