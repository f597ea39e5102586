// Variation points of the machine of mprotect: the kernel's choice (6.17) first.
#pragma once
#include "model/core/language.hpp"

namespace ptmc::mprotect {

enum class KnobId : u8 {
  vma,
  change_pte_range,
  respect_write,
  anon_exclusive,
  merged_dirty,
  pte_needs_flush,
  pte_advance_pfn,
  soft_dirty,
  writenotify,
  pte_accessible,
  page_vma_mapped_walk,
  folio_pte_batch,
  gup
};

/// `vma`, `gup`: what is mapped, who takes references (References); an instance chooses it, it is not for
/// turning. `change_pte_range`: per-pte is 6.12, v1 the first version of the series as posted.
template <class Arch>
inline constexpr std::array<Knob, 13> knobs{{
    {"vma", {}},
    {"change_pte_range", {"landed", "per-pte", "v1"}},
    {"fpb_respect_write", {"respected", "ignored"}},
    {"anon_exclusive", {"own-page", "from-folio-head", "first-page"}},
    {"merged_dirty", {"folded", "first"}},
    {"pte_needs_flush", {"merged", "first-old"}},
    {"pte_advance_pfn", {"advanced", "same"}},
    {"soft_dirty",
     {"kernel", "inverted", "not-tested"},
     Arch::has_soft_dirty ? nullptr : "arm64 has no soft-dirty bit in 6.12"},
    {"writenotify", {"kernel", "without-uffd-wp"}},
    {"pte_accessible", {"kernel", "no-pending"}},
    {"page_vma_mapped_walk", {"keeps-ptl", "drops-ptl"}},
    {"folio_pte_batch", {"ends-with-folio", "runs-over"}},
    {"gup", {}},
}};

/// What the VMA maps. Anonymous memory is private.
enum Kind : u64 {
  anon,            // A folio of four pages, each AnonExclusive or not.
  file,            // MAP_PRIVATE of a file, read only: a folio of the page cache, mapped once.
  notified,        // MAP_SHARED of a file whose file system wants page_mkwrite.
  uffd_wp,         // MAP_SHARED of shmem, registered with userfaultfd for write protection.
  soft_dirty,      // Anonymous, after clear_refs: VM_SOFTDIRTY is off, so stores are tracked (x86).
  two_folios,      // MAP_PRIVATE of a file, its last page still of the page cache; frames are contiguous.
  small,           // Anonymous, exclusive, writable; each page a folio of its own: KSM takes no other.
  shadow_stack,    // VM_SHADOW_STACK (x86 with CET).
  exclusive,       // As anon and shadow_stack, but every page is AnonExclusive and writable at first: what
  exclusive_stack  // is different comes from fork.
};
/// Nobody; FOLL_PIN to read or to write; and FOLL_GET to write: fork may take such a page away.
enum References : u64 { no_gup, pins, pins_and_gets };
enum Foll : u64 { pin_to_read, pin_to_write, get_to_write };
enum Variant : u64 { landed, per_pte, v1 };

}  // namespace ptmc::mprotect
