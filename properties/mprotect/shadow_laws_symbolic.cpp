// Shadow stacks of x86-64, whose right to write is D: H1, H2. arm64 has none in 6.12.
#include "properties/mprotect/batch.hpp"

namespace ptmc::mprotect {
namespace {

// ---- mutated functions ----
template <class A>
struct MkdirtyKeepsD : A {
  static constexpr auto pte_mkdirty(const auto& e) { return e | (A::dirty | A::soft_dirty); }
};
template <class A>
struct ModifyWrprotects : A {  // What would settle H2.
  static constexpr auto pte_modify(const auto& e, const auto& prot, const auto&... cpu) {
    return A::pte_modify(A::pte_wrprotect(e), prot, cpu...);
  }
};
template <class A>
struct FlushForDirtyStores : A {  // What would settle the stale half of H1.
  static constexpr auto pte_needs_flush(const auto& o, const auto& n) {
    return A::pte_needs_flush(o, n) || arch::any(o | n, A::saved_dirty);
  }
};
template <class A>
struct KeyRespectsDirty : A {  // What would settle H1: FPB_RESPECT_DIRTY.
  struct Rules : Decide<A, Rules> {
    static constexpr u64 batch_flags = fpb_respect_dirty | fpb_respect_soft_dirty | fpb_respect_write;
  };
};

// Of a shadow-stack VMA on a CPU that has shadow stacks.
template <class A>
Premises shadow_stack(const Batch<A>& b, u64 flags) {
  return Premises{given("the VMA is a shadow stack", "alloc_shstk, arch/x86/kernel/shstk.c 6.12",
                        (b.vma.flags & (vm::read | vm::write | vm::exec | vm::shared | vm::shadow_stack)) ==
                            (flags | vm::read | vm::shadow_stack)),
                  given("the CPU has shadow stacks",
                        "VM_SHADOW_STACK is 0 otherwise, include/linux/mm.h 6.12", b.w.cpu.shstk)} +
         b.full_cpu() + b.prot_of_vma();
}
template <class A>
Premises mapped(const Batch<A>& b) {
  return b.typical() +
         Premises{given("both entries are without RW", "pte_mkwrite_shstk, arch/x86/mm/pgtable.c 6.12",
                        !arch::any(b.first | b.entry, A::rw))};
}

Law excess() {
  return law("H1_excess",
             "in a shadow-stack VMA a batch makes no entry writable that the loop over single entries "
             "leaves read-only",
             on_x86_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b = pair_of<A>(w);
               return b.says(b.one_batch() + shadow_stack(b, vm::write) + mapped(b),
                             implies(A::hw_can_shadow_stack_store(b.batched(), w.cpu),
                                     A::hw_can_shadow_stack_store(b.single(), w.cpu)));
             })
      .expect(Verdict::violated);
}

Law stale() {
  return law("H1_stale",
             "in a shadow-stack VMA a batch takes no right to write from an entry without a flush",
             on_x86_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b = pair_of<A>(w);
               return b.says(b.one_batch() + shadow_stack(b, vm::write) + mapped(b),
                             b.flushed(b.flushes(b.merged())));
             })
      .expect(Verdict::violated);
}

Law stale_uniform() {
  return law("H1_stale_uniform",
             "mprotect(PROT_READ) of two shadow-stack pages in one batch takes the right to write from "
             "neither without a flush",
             on_x86_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b = pair_of<A>(w);
               Premises premises = b.one_batch() + shadow_stack(b, 0) + mapped(b);
               premises.push_back(given("both are shadow-stack leaves", "do_anonymous_page, mm/memory.c",
                                        A::pte_shstk(b.first, w.cpu) && A::pte_shstk(b.entry, w.cpu)));
               return b.says(premises, b.flushed(b.flushes(b.merged())));
             })
      .expect(Verdict::violated);
}

Law repaired() {
  return law("H1_respect_dirty",
             "with FPB_RESPECT_DIRTY as well, a batch makes no entry writable that the loop would leave "
             "read-only (H1_stale_uniform stays: those two are equal)",
             on_x86_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<KeyRespectsDirty<A>> b(w);
               Premises premises = b.one_batch();
               premises.push_back(given("the upgrade is not asked for", "mprotect(PROT_READ)",
                                        !arch::any(b.cp, mm_cp_try_change_writable)));
               return b.says(premises, implies(A::hw_can_shadow_stack_store(b.batched(), w.cpu),
                                               A::hw_can_shadow_stack_store(b.single(), w.cpu) ||
                                                   arch::any(b.prot, A::rw)));
             })
      .template twin<MkdirtyKeepsD>("mkdirty_keeps_d", "pte_mkdirty leaves D in a read-only entry");
}

// Words before the upgrade: what mprotect(PROT_READ) stores, or an upgrade that is refused.
template <class A>
struct Kept {
  sym::Bool alone, in_batch;  // Writable.
  explicit Kept(const Batch<A>& b)
      : alone(A::pte_write(b.changed(b.entry), b.w.cpu)),
        in_batch(A::pte_write(b.changed(b.merged()), b.w.cpu)) {}
};

Law exact() {
  return law("H1",
             "before any upgrade, a batch of any length is writable if newprot is, or if its first entry "
             "is shadow stack and no other is dirty; so it exceeds the loop where an entry is read-only "
             "and clean, and falls short of it where another is dirty",
             on_x86_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b(w);
               const Kept<A> kept(b);
               const auto rw = arch::any(b.prot, A::rw), marked = arch::any(b.cp, mm_cp_uffd_wp);
               const auto first = A::pte_shstk(b.first, w.cpu), own = A::pte_shstk(b.entry, w.cpu);
               const auto rest_dirty = A::pte_dirty(b.rest);
               return b.says(
                   b.full_cpu(),
                   kept.in_batch == (!marked && (rw || (first && !rest_dirty))) &&
                       (kept.in_batch && !kept.alone) == (!marked && !rw && first && !rest_dirty && !own) &&
                       (kept.alone && !kept.in_batch) == (!marked && !rw && own && (rest_dirty || !first)));
             })
      .template twin<MkdirtyKeepsD>("mkdirty_keeps_d", "pte_mkdirty leaves D in a read-only entry");
}

Law stale_exact() {
  return law("H1_stale_exact",
             "before any upgrade, a batch takes the shadow-stack right of a later entry without a flush "
             "exactly where newprot changes no other right",
             on_x86_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b(w);
               const Kept<A> kept(b);
               constexpr u64 rights =
                   A::rw | A::user | A::pwt | A::pcd | A::pat | A::global | A::pkey | A::nx;
               const auto own = A::hw_can_shadow_stack_store(b.entry, w.cpu);
               const auto o = b.merged();
               const auto same = ((b.first ^ b.prot) & (rights & ~(A::pwt | A::pcd | A::pat))) == 0 &&
                                 arch::any(b.prot, A::present);
               const auto flush = A::pte_needs_flush(o, b.changed(o));
               Premises premises = b.one_batch() + b.full_cpu();
               premises.push_back(given("entry is one of the rest", "law U4_rest, for any number",
                                        implies(A::pte_dirty(b.entry), A::pte_dirty(b.rest))));
               premises.push_back(given("newprot is not writable",
                                        "VM_SHADOW_STACK is private: vm_get_page_prot, arch/x86/mm/pgprot.c",
                                        !arch::any(b.prot, A::rw)));
               return b.says(premises, (own && !kept.in_batch && !flush) == (own && same));
             })
      .template twin<FlushForDirtyStores>("flush_for_saved_dirty", "pte_needs_flush looks at SavedDirty");
}

Law read_only() {
  return law("H2", "after mprotect(PROT_READ) no entry of a shadow stack lets the hardware write to it",
             on_x86_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b = pair_of<A>(w);
               return b.says(shadow_stack(b, 0) + mapped(b),
                             !A::hw_can_shadow_stack_store(b.single(), w.cpu));
             })
      .expect(Verdict::violated);
}

Law read_only_exact() {
  return law("H2_exact",
             "before any upgrade, an entry is writable exactly if newprot is or if it was shadow stack, and "
             "uffd-wp is not asked for",
             on_x86_6_12,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const Batch<A> b(w);
               const auto n = b.changed(b.entry);
               const auto own = A::pte_shstk(b.entry, w.cpu);
               return b.says(b.full_cpu(), A::pte_write(n, w.cpu) == (!arch::any(b.cp, mm_cp_uffd_wp) &&
                                                                      (arch::any(b.prot, A::rw) || own)));
             })
      .template twin<ModifyWrprotects>("wrprotects", "pte_modify write-protects a shadow-stack entry first");
}

}  // namespace

void add_shadow_laws(std::vector<Law>& book) {
  for (const Law& law : {exact(), excess(), repaired(), stale(), stale_uniform(), stale_exact(), read_only(),
                         read_only_exact()})
    book.push_back(law);
}

}  // namespace ptmc::mprotect
