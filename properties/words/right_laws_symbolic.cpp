// Laws of rights: what an entry grants to software, to the hardware and to GUP-fast.
#include "properties/words/mutants.hpp"

namespace ptmc::words {
namespace {

// ---- mutated helpers ----
template <class A>
struct AccessibleIgnoresPending : A {
  static constexpr auto pte_accessible(const auto& e, const auto&) { return A::pte_valid(e); }
};
template <class A>
struct AccessibleIfYoung : A {
  static constexpr auto pte_accessible(const auto& e, const auto& pending) {
    return A::pte_accessible(e, pending) && A::pte_young(e);
  }
};
template <class A>
struct AlwaysAccessible : A {
  static constexpr auto pte_accessible(const auto&, const auto& pending) { return pending; }
};
template <class A>
struct MkwriteDoesNothing : A {
  template <class F = u64>
  static constexpr auto pte_mkwrite(const auto& e, const F& = F{}) {
    return e | 0;
  }
};
template <class A>
struct WrprotectKeepsDbm : A {
  static constexpr auto pte_wrprotect(const auto& e) {
    if constexpr (A::is_x86)
      return e & ~A::rw;
    else
      return e | A::rdonly;
  }
};
template <class A>
struct PrivateWritable : A {
  template <class F, class C = NoFeatures>
  static constexpr auto vm_get_page_prot(const F& flags, const C& cpu = {}) {
    return A::vm_get_page_prot(flags | vm::shared, cpu);
  }
};
template <class A>
struct ForgetsKey : A {
  template <class F, class C = NoFeatures>
  static constexpr auto vm_get_page_prot(const F& flags, const C& cpu = {}) {
    return A::vm_get_page_prot(flags & ~bits(35, 32), cpu);
  }
};
template <class A>
struct GupSkipsUser : A {
  static constexpr auto pte_access_permitted(const auto& e, const auto& write, const auto&, const auto&...) {
    return A::pte_valid(e) && (!write || A::pte_write(e));
  }
};
template <class A>
struct WalkerWithoutDbm : A {
  static constexpr auto hw_can_store(const auto& e, const auto& hd) {
    return A::hw_can_store(e, hd) && A::hw_dirty(e);
  }
};
template <class A>
struct PermitsBySoftware : A {
  static constexpr auto hw_can_store(const auto& e, const auto&) {
    return A::pte_write(e) || !A::pte_dirty(e);
  }
};

Law accessible_is_present() {
  return law("accessible_is_present", "an accessible entry is present", everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               return {{}, implies(A::pte_accessible(w.p, w.pending), A::pte_present(w.p))};
             })
      .template twin<AlwaysAccessible>("pending_is_enough",
                                       "pte_accessible is true for all entries while a flush is pending");
}

Law cacheable_is_accessible() {
  return law("cacheable_is_accessible", "an entry that a TLB may hold is accessible, however old it is",
             everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               return {{}, implies(A::hw_cacheable(w.p, w.ha), A::pte_accessible(w.p, w.pending))};
             })
      .template twin<AccessibleIfYoung>("if_young", "pte_accessible wants a young entry (bug/B05)");
}

Law protnone_is_accessible() {
  return law("protnone_is_accessible_while_pending",
             "a PROT_NONE entry is accessible while a flush is pending", everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               return {{}, implies(A::pte_protnone(w.p) && w.pending, A::pte_accessible(w.p, w.pending))};
             })
      .template twin<AccessibleIgnoresPending>("no_pending",
                                               "pte_accessible ignores tlb_flush_pending (bug/B06)");
}

Law write_after_mkwrite() {
  return law("write_after_mkwrite", "an entry made writable is writable", everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               std::vector<Premise> premises;
               if constexpr (A::is_x86 && !A::v6_1)
                 premises.push_back(given("only a CPU with shadow stacks has VM_SHADOW_STACK mappings",
                                          "shstk_setup and alloc_shstk, arch/x86/kernel/shstk.c 6.12",
                                          w.cpu.shstk || !arch::any(w.flags, vm::shadow_stack)));
               return {premises, A::pte_write(A::pte_mkwrite(w.p, w.flags), w.cpu)};
             })
      .template twin<MkwriteDoesNothing>("does_nothing", "pte_mkwrite does nothing");
}

Law wrprotect_removes_write() {
  return law("wrprotect_removes_write",
             "a write-protected entry is not writable, neither for software nor for any walker", everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto r = A::pte_wrprotect(w.p);
               std::vector<Premise> premises;
               if constexpr (A::is_x86 && A::v6_1)
                 premises.push_back(
                     given("user shadow stacks are off", "no kernel before 6.6 turns them on", !w.cpu.shstk));
               return {premises, !A::pte_write(r, w.cpu) && !A::hw_can_store(r, w.hd) &&
                                     !A::hw_can_shadow_stack_store(r, w.cpu)};
             })
      .template twin<WrprotectKeepsDbm>(
          "leaves_a_way", "pte_wrprotect leaves shadow stack (x86) or DBM (arm64) behind", on_6_12);
}

Law uffd_wp() {
  return law("uffd_wp_is_not_writable",
             "an entry marked by userfaultfd is not writable, and unmarking only unmarks", on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto r = A::pte_mkuffd_wp(w.p);
               const auto cleared = A::pte_clear_uffd_wp(w.p);
               return {{},
                       A::pte_uffd_wp(r) && !A::pte_write(r, w.cpu) && A::pte_dirty(r) == A::pte_dirty(w.p) &&
                           !A::pte_uffd_wp(cleared) && ((cleared ^ w.p) & ~A::uffd_wp) == 0};
             })
      .template twin<UffdKeepsWrite>("keeps_write", "pte_mkuffd_wp does not write-protect (6.1)");
}

Law store_needs_write() {
  return law("store_needs_write", "an entry that hardware may store through is writable for software",
             everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               return {wellformed<A>(w), implies(A::hw_can_store(w.p, w.hd), A::pte_write(w.p, w.cpu))};
             })
      .template twin<PermitsBySoftware>("hardware_ignores_rdonly",
                                        "the walker lets a clean entry be stored to");
}

Law write_permits_store() {
  return law("write_permits_store",
             "a valid writable entry is stored to without a fault by a walker that manages dirty state",
             everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               std::vector<Premise> premises = outside_shadow_stack<A>(w);
               if constexpr (!A::is_x86) {
                 premises.push_back(given("p is a page descriptor",
                                          "_PAGE_DEFAULT has PTE_TYPE_PAGE, asm/pgtable-prot.h",
                                          implies(A::pte_valid(w.p), arch::any(w.p, A::table_bit))));
                 premises.push_back(given("the walker has HD, or software made p dirty",
                                          "do_wp_page marks dirty before it maps writable, mm/memory.c",
                                          w.hd || A::hw_dirty(w.p)));
               }
               return {premises,
                       implies(A::pte_valid(w.p) && A::pte_write(w.p, w.cpu), A::hw_can_store(w.p, w.hd))};
             })
      .template twin<WalkerWithoutDbm>("without_dbm", "the walker stores only through dirty entries");
}

Law gup_fast() {
  return law("gup_fast_asks_enough",
             "what pte_access_permitted lets GUP-fast touch, user mode may touch; never a PROT_NONE entry",
             everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               sym::Bool permitted = [&] {
                 if constexpr (A::is_x86)
                   return A::pte_access_permitted(w.p, w.write, w.keys);
                 else
                   return A::pte_access_permitted(w.p, w.write, w.keys, w.cpu);
               }();
               return {{},
                       implies(permitted, A::pte_valid(w.p) && A::pte_user(w.p) && !A::pte_protnone(w.p) &&
                                              implies(w.write, A::pte_write(w.p)))};
             })
      .template twin<GupSkipsUser>("skips_user", "pte_access_permitted does not look at the user bit");
}

Law page_prot() {
  return law("page_prot_grants_no_more",
             "vm_get_page_prot grants what the VMA allows, and the right to write to shared mappings only",
             everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto prot = A::vm_get_page_prot(w.flags, w.cpu);
               const auto has = [&](u64 flag) { return arch::any(w.flags, flag); };
               std::vector<Premise> premises;
               if constexpr (A::is_x86)
                 premises.push_back(given("the CPU has NX and PGE",
                                          "__supported_pte_mask, arch/x86/mm/init.c",
                                          w.cpu.supported_pte_mask == ~u64{0}));
               return {premises,
                       implies(A::hw_user_read(prot), has(vm::read | vm::write | vm::exec)) &&
                           (A::pte_write(prot, w.cpu) == arch::all(w.flags, vm::shared | vm::write)) &&
                           implies(A::hw_user_exec(prot), has(vm::exec)) &&
                           (A::pte_protnone(prot) == !has(vm::read | vm::write | vm::exec)) &&
                           !A::pte_dirty(prot)};
             })
      .template twin<PrivateWritable>("private_writable", "protection_map makes private mappings writable");
}

Law page_key() {
  return law("page_prot_carries_the_key",
             "the entry of a VMA carries the VMA's protection key, through pte_modify too", on_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto key =
                   A::is_x86 ? (w.flags >> 32) & 15 : ite(w.cpu.poe, (w.flags >> 32) & 7, u64{0});
               const auto prot = A::vm_get_page_prot(w.flags, w.cpu);
               std::vector<Premise> premises;
               if constexpr (A::is_x86)
                 premises.push_back(given("the CPU has NX and PGE",
                                          "__supported_pte_mask, arch/x86/mm/init.c",
                                          w.cpu.supported_pte_mask == ~u64{0}));
               return {premises,
                       A::hw_pkey(prot) == key && A::hw_pkey(A::pte_modify(w.p, prot, w.cpu)) == key};
             })
      .template twin<ForgetsKey>("forgets_key", "vm_get_page_prot drops the key");
}

}  // namespace

void add_right_laws(std::vector<Law>& book) {
  for (const Law& law : {accessible_is_present(), cacheable_is_accessible(), protnone_is_accessible(),
                         write_after_mkwrite(), wrprotect_removes_write(), uffd_wp(), store_needs_write(),
                         write_permits_store(), gup_fast(), page_prot(), page_key()})
    book.push_back(law);
}

}  // namespace ptmc::words
