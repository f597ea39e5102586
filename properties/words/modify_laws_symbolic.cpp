// Laws of pte_modify and of the PROT_NONE round trip.
#include "properties/words/mutants.hpp"

namespace ptmc::words {
namespace {

// ---- mutated helpers ----
template <class A>
struct ModifyTakesFrame : A {
  static constexpr auto pte_modify(const auto& e, const auto& prot, const auto&... cpu) {
    return A::pte_modify(e, prot, cpu...) | (prot & bit(12));
  }
};
template <class A>
struct WrprotectForgetsRdonly : A {
  static constexpr auto pte_wrprotect(const auto& e) { return e & ~A::write; }
};
template <class A>
struct MkdirtyForgets : A {
  static constexpr auto pte_mkdirty(const auto& e) { return wide(e); }
};

template <class A>
std::vector<Premise> sane_prot(const Words& w) {
  if constexpr (A::is_x86)
    return {given("prot is present or PROT_NONE", "protection_map, arch/x86/mm/pgprot.c",
                  arch::any(w.prot, A::present | A::protnone))};
  else
    return {};
}
template <class A>
std::vector<Premise> supported_prot(const Words& w) {
  if constexpr (A::is_x86)
    return {given("a present prot has only bits that the CPU supports",
                  "vm_get_page_prot, arch/x86/mm/pgprot.c",
                  !arch::any(w.prot, A::present) || (w.prot & ~w.cpu.supported_pte_mask) == 0)};
  else
    return {};
}
template <class A>
std::vector<Premise> clean_prot(const Words& w) {
  if constexpr (A::is_x86)
    return {};
  else
    return {given("prot is clean: writable only together with RDONLY", "PAGE_SHARED, asm/pgtable-prot.h",
                  !(arch::any(w.prot, A::write) && !arch::any(w.prot, A::rdonly)))};
}

Law frame() {
  return law("frame_survives_modify", "pte_modify keeps the frame, into PROT_NONE, out of it and within",
             everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               return {sane_prot<A>(w) + supported_prot<A>(w),
                       A::pte_pfn(A::pte_modify(w.p, w.prot, w.cpu)) == A::pte_pfn(w.p)};
             })
      .template twin<ModifyTakesFrame>("takes_frame", "pte_modify or-s frame bits of the protection")
      .template twin<ModifyWithoutInversion>("no_inversion",
                                             "pte_modify does not invert the frame of PROT_NONE", on_x86);
}

Law dirty() {
  return law("dirty_survives_modify", "an entry is as dirty after pte_modify as before", everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               return {clean_prot<A>(w),
                       A::pte_dirty(A::pte_modify(w.p, w.prot, w.cpu)) == A::pte_dirty(w.p)};
             })
      .template twin<ModifyForgetsDirty>("forgets_dirty", "pte_modify drops the hardware's dirty state");
}

Law young_and_marks() {
  return law("marks_survive_modify", "pte_modify keeps young, special, devmap, uffd-wp and soft-dirty",
             everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto r = A::pte_modify(w.p, w.prot, w.cpu);
               return {{},
                       A::pte_young(r) == A::pte_young(w.p) && A::pte_special(r) == A::pte_special(w.p) &&
                           A::pte_devmap(r) == A::pte_devmap(w.p) &&
                           A::pte_uffd_wp(r) == A::pte_uffd_wp(w.p) &&
                           A::pte_soft_dirty(r) == A::pte_soft_dirty(w.p)};
             })
      .template twin<ModifyForgetsYoung>("forgets_young", "pte_modify drops the access flag")
      .template twin<ModifyForgetsUffd>("forgets_uffd_wp", "pte_modify drops the uffd-wp mark", on_uffd);
}

Law exact_mask() {
  return law("modify_changes_exactly_its_mask",
             "pte_modify takes its mask from the protection and everything else, dirtiness aside, from the "
             "entry",
             everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto r = A::pte_modify(w.p, w.prot, w.cpu);
               if constexpr (A::is_x86) {
                 using E = x86::Entry<A>;
                 const u64 kept = E::chg_mask & ~(E::dirty_bits | A::pte_pfn_mask);
                 return {supported_prot<A>(w), ((r ^ w.p) & kept) == 0 && ((r ^ w.prot) & ~E::chg_mask) == 0};
               } else {
                 constexpr u64 mask = arm::Pte<A>::modify_mask;
                 const auto rdonly =
                     arch::any(w.prot, A::rdonly) && !(A::pte_dirty(w.p) && arch::any(w.prot, A::write));
                 return {{},
                         ((r ^ w.p) & ~(mask | A::dirty)) == 0 && ((r ^ w.prot) & (mask & ~A::rdonly)) == 0 &&
                             arch::any(r, A::rdonly) == rdonly};
               }
             })
      .template twin<ModifyKeepsWrite>("keeps_write", "pte_modify keeps the old right to write");
}

Law write() {
  return law("modify_grants_only_prot", "after pte_modify an entry is writable only if the protection is",
             everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               return {outside_shadow_stack<A>(w),
                       implies(A::pte_write(A::pte_modify(w.p, w.prot, w.cpu), w.cpu),
                               A::pte_write(w.prot, w.cpu))};
             })
      .template twin<ModifyKeepsWrite>("keeps_write", "pte_modify keeps the old right to write");
}

Law protnone() {
  return law("protnone_is_dead",
             "an entry made PROT_NONE is present and protnone, unwritable, and dead to the hardware",
             everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto r = A::pte_modify(w.p, w.prot.literal(A::page_none), w.cpu);
               return {outside_shadow_stack<A>(w),
                       A::pte_present(r) && A::pte_protnone(r) && !A::pte_write(r, w.cpu) &&
                           !A::hw_valid(r) && !A::hw_can_store(r, w.hd) && !A::hw_cacheable(r, w.ha)};
             })
      .template twin<ModifyKeepsWrite>("keeps_write",
                                       "pte_modify keeps the old right to write (savedwrite, before 6.2)");
}

Law protnone_round_trip() {
  return law("protnone_round_trip",
             "through PROT_NONE and back is the same as straight to the new protection", everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto through =
                   A::pte_modify(A::pte_modify(w.p, w.prot.literal(A::page_none), w.cpu), w.prot, w.cpu);
               std::vector<Premise> premises = sane_prot<A>(w) + supported_prot<A>(w);
               if constexpr (A::is_x86 && !A::v6_1)
                 premises.push_back(given("SavedDirty is set in read-only entries only",
                                          "mksaveddirty_shift and clear_saveddirty_shift, asm/pgtable.h 6.12",
                                          !arch::all(w.p, A::rw | A::saved_dirty)));
               return {premises, through == A::pte_modify(w.p, w.prot, w.cpu)};
             })
      .template twin<ProtnoneCleans>("protnone_cleans", "pte_modify to PROT_NONE also cleans");
}

Law wellformed_closed() {
  return law("never_writable_without_dbm", "no helper makes an entry writable to hardware without DBM",
             on_arm64,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto fine = [](const sym::Word& e) { return arch::any(e, A::rdonly | A::write); };
               return {wellformed<A>(w) +
                           std::vector<Premise>{given("prot is never writable without DBM",
                                                      "protection_map, arch/arm64/mm/mmap.c", fine(w.prot))},
                       fine(A::pte_wrprotect(w.p)) && fine(A::pte_mkwrite(w.p)) &&
                           fine(A::pte_mkdirty(w.p)) && fine(A::pte_mkclean(w.p)) &&
                           fine(A::pte_modify(w.p, w.prot)) && fine(A::pte_mkuffd_wp(w.p)) &&
                           fine(A::ptep_set_access_flags(w.p, A::pte_mkyoung(w.p), w.dirty))};
             })
      .template twin<WrprotectForgetsRdonly>("forgets_rdonly",
                                             "pte_wrprotect clears WRITE without setting RDONLY");
}

Law l1tf() {
  return law("l1tf_frame_out_of_reach",
             "a PROT_NONE entry of a frame in the lower half of memory names one in the upper half to the "
             "hardware",
             on_x86,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto none = w.prot.literal(A::page_none);
               const auto top = [](const sym::Word& e) { return arch::any(e, bit(51)); };
               return {{given("the frame lies below half the address space",
                              "pfn_modify_allowed, arch/x86/mm/mmap.c", A::pte_pfn(w.p) < bit(39)),
                        given("n lies there too", "pfn_modify_allowed, arch/x86/mm/mmap.c", w.n < bit(39))},
                       top(A::pte_modify(w.p, none, w.cpu)) && top(A::pfn_pte(w.n, none, w.cpu))};
             })
      .template twin<ModifyWithoutInversion>("no_inversion",
                                             "pte_modify does not invert the frame of PROT_NONE");
}

// What modify_prot_start_ptes makes of two entries of a batch: A and D of the second, or-ed into the first.
template <class A>
sym::Word merged(const Words& w) {
  const auto dirtied = ite(A::pte_dirty(w.q), A::pte_mkdirty(w.p), w.p);
  return ite(A::pte_young(w.q), A::pte_mkyoung(dirtied), dirtied);
}

Law merging() {
  return law("merging_a_batch_loses_no_mark",
             "folding A and D of one entry into another keeps both entries' marks and adds no right",
             everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto r = merged<A>(w);
               return {outside_shadow_stack<A>(w),
                       A::pte_dirty(r) == (A::pte_dirty(w.p) || A::pte_dirty(w.q)) &&
                           A::pte_young(r) == (A::pte_young(w.p) || A::pte_young(w.q)) &&
                           A::pte_write(r, w.cpu) == A::pte_write(w.p, w.cpu) &&
                           A::hw_user_read(r) == A::hw_user_read(w.p) &&
                           A::hw_user_exec(r) == A::hw_user_exec(w.p)};
             })
      .template twin<MkdirtyForgets>("forgets_dirty", "pte_mkdirty does nothing");
}

}  // namespace

void add_modify_laws(std::vector<Law>& book) {
  for (const Law& law : {frame(), dirty(), young_and_marks(), exact_mask(), write(), protnone(),
                         protnone_round_trip(), wellformed_closed(), l1tf(), merging()})
    book.push_back(law);
}

}  // namespace ptmc::words
