// The new word of one entry: U1, U2, U9, U10, and entries that are not present.
#include "properties/mprotect/mutants.hpp"

namespace ptmc::mprotect {
namespace {

// ---- mutated helpers ----
template <class A>
struct ModifyKeepsDirtyBit : A {  // 6.1: no SavedDirty.
  static constexpr auto pte_modify(const auto& e, const auto& prot, const auto&...) {
    return x86::Entry<A>::flip_protnone_guard(e, arch::replace(prot, e, x86::Entry<A>::chg_mask),
                                              A::pte_pfn_mask);
  }
};
template <class A>
struct WrprotectForgetsDirty : A {  // arm64 before ff1712f953e2.
  static constexpr auto pte_mkuffd_wp(const auto& e) {
    if constexpr (A::is_x86)
      return (e | A::uffd_wp) & ~(A::rw | A::dirty);
    else
      return ((e | A::uffd_wp) & ~A::write) | A::rdonly;
  }
};
template <class A>
struct DeviceForgetsUffd : A {  // Of the same shape as 24bf08c4376b.
  struct Rules : Decide<A, Rules> {
    template <class P, class N, class F>
    static constexpr auto changed_swap(const P& old, const N& anon, const F& cp) {
      const auto entry = A::pte_to_swp_entry(old);
      return Decide<A>::changed_swap(
          ite(A::is_writable_device_private_entry(entry), A::pte_swp_clear_uffd_wp(old), wide(old)), anon,
          cp);
    }
  };
};
template <class A>
struct MigrationStaysWritable : A {
  struct Rules : Decide<A, Rules> {
    template <class P, class N, class F>
    static constexpr auto changed_swap(const P& old, const N& anon, const F& cp) {
      return ite(A::is_writable_migration_entry(A::pte_to_swp_entry(old)), wide(old),
                 Decide<A>::changed_swap(old, anon, cp));
    }
  };
};

Law keeps() {
  return law("U1",
             "the new word keeps D, A, soft-dirty, special and the frame, and has uffd-wp as asked for or "
             "as before",
             on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b(w);
               const auto r = b.changed(b.entry);
               const auto set = arch::any(b.cp, mm_cp_uffd_wp),
                          resolved = arch::any(b.cp, mm_cp_uffd_wp_resolve);
               return b.says(
                   b.sane_prot() + b.supported_prot(),
                   A::pte_dirty(r) == A::pte_dirty(b.entry) && A::pte_young(r) == A::pte_young(b.entry) &&
                       b.truth(A::pte_soft_dirty(r)) == A::pte_soft_dirty(b.entry) &&
                       A::pte_special(r) == A::pte_special(b.entry) && A::pte_pfn(r) == A::pte_pfn(b.entry) &&
                       A::pte_uffd_wp(r) == (set || (A::pte_uffd_wp(b.entry) && !resolved)));
             })
      .template twin<ModifyForgetsDirty>("forgets_dirty", "pte_modify drops the hardware's dirty state")
      .template twin<WrprotectForgetsDirty>("wrprotect_forgets_dirty",
                                            "write protection for uffd-wp drops the hardware's dirty state",
                                            on_x86_6_12)
      .template twin<ModifyForgetsYoung>("forgets_young", "pte_modify drops the access flag")
      .template twin<ModifyForgetsUffd>("forgets_uffd_wp", "pte_modify drops the uffd-wp mark")
      .template twin<ModifyWithoutInversion>(
          "no_inversion", "pte_modify does not invert the frame of PROT_NONE (before 6b28baca9b1f)",
          on_x86_6_12);
}

Law keeps_after_wrprotect() {
  return law("U1_wrprotect",
             "also if write protection forgot the hardware's D (before ff1712f953e2), none would be lost "
             "here: pte_modify has copied it to software's before",
             on_arm64_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<WrprotectForgetsDirty<A>> b(w);
               return b.says(b.sane_prot(), A::pte_dirty(b.changed(b.entry)) == A::pte_dirty(b.entry));
             })
      .template twin<ModifyForgetsDirty>("forgets_dirty", "pte_modify drops the hardware's dirty state");
}

Law writes() {
  return law("U2", "the new word is writable only if newprot is, before any upgrade", on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b(w);
               return b.says(
                   b.normal(b.entry, "entry is no shadow-stack leaf"),
                   implies(A::pte_write(b.changed(b.entry), w.cpu), A::pte_write(b.prot, w.cpu)) &&
                       implies(arch::any(b.cp, mm_cp_uffd_wp), !A::pte_write(b.changed(b.entry), w.cpu)));
             })
      .template twin<ModifyKeepsWrite>("keeps_write", "pte_modify keeps the old right to write")
      .template twin<UffdKeepsWrite>("uffd_keeps_write",
                                     "pte_mkuffd_wp does not write-protect (before f1eb1bacfba9)");
}

Law closed() {
  return law("U9",
             "a batch makes no entry shadow stack by accident (x86-64), none writable without DBM and none "
             "dirty and writable but read-only to hardware (arm64)",
             on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b(w);
               if constexpr (A::is_x86) {
                 const auto shadow = [](const sym::Word& e) { return (e & (A::rw | A::dirty)) == A::dirty; };
                 return b.says({given("first is no shadow-stack leaf",
                                      "VMA without VM_SHADOW_STACK: arch_check_zapped_pte, "
                                      "arch/x86/mm/pgtable.c 6.12",
                                      !shadow(b.first)),
                                given("the VMA is no shadow stack", "pte_mkwrite, arch/x86/mm/pgtable.c 6.12",
                                      !arch::any(b.vma.flags, vm::shadow_stack))},
                               !shadow(b.merged()) && !shadow(b.stored(b.merged())));
               } else {
                 const auto dbm = [](const sym::Word& e) { return arch::any(e, A::rdonly | A::write); };
                 const auto ready = [](const sym::Word& e) {
                   return implies(A::pte_write(e) && A::pte_dirty(e), !A::pte_rdonly(e));
                 };
                 const auto n = b.stored(b.merged());
                 return b.says(
                     {given("first is never writable without DBM",
                            "table at \"hardware Dirty Bit Management\", asm/pgtable.h", dbm(b.first)),
                      given("prot is never writable without DBM", "protection_map, arch/arm64/mm/mmap.c",
                            dbm(b.prot))},
                     dbm(b.merged()) && dbm(n) && ready(n));
               }
             })
      .template twin<ModifyKeepsDirtyBit>("keeps_d", "pte_modify leaves D in read-only entries (6.1)",
                                          on_x86_6_12)
      .template twin<ModifyWithoutRedirty>(
          "no_redirty", "pte_modify leaves RDONLY on dirty writable entries (before 3c0696076aad)",
          on_arm64_6_12);
}

template <class A>
Premises kept_prot(const Batch<A>& b) {
  if constexpr (A::is_x86)
    return b.sane_prot() + b.supported_prot();
  else
    return {};
}

Law round_trip() {
  return law("U10", "mprotect to PROT_NONE and back to prot gives the word that mprotect to prot gives",
             on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               using R = typename Batch<A>::R;
               const Batch<A> b(w);
               const sym::Word dead = R::changed(b.entry, b.prot.literal(A::page_none), b.cp, w.cpu);
               return b.says(kept_prot(b) + b.saved_dirty_read_only(
                                                b.entry, "SavedDirty is set in read-only entries only"),
                             b.changed(dead) == b.changed(b.entry));
             })
      .template twin<ProtnoneCleans>("protnone_cleans", "pte_modify to PROT_NONE also cleans");
}

Law swap_entries() {
  return law("softleaf",
             "an entry that is not present stays so, keeps its page and its marks (a device-private one "
             "not soft-dirty), and is no writable one any more",
             on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               using R = typename Batch<A>::R;
               const Batch<A> b(w);
               const auto r = R::changed_swap(b.entry, b.anon, b.cp);
               const auto was = A::pte_to_swp_entry(b.entry), is = A::pte_to_swp_entry(r);
               const auto set = arch::any(b.cp, mm_cp_uffd_wp),
                          resolved = arch::any(b.cp, mm_cp_uffd_wp_resolve);
               const Premises premises = {
                   given("entry is a swap entry", "is_swap_pte, change_pte_range, mm/mprotect.c",
                         A::is_swap_pte(b.entry)),
                   given("a writable migration entry has no uffd-wp mark",
                         "try_to_migrate_one, mm/rmap.c, makes one of a writable entry, which has none (U2)",
                         !(A::is_writable_migration_entry(was) && A::pte_swp_uffd_wp(b.entry)))};
               // The kernel's comment: "We do not preserve soft-dirtiness."
               const auto forgets = A::is_writable_device_private_entry(was);
               return b.says(
                   premises,
                   !A::pte_present(r) && !A::is_writable_migration_entry(is) &&
                       !A::is_writable_device_private_entry(is) &&
                       !A::is_writable_device_exclusive_entry(is) &&
                       A::swp_offset(is) == A::swp_offset(was) &&
                       b.truth(A::pte_swp_soft_dirty(r)) == (A::pte_swp_soft_dirty(b.entry) && !forgets) &&
                       A::pte_swp_uffd_wp(r) == (set || (A::pte_swp_uffd_wp(b.entry) && !resolved)));
             })
      .template twin<DeviceForgetsUffd>(
          "forgets_uffd_wp", "a device entry made readable loses its uffd-wp mark (shape of 24bf08c4376b)")
      .template twin<MigrationStaysWritable>("stays_writable", "writable migration entries stay writable");
}

}  // namespace

void add_change_laws(std::vector<Law>& book) {
  for (const Law& law : {keeps(), keeps_after_wrprotect(), writes(), closed(), round_trip(), swap_entries()})
    book.push_back(law);
}

}  // namespace ptmc::mprotect
