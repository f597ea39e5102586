// SPDX-License-Identifier: GPL-2.0
// Kernel: include/linux/mm.h (VM_* flags) and what the entry helpers of arch/{x86,arm64} share, 6.12 and 6.1.
// Claim: every helper is one constexpr text over u64, packed fields and solver terms alike: no branch on a
// word,
//   no shift by 64 or more, masks of 64 bits.
// Omitted: 32-bit kernels, 16 KiB and 64 KiB granules, LPA2, SME/TDX encryption bits, Xen PV, KVM stage 2.
//
// A layout (X86_64, X86_64_6_1, Arm64, Arm64_6_1) is a struct of static helpers under the kernel's names.
// What a helper takes beyond words:
//   cpu      boot-time facts, by member name (NoFeatures below); absent means "no such feature";
//   vm_flags VM_* of the VMA (namespace vm), in place of the VMA;
//   pending  mm_tlb_flush_pending(mm), in place of the mm.
#pragma once
#include "model/core/domain.hpp"

namespace ptmc {

/// VM_* flags of a VMA that entry helpers look at. include/linux/mm.h, 6.12.
namespace vm {
constexpr u64 read = bit(0), write = bit(1), exec = bit(2), shared = bit(3);
constexpr u64 uffd_wp = bit(12);
constexpr u64 arm64_bti = bit(24);   // VM_ARCH_1
constexpr u64 soft_dirty = bit(27);  // CONFIG_MEM_SOFT_DIRTY: x86
constexpr u64 pkey_bit0 = bit(32), pkey_bit1 = bit(33), pkey_bit2 = bit(34), pkey_bit3 = bit(35);
constexpr u64 shadow_stack = bit(37);            // x86, 6.6 and later
constexpr u64 mte = bit(36), mte_6_1 = bit(32);  // arm64
}  // namespace vm

/// What the kernel learns about its CPUs at boot and a helper then asks for. Helpers read the members they
/// need, so an instance may pass any struct that has them; values may be terms.
struct NoFeatures {
  static constexpr bool shstk = false;  // x86: X86_FEATURE_SHSTK.
  static constexpr bool la57 = false;   // x86: pgtable_l5_enabled(), physical addresses of 52 bits.
  static constexpr bool poe = false;    // arm64: FEAT_S1POE.
  static constexpr bool epan = false;   // arm64: FEAT_PAN3, execute-only user mappings.
  static constexpr bool migration_ad =
      true;  // swap_migration_ad_supported: false under the L1TF limit of x86.
  static constexpr u64 supported_pte_mask =
      ~u64{0};  // x86: __supported_pte_mask: all bits if the CPU has NX and PGE.
};

/// The same facts as values of a domain: B truth values, W words.
template <class B, class W>
struct Features {
  B shstk, la57, poe, epan, migration_ad;
  W supported_pte_mask;
};

/// Page-table levels that hold leaves, named as the kernel names their entries.
enum class Level : u8 { pte, pmd, pud };

namespace arch {

constexpr unsigned page_shift = 12, pmd_shift = 21, pud_shift = 30;

/// `mask` where `condition` holds, 0 elsewhere: the branch-free form of "if (condition) word |= mask".
constexpr auto when(const auto& condition, u64 mask) { return ite(condition, mask, u64{0}); }
constexpr auto any(const auto& word, u64 mask) { return (word & mask) != 0; }
constexpr auto all(const auto& word, u64 mask) { return (word & mask) == mask; }
/// `word` with the bits of `mask` replaced by those of `from`.
constexpr auto replace(const auto& word, const auto& from, u64 mask) {
  return (word & ~mask) | (from & mask);
}
/// 1 or 0 as a word.
constexpr auto number(const auto& condition) { return ite(condition, u64{1}, u64{0}); }

}  // namespace arch
}  // namespace ptmc
