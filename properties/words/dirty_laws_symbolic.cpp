// Laws of dirty and young: nothing that a store or an access left behind is lost.
#include "properties/words/mutants.hpp"

namespace ptmc::words {
namespace {

// ---- mutated helpers ----
template <class A>
struct ForgetsDirty : A {
  static constexpr auto pte_wrprotect(const auto& e) {
    if constexpr (A::is_x86)
      return e & ~(A::rw | A::dirty);
    else
      return (e & ~A::write) | A::rdonly;
  }
};
template <class A>
struct KeepsHardwareDirty : A {
  static constexpr auto pte_wrprotect(const auto& e) {
    if constexpr (A::is_x86)
      return e & ~A::rw;
    else
      return A::pte_wrprotect(e) & ~A::rdonly;
  }
};
template <class A>
struct MkwriteDirties : A {
  template <class F = u64>
  static constexpr auto pte_mkwrite(const auto& e, const F& = F{}) {
    if constexpr (A::is_x86)
      return e | (A::rw | A::dirty);
    else
      return (e | A::write) & ~A::rdonly;
  }
};
template <class A>
struct MkcleanKeepsOne : A {
  static constexpr auto pte_mkclean(const auto& e) {
    if constexpr (A::is_x86)
      return e & ~A::dirty;
    else
      return e & ~A::dirty;
  }
};
template <class A>
struct MkoldCleans : A {
  static constexpr auto pte_mkold(const auto& e) { return A::pte_mkclean(A::pte_mkold(e)); }
};
template <class A>
struct MkyoungWrites : A {
  static constexpr auto pte_mkyoung(const auto& e) { return A::pte_mkwrite(A::pte_mkyoung(e)); }
};
template <class A>
struct MkdirtyKeepsRdonly : A {
  static constexpr auto pte_mkdirty(const auto& e) { return e | A::dirty; }
};
template <class A>
struct MkwriteKeepsRdonly : A {
  template <class F = u64>
  static constexpr auto pte_mkwrite(const auto& e, const F& = F{}) {
    return e | A::write;
  }
};
template <class A>
struct DirtyBySoftwareOnly : A {
  static constexpr auto pte_dirty(const auto& e) {
    if constexpr (A::is_x86)
      return arch::any(e, A::saved_dirty);
    else
      return A::pte_sw_dirty(e);
  }
};
template <class A>
struct MkwriteKeepsSaved : A {
  template <class F = u64>
  static constexpr auto pte_mkwrite(const auto& e, const F& = F{}) {
    return A::pte_mkwrite_novma(e);
  }
};
template <class A>
struct WalkerGrants : A {
  static constexpr auto hw_mark_accessed(const auto& e) { return A::hw_mark_accessed(e) | A::user; }
};
template <class A>
struct HardwareForgetsAccess : A {
  static constexpr auto hw_mark_dirty(const auto& e) {
    return A::hw_mark_dirty(e) & ~A::hw_mark_accessed(u64{0});
  }
};

Law wrprotect() {
  return law("dirty_survives_wrprotect", "an entry is as dirty after write protection as before", everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto dirty = A::pte_dirty(w.p);
               return {{},
                       A::pte_dirty(A::pte_wrprotect(w.p)) == dirty &&
                           A::pte_dirty(A::ptep_set_wrprotect(w.p)) == dirty};
             })
      .template twin<ForgetsDirty>("forgets_dirty", "pte_wrprotect drops the hardware's dirty state");
}

Law mkwrite() {
  return law("mkwrite_dirties_nothing", "making an entry writable leaves it as dirty as it was", everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               std::vector<Premise> premises = wellformed<A>(w);
               if constexpr (A::is_x86 && !A::v6_1)
                 premises.push_back(given(
                     "the VMA is no shadow stack",
                     "a shadow-stack leaf is dirty by definition: pte_mkwrite, arch/x86/mm/pgtable.c 6.12",
                     !arch::any(w.flags, vm::shadow_stack)));
               return {premises, A::pte_dirty(A::pte_mkwrite(w.p, w.flags)) == A::pte_dirty(w.p)};
             })
      .template twin<MkwriteDirties>("mkwrite_dirties",
                                     "pte_mkwrite makes clean entries dirty (arm64 before 143937ca51cc)");
}

Law mkdirty_mkclean() {
  return law("mkdirty_and_mkclean",
             "mkdirty makes dirty, mkclean makes clean, and neither changes the right to write", everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto dirtied = A::pte_mkdirty(w.p), cleaned = A::pte_mkclean(w.p);
               const auto write = A::pte_write(w.p, w.cpu);
               return {outside_shadow_stack<A>(w), A::pte_dirty(dirtied) && !A::pte_dirty(cleaned) &&
                                                       A::pte_write(dirtied, w.cpu) == write &&
                                                       A::pte_write(cleaned, w.cpu) == write};
             })
      .template twin<MkcleanKeepsOne>("mkclean_keeps_one", "pte_mkclean clears one of the two dirty bits",
                                      on_6_12);
}

Law mkyoung_mkold() {
  return law("mkyoung_and_mkold", "mkyoung makes young, mkold makes old, and neither changes anything else",
             everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto made_young = A::pte_mkyoung(w.p), made_old = A::pte_mkold(w.p);
               const auto same = [&](const sym::Word& e) {
                 return A::pte_write(e, w.cpu) == A::pte_write(w.p, w.cpu) &&
                        A::pte_dirty(e) == A::pte_dirty(w.p) && A::pte_present(e) == A::pte_present(w.p) &&
                        A::hw_can_store(e, w.hd) == A::hw_can_store(w.p, w.hd);
               };
               return {
                   {},
                   A::pte_young(made_young) && !A::pte_young(made_old) && same(made_young) && same(made_old)};
             })
      .template twin<MkoldCleans>("mkold_cleans", "pte_mkold also cleans")
      .template twin<MkyoungWrites>("mkyoung_writes", "pte_mkyoung also makes writable");
}

Law hardware_dirty() {
  return law("hardware_dirtying_is_seen",
             "what a store leaves in its entry is seen by pte_dirty and pte_young", everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto marked = A::hw_mark_dirty(w.p);
               return {wellformed<A>(w),
                       implies(A::hw_can_store(w.p, w.hd), A::pte_dirty(marked) && A::pte_young(marked)) &&
                           A::pte_young(A::hw_mark_accessed(w.p))};
             })
      .template twin<DirtyBySoftwareOnly>("software_only", "pte_dirty looks at the software bit only",
                                          on_6_12)
      .template twin<HardwareForgetsAccess>("hardware_forgets_access",
                                            "the store's update leaves the entry old");
}

Law hardware_marks() {
  return law("hardware_marks_keep_rights",
             "the walker's updates change neither rights nor frame nor software bits", everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto same = [&](const sym::Word& e) {
                 return A::pte_pfn(e) == A::pte_pfn(w.p) && A::hw_user_read(e) == A::hw_user_read(w.p) &&
                        A::hw_user_exec(e) == A::hw_user_exec(w.p) &&
                        A::pte_special(e) == A::pte_special(w.p) &&
                        A::pte_uffd_wp(e) == A::pte_uffd_wp(w.p) &&
                        A::pte_soft_dirty(e) == A::pte_soft_dirty(w.p);
               };
               const auto accessed = A::hw_mark_accessed(w.p), dirtied = A::hw_mark_dirty(w.p);
               const auto rights = A::hw_user_store(accessed, w.hd) == A::hw_user_store(w.p, w.hd) &&
                                   implies(A::hw_can_store(w.p, w.hd),
                                           A::hw_can_store(dirtied, w.hd) && A::pte_write(dirtied, w.cpu));
               std::vector<Premise> premises = wellformed<A>(w);
               if constexpr (A::is_x86)
                 premises.push_back(
                     given("the entry is valid", "the walker writes to no other: SDM 4.8", A::hw_valid(w.p)));
               return {premises, same(accessed) && same(dirtied) && rights};
             })
      .template twin<WalkerGrants>("walker_grants", "the walker sets the user bit with the access flag");
}

Law needs_no_fault() {
  return law("dirty_writable_needs_no_fault",
             "an entry made writable and dirty by software lets the hardware store at once", on_arm64,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto ready = [](const sym::Word& e) {
                 return implies(A::pte_write(e) && A::pte_dirty(e), !arch::any(e, A::rdonly));
               };
               return {{},
                       ready(A::pte_mkwrite(w.p)) && ready(A::pte_mkdirty(w.p)) &&
                           ready(A::pte_modify(w.p, w.prot)) && ready(A::pte_mkwrite(A::pte_mkdirty(w.p))) &&
                           ready(A::pte_mkdirty(A::pte_mkwrite(w.p)))};
             })
      .template twin<MkdirtyKeepsRdonly>("mkdirty_keeps_rdonly",
                                         "pte_mkdirty leaves RDONLY set: the store faults for ever")
      .template twin<ModifyWithoutRedirty>(
          "no_redirty", "pte_modify leaves RDONLY on dirty writable entries (before 3c0696076aad)")
      .template twin<MkwriteKeepsRdonly>("mkwrite_keeps_rdonly",
                                         "pte_mkwrite leaves RDONLY set on dirty entries");
}

Law no_accidental_shadow_stack() {
  return law("no_accidental_shadow_stack",
             "no helper but pte_mkwrite on a shadow-stack VMA turns a leaf into shadow stack (RW=0, D=1)",
             on_x86_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto shadow = [](const sym::Word& e) { return (e & (A::rw | A::dirty)) == A::dirty; };
               const auto clean = [&](const sym::Word& e) { return !shadow(e); };
               return {
                   {given("p is no shadow-stack leaf",
                          "VMA without VM_SHADOW_STACK: arch_check_zapped_pte, arch/x86/mm/pgtable.c 6.12",
                          !shadow(w.p)),
                    given("the VMA is no shadow stack", "arch/x86/mm/pgtable.c 6.12, pte_mkwrite",
                          !arch::any(w.flags, vm::shadow_stack))},
                   clean(A::pte_wrprotect(w.p)) && clean(A::pte_mkwrite(w.p, w.flags)) &&
                       clean(A::pte_mkdirty(w.p)) && clean(A::pte_mkclean(w.p)) &&
                       clean(A::pte_mkyoung(w.p)) && clean(A::pte_mkold(w.p)) &&
                       clean(A::pte_mkuffd_wp(w.p)) && clean(A::pte_clear_uffd_wp(w.p)) &&
                       clean(A::pte_modify(w.p, w.prot, w.cpu))};
             })
      .template twin<KeepsHardwareDirty>("wrprotect_keeps_d", "pte_wrprotect keeps D (6.1)");
}

Law saved_dirty() {
  return law("saved_dirty_is_read_only", "SavedDirty stands in for D in read-only entries only", on_x86_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto fine = [](const sym::Word& e) { return !arch::all(e, A::rw | A::saved_dirty); };
               return {{given("p has no SavedDirty if it is writable", "induction: this law", fine(w.p))},
                       fine(A::pte_wrprotect(w.p)) && fine(A::pte_mkwrite(w.p, w.flags)) &&
                           fine(A::pte_mkdirty(w.p)) && fine(A::pte_mkclean(w.p)) &&
                           fine(A::pte_modify(w.p, w.prot, w.cpu)) && fine(A::hw_mark_dirty(w.p))};
             })
      .template twin<MkwriteKeepsSaved>("mkwrite_keeps_saved",
                                        "pte_mkwrite leaves SavedDirty (pte_mkwrite_novma alone)");
}

}  // namespace

void add_dirty_laws(std::vector<Law>& book) {
  for (const Law& law : {wrprotect(), mkwrite(), mkdirty_mkclean(), mkyoung_mkold(), hardware_dirty(),
                         hardware_marks(), needs_no_fault(), no_accidental_shadow_stack(), saved_dirty()})
    book.push_back(law);
}

}  // namespace ptmc::words
