// Laws of not-present entries: swap, migration, markers.
#include "properties/words/law.hpp"

namespace ptmc::words {
namespace {

// ---- mutated helpers ----
template <class A>
struct OffsetTooLow : A {  // One bit lower: it reaches a bit that means present.
  static constexpr auto swp_entry_to_pte(const auto& entry) {
    return A::swp_entry_to_pte(entry) | (entry << (A::is_x86 ? 8 : A::v6_1 ? 58 : 11));
  }
};
template <class A>
struct ForgetsToClearFlags : A {
  static constexpr auto pte_to_swp_entry(const auto& pte) {
    return A::pte_to_swp_entry(pte) | ((pte >> 2) & 1);
  }
};
template <class A>
struct FlagOverlapsType : A {
  static constexpr auto pte_swp_mkexclusive(const auto& pte) {
    return pte | bit(A::is_x86 ? 59 : A::v6_1 ? 3 : 6);
  }
};
template <class A>
struct DirtyIsYoung : A {
  static constexpr auto is_migration_entry_dirty(const auto& entry, const auto& cpu) {
    return A::is_migration_entry_young(entry, cpu);
  }
};
template <class A>
struct PfnWithMarks : A {
  static constexpr auto swp_offset_pfn(const auto& entry, const auto&) { return A::swp_offset(entry); }
};
template <class A>
struct ReadIsWrite : A {
  static constexpr auto make_readable_migration_entry(const auto& offset) {
    return A::make_writable_migration_entry(offset);
  }
};
template <class A>
struct OffsetNotInverted : A {
  static constexpr auto swp_entry_to_pte(const auto& entry) {
    return A::swp_entry_to_pte(entry) ^ bits(58, 9);
  }
};

template <class A>
struct MarkerNamesFrame : A {
  static constexpr auto make_pte_marker(const auto& marker) {
    return A::swp_entry_to_pte(A::make_readable_migration_entry(marker));
  }
};

constexpr u64 offset_max = bits(49, 0);

std::vector<Premise> storable(const Words& w) {
  return {given("n is a swap type", "MAX_SWAPFILES_SHIFT, include/linux/swap.h", w.n < 32),
          given("m fits the offset field", "generic_max_swapfile_size, mm/swapfile.c", w.m <= offset_max)};
}
/// The entry of type n and offset m with any of its flags.
template <class A>
sym::Word flagged(const Words& w) {
  sym::Word e = A::swp_entry_to_pte(A::swp_entry(w.n, w.m));
  e = ite(w.write, A::pte_swp_mkexclusive(e), e);
  e = ite(w.dirty, A::pte_swp_mksoft_dirty(e), e);
  return ite(w.young, A::pte_swp_mkuffd_wp(e), e);
}

Law never_present() {
  return law("swap_is_never_present",
             "a swap or migration entry is neither present nor none, for a pte and for a pmd, with any "
             "flags; no walker uses it",
             everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto e = flagged<A>(w);
               std::vector<Premise> premises = storable(w);
               if constexpr (A::is_x86)
                 premises.push_back(given("the slot is not the very last one of device 0",
                                          "whose entry would be none: a swap device of 4 EiB",
                                          w.n != 0 || w.m != offset_max));
               else
                 premises.push_back(
                     given("the slot is not slot 0 of device 0",
                           "slot 0 holds the header: setup_swap_map_and_extents, mm/swapfile.c",
                           w.n != 0 || w.m != 0));
               const auto dead = !A::hw_valid(e) && !A::hw_leaf(e, Level::pmd) && !A::hw_table(e, Level::pmd);
               return {premises, !A::pte_present(e) && !A::pte_none(e) && A::is_swap_pte(e) &&
                                     !A::pmd_present(e) && dead};
             })
      .template twin<OffsetTooLow>("offset_too_low", "the offset reaches into a bit that means present");
}

Law swap_round_trip() {
  return law("swap_round_trip", "type, offset and every flag of a swap entry read back as they were written",
             everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto e = flagged<A>(w);
               const auto back = A::pte_to_swp_entry(e);
               const auto flags =
                   A::pte_swp_exclusive(e) == w.write &&
                   (w.dirty && A::pte_swp_soft_dirty(A::pte_swp_mksoft_dirty(w.p))) ==
                       A::pte_swp_soft_dirty(e) &&
                   (w.young && A::pte_swp_uffd_wp(A::pte_swp_mkuffd_wp(w.p))) == A::pte_swp_uffd_wp(e);
               return {storable(w), A::swp_type(back) == w.n && A::swp_offset(back) == w.m && flags};
             })
      .template twin<ForgetsToClearFlags>("keeps_flags", "pte_to_swp_entry leaves a flag in the offset",
                                          on_x86)
      .template twin<FlagOverlapsType>("flag_in_type", "the exclusive flag overlaps the type");
}

Law migration() {
  return law("migration_round_trip",
             "frame, kind, young and dirty of a migration entry read back as they were written", everywhere,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto entry =
                   ite(w.write, A::make_writable_migration_entry(w.n), A::make_readable_migration_entry(w.n));
               const auto aged = ite(w.young, A::make_migration_entry_young(entry, w.cpu), entry);
               const auto full = ite(w.dirty, A::make_migration_entry_dirty(aged, w.cpu), aged);
               const auto back = A::pte_to_swp_entry(A::swp_entry_to_pte(full));
               const auto kind = A::is_migration_entry(back) &&
                                 A::is_writable_migration_entry(back) == w.write &&
                                 A::is_readable_migration_entry(back) == !w.write;
               const auto marks =
                   A::is_migration_entry_young(back, w.cpu) == (w.young && w.cpu.migration_ad) &&
                   A::is_migration_entry_dirty(back, w.cpu) == (w.dirty && w.cpu.migration_ad);
               return {{given("n is a frame number", "MAX_PHYSMEM_BITS, asm/sparsemem.h",
                              w.n < bit(A::is_x86 ? 34 : 36))},
                       kind && marks && A::swp_offset_pfn(back, w.cpu) == w.n};
             })
      .template twin<DirtyIsYoung>("dirty_is_young", "is_migration_entry_dirty reads the young bit")
      .template twin<PfnWithMarks>("pfn_with_marks", "swp_offset_pfn leaves A and D in the frame")
      .template twin<ReadIsWrite>("read_is_write", "make_readable_migration_entry makes a writable one");
}

Law markers() {
  return law("markers_are_no_entries", "a pte marker is not present, names no frame and reads back its mark",
             on_uffd,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto e = A::make_pte_marker(w.n);
               return {{given("n is a mark", "PTE_MARKER_MASK, include/linux/swapops.h",
                              w.n < (A::v6_1 ? 2 : 4))},
                       !A::pte_present(e) && A::is_pte_marker(e) && A::pte_none_mostly(e) && !A::has_pfn(e) &&
                           A::pte_marker_get(A::pte_to_swp_entry(e)) == w.n};
             })
      .template twin<MarkerNamesFrame>("names_a_frame", "a marker is encoded as a migration entry");
}

Law swap_l1tf() {
  return law("l1tf_swap_out_of_reach",
             "a swap entry of a limited swap file names a frame in the upper half of memory to the hardware",
             on_x86,
             []<class A>(Is<A>, const Words& w) -> Statement {
               const auto e = A::swp_entry_to_pte(A::swp_entry(w.n, w.m));
               return {{given("the offset is below the L1TF limit",
                              "arch_max_swapfile_size, arch/x86/mm/init.c: MAX_PA/2, three bits finer",
                              w.m < bit(42))},
                       arch::any(e, bit(51))};
             })
      .template twin<OffsetNotInverted>("not_inverted", "the offset is stored as it is");
}

}  // namespace

void add_swap_laws(std::vector<Law>& book) {
  for (const Law& law : {never_present(), swap_round_trip(), migration(), markers(), swap_l1tf()})
    book.push_back(law);
}

}  // namespace ptmc::words
