// What the laws of mprotect's batches speak about. A batch of any length is three words:
//   first  its first entry, the frame counted on to the place of `entry`: the change and the counting
//   commute,
//          one page at a time (laws U3_step, U7_frame, U7_count);
//   entry  an arbitrary entry of it;
//   rest   one word that is dirty and young if any of the others is: they do no more (laws U4, U4_rest).
#pragma once
#include "model/opt/mprotect/decide.hpp"
#include "properties/words/law.hpp"

namespace ptmc::mprotect {

using words::given;
using words::Is;
using words::Law;
using words::law;
using words::Statement;
using words::Words;
using words::operator+;
using words::on_6_12;
using words::on_arm64_6_12;
using words::on_x86_6_12;
using Premises = std::vector<Premise>;

/// The pure functions of a layout; a mutated layout brings its own as a member type Rules.
template <class A>
struct RulesOf {
  using type = Decide<A>;
};
template <class A>
requires requires { typename A::Rules; }
struct RulesOf<A> {
  using type = typename A::Rules;
};

template <class A>
struct Batch {
  using R = typename RulesOf<A>::type;
  static constexpr u64 top_frame =
      (A::is_x86 ? x86::Bits::pte_pfn_mask : arm::Layout_6_12::addr) >> arch::page_shift;
  const Words& w;
  sym::Word first, entry, rest;  // As modify_prot_start_ptes took them from the table.
  sym::Word k;                   // From first to entry: 0, as first is counted on to entry's place.
  sym::Word prot, cp;            // newprot, cp_flags.
  Vma<sym::Bool, sym::Word> vma;
  sym::Bool anon, exclusive;  // PageAnon, and PageAnonExclusive of the page that `entry` maps.
  std::vector<z3::expr> inputs;

  explicit Batch(const Words& words)
      : w(words),
        first(word("first")),
        entry(word("entry")),
        rest(word("rest")),
        k(words.n.literal(0)),
        prot(words.prot),
        cp(word("cp_flags")),
        vma{word("vma"), flag("page_mkwrite"), flag("writeback")},
        anon(flag("anon")),
        exclusive(flag("exclusive")),
        inputs{first.e,         entry.e, rest.e,     cp.e, vma.flags.e, vma.page_mkwrite.e,
               vma.writeback.e, anon.e,  exclusive.e} {}

  sym::Word word(const char* name, unsigned width = 64) const {
    return sym::Word(w.context.bv_const(name, width));
  }
  sym::Bool flag(const char* name) const { return sym::Bool(w.context.bool_const(name)); }
  Statement says(Premises premises, const sym::Bool& conclusion, std::vector<z3::expr> more = {}) const {
    more.insert(more.end(), inputs.begin(), inputs.end());
    return {std::move(premises), conclusion, std::move(more)};
  }

  // ---- the batch and the loop over single entries ----
  sym::Word merged() const { return R::fold(first, rest); }
  sym::Word changed(const sym::Word& old) const { return R::changed(old, prot, cp, w.cpu); }
  /// The decision for the page of `entry`, on the word `ptent`.
  sym::Bool upgrades(const sym::Word& ptent) const {
    return R::tries_writable(ptent, cp, w.cpu) && R::can_change_pte_writable(vma, ptent, anon, exclusive);
  }
  sym::Word stored(const sym::Word& old) const {
    const auto ptent = changed(old);
    return R::made_writable(vma, ptent, upgrades(ptent));
  }
  sym::Word batched() const { return R::committed(stored(merged()), k); }
  /// change_pte_range of 6.12, on `entry` alone.
  sym::Word single() const {
    using One = Decide<A>;
    const auto ptent = One::changed(entry, prot, cp, w.cpu);
    const auto write =
        One::tries_writable(ptent, cp, w.cpu) && One::can_change_pte_writable(vma, ptent, anon, exclusive);
    return One::made_writable(vma, ptent, write);
  }

  // ---- premises ----
  Premises one_batch() const {
    return {given("entry is in first's batch", "folio_pte_batch_flags, mm/internal.h 6.17",
                  R::batches_with(first, entry, k, R::batch_flags))};
  }
  /// arm64 needs it nowhere: only x86-64 stores the frame of some words inverted.
  Premises present() const {
    if constexpr (A::is_x86)
      return {given("first is present", "change_pte_range, mm/mprotect.c", A::pte_present(first))};
    else
      return {};
  }
  Premises folded() const {
    return {given("entry is first or one of the rest", "modify_prot_start_ptes and law U4, for any number",
                  implies(A::pte_dirty(entry), A::pte_dirty(first) || A::pte_dirty(rest)) &&
                      implies(A::pte_young(entry), A::pte_young(first) || A::pte_young(rest)))};
  }
  Premises normal(const sym::Word& e, const char* name) const {
    if constexpr (A::is_x86)
      return {given(name, "VMA without VM_SHADOW_STACK: arch_check_zapped_pte, arch/x86/mm/pgtable.c 6.12",
                    !A::pte_shstk(e, w.cpu))};
    else
      return {};
  }
  Premises normal_vma() const {
    if constexpr (A::is_x86)
      return {
          given("the VMA is no shadow stack", "H1 speaks of those", !arch::any(vma.flags, vm::shadow_stack))};
    else
      return {};
  }
  /// Of a well-formed x86-64 entry (law words/saved_dirty_is_read_only).
  Premises saved_dirty_read_only(const sym::Word& e, const char* name) const {
    if constexpr (A::is_x86)
      return {given(name, "mksaveddirty_shift and clear_saveddirty_shift, asm/pgtable.h 6.12",
                    !arch::all(e, A::rw | A::saved_dirty))};
    else
      return {};
  }
  /// What counterexamples are made of, so that they can be read: entries as a fault maps them, in a VMA
  /// without protection keys or overlays. Only statements expected to be violated may ask for it.
  Premises typical() const {
    const u64 free = marks() | write_bit() | (A::is_x86 ? x86::Bits::pte_pfn_mask : arm::Layout_6_12::addr);
    const auto mapped = [&](const sym::Word& e) {
      const auto fine =
          (e & ~free) == (A::page_readonly & ~free) && A::pte_young(e) && A::pte_pfn(e) < bit(20);
      if constexpr (A::is_x86)
        return fine && !arch::all(e, A::rw | A::saved_dirty);
      else
        return fine && arch::any(e, A::rdonly | A::write);
    };
    constexpr u64 known = bits(3, 0) | vm::uffd_wp | vm::soft_dirty | vm::shadow_stack;
    return {
        given("both entries are young user mappings", "a fault mapped them", mapped(first) && mapped(entry)),
        given("the VMA has no key and no uncommon flag", "mmap without options", (vma.flags & ~known) == 0),
        given("mprotect asks for the upgrade or not", "mprotect_fixup, mm/mprotect.c",
              (cp & ~mm_cp_try_change_writable) == 0)};
  }
  Premises no_shadow_stack() const {
    if constexpr (A::is_x86)
      return {given("no shadow stack", "H1 speaks of those",
                    !arch::any(vma.flags, vm::shadow_stack) && !shadow(first) && !shadow(entry))};
    else
      return {};
  }
  /// newprot is what mprotect takes it from.
  Premises prot_of_vma() const {
    return {given("newprot is vm_page_prot", "vma_set_page_prot, then change_protection, mm/mprotect.c",
                  prot == R::page_prot(vma, w.cpu))};
  }
  Premises full_cpu() const {
    if constexpr (A::is_x86)
      return {given("the CPU has NX and PGE", "__supported_pte_mask, arch/x86/mm/init.c",
                    w.cpu.supported_pte_mask == ~u64{0})};
    else
      return {};
  }
  /// The invariants of all user protections that the argument needs.
  Premises sane_prot() const {
    if constexpr (A::is_x86)
      return {given("newprot is present or PROT_NONE", "protection_map, arch/x86/mm/pgprot.c",
                    arch::any(prot, A::present | A::protnone))};
    else
      return {given("newprot has RDONLY: clean, if it is writable", "protection_map, arch/arm64/mm/mmap.c",
                    arch::any(prot, A::rdonly))};
  }
  Premises supported_prot() const {
    if constexpr (A::is_x86)
      return {given("a present newprot has only bits that the CPU supports",
                    "vm_get_page_prot, arch/x86/mm/pgprot.c",
                    !arch::any(prot, A::present) || (prot & ~w.cpu.supported_pte_mask) == 0)};
    else
      return {};
  }

  // ---- conclusions ----
  /// A shadow-stack leaf: RW=0, D=1.
  sym::Bool shadow(const sym::Word& e) const {
    if constexpr (A::is_x86)
      return A::pte_shstk(e, w.cpu);
    else
      return truth(false);
  }
  /// Whatever a TLB took from `old`, the entry `now` grants as well: frame, rights, key, D for silent stores.
  sym::Bool covers(const sym::Word& old, const sym::Word& now) const {
    const auto kept = [&](auto right) { return implies(right(old), right(now)); };
    return kept([](const auto& e) { return A::hw_valid(e); }) &&
           kept([](const auto& e) { return A::hw_user_read(e); }) &&
           kept([&](const auto& e) { return A::hw_can_store(e, w.hd); }) &&
           kept([&](const auto& e) { return A::hw_can_shadow_stack_store(e, w.cpu); }) &&
           kept([](const auto& e) { return A::hw_user_exec(e); }) &&
           kept([](const auto& e) { return A::hw_can_exec(e); }) &&
           kept([](const auto& e) { return A::hw_global(e); }) &&
           kept([&](const auto& e) { return A::hw_can_store(e, w.hd) && A::hw_dirty(e); }) &&
           A::hw_pfn(old) == A::hw_pfn(now) && A::hw_pkey(old) == A::hw_pkey(now);
  }
  /// `flush`, or `entry` is covered. Only a valid entry is cached; copies of older ones are owed by whoever
  /// made it invalid.
  sym::Bool flushed(const sym::Bool& flush) const {
    return implies(A::hw_valid(entry), flush || covers(entry, batched()));
  }
  sym::Bool flushes(const sym::Word& old) const { return truth(R::needs_flush(old, stored(merged()))); }
  sym::Bool truth(const sym::Bool& b) const { return b; }
  sym::Bool truth(bool b) const { return sym::Bool(w.context.bool_val(b)); }
  /// A batch may make an entry dirty, young and (x86) soft-dirty that was not. Bits of its word that this
  /// concerns:
  static constexpr u64 marks() {
    if constexpr (A::is_x86)
      return A::accessed | A::dirty | A::saved_dirty | A::soft_dirty;
    else
      return A::af | A::dirty | A::rdonly;
  }
  static constexpr u64 write_bit() {
    if constexpr (A::is_x86)
      return A::rw;
    else
      return A::write;
  }
  sym::Bool others_soft_dirty() const { return A::has_soft_dirty && A::pte_dirty(rest); }
  /// Dirty, young and soft-dirty are the batch's; all else but the right to write is the entry's own.
  sym::Bool marks_are_the_batchs() const {
    const auto b = batched(), s = single();
    return A::pte_dirty(b) == (A::pte_dirty(first) || A::pte_dirty(rest)) &&
           A::pte_young(b) == (A::pte_young(first) || A::pte_young(rest)) &&
           truth(A::pte_soft_dirty(b)) == (A::pte_soft_dirty(entry) || others_soft_dirty()) &&
           implies(A::pte_dirty(s), A::pte_dirty(b)) && implies(A::pte_young(s), A::pte_young(b)) &&
           ((b ^ s) & ~(marks() | write_bit())) == 0;
  }
  sym::Bool keeps_marks() const {
    const auto b = batched();
    return implies(A::pte_dirty(entry), A::pte_dirty(b)) && implies(A::pte_young(entry), A::pte_young(b)) &&
           implies(A::pte_soft_dirty(entry), truth(A::pte_soft_dirty(b)));
  }
  sym::Bool gains_have_a_reason() const {
    const auto by_soft_dirty = R::vma_soft_dirty_enabled(vma) && others_soft_dirty();
    const auto by_dirty = arch::any(vma.flags, vm::shared) && !A::pte_dirty(entry);
    return implies(A::pte_write(batched(), w.cpu),
                   A::pte_write(single(), w.cpu) || by_soft_dirty || by_dirty);
  }
  /// Writable in the batch and not alone: exactly where another entry's D stands in for this one's.
  sym::Bool gains_are_named() const {
    const auto b = batched(), s = single();
    const auto write = A::pte_write(b, w.cpu);
    const auto by_soft_dirty = R::vma_soft_dirty_enabled(vma) && !A::pte_soft_dirty(entry);
    const auto by_dirty = arch::any(vma.flags, vm::shared) && !A::pte_dirty(entry);
    const auto tried = R::tries_writable(changed(entry), cp, w.cpu);
    return (write && !A::pte_write(s, w.cpu)) == (write && tried && (by_soft_dirty || by_dirty)) &&
           implies(A::pte_write(s, w.cpu), write) &&
           implies(write && tried && by_soft_dirty, A::pte_soft_dirty(b)) &&
           implies(write && tried && by_dirty, A::pte_dirty(b));
  }
};

/// A batch of two entries, first and entry: what a counterexample is made of.
template <class A>
Batch<A> pair_of(const Words& w) {
  Batch<A> b(w);
  b.rest = b.entry;
  b.k = b.k.literal(1);
  return b;
}

/// All laws of this folder, in the order in which they are printed. Built once.
const std::vector<Law>& laws();
void add_fold_laws(std::vector<Law>& book);
void add_change_laws(std::vector<Law>& book);
void add_frame_laws(std::vector<Law>& book);
void add_refine_laws(std::vector<Law>& book);
void add_write_laws(std::vector<Law>& book);
void add_shadow_laws(std::vector<Law>& book);

}  // namespace ptmc::mprotect
