// SPDX-License-Identifier: GPL-2.0
// Kernel: arch/x86/include/asm/pgtable_types.h, arch/x86/mm/pgprot.c, 6.12 (6.1 is equal).
// Claim: the user protections and vm_get_page_prot for all VM_* flags.
// Omitted: kernel protections, memory encryption, pgprot_noncached and relatives.
#pragma once
#include "model/arch/x86_64/entry.hpp"

namespace ptmc::x86 {

template <class L>
struct Prot {
  static constexpr u64 page_none = L::accessed | L::protnone;
  static constexpr u64 page_shared_exec = L::present | L::rw | L::user | L::accessed;
  static constexpr u64 page_shared = page_shared_exec | L::nx;
  static constexpr u64 page_readonly_exec = L::present | L::user | L::accessed,
                       page_copy_exec = page_readonly_exec;
  static constexpr u64 page_readonly = page_readonly_exec | L::nx, page_copy = page_readonly;

  /// pgprot.c: protection_map[flags] plus the protection key. Private mappings are never writable here.
  template <class F, class C = NoFeatures>
  static constexpr auto vm_get_page_prot(const F& vm_flags, const C& cpu = {}) {
    const auto shared_write = arch::all(vm_flags, vm::shared | vm::write);
    const auto present = L::present | L::user | L::accessed | arch::when(shared_write, L::rw) |
                         arch::when(!arch::any(vm_flags, vm::exec), L::nx);
    const auto base = ite(arch::any(vm_flags, vm::read | vm::write | vm::exec), present, page_none);
    const auto key = (vm_flags & bits(35, 32)) << (L::pkey_shift - 32);
    const auto prot = base | key;
    return prot & (cpu.supported_pte_mask | arch::when(!arch::any(prot, L::present), ~u64{0}));
  }
  static constexpr auto pgprot_nx(const auto& prot) { return prot | L::nx; }
  /// pgtable.h: mprotect keeps cache bits of vm_page_prot.
  static constexpr auto pgprot_modify(const auto& from, const auto& to) {
    return arch::replace(to, from, Entry<L>::chg_mask);
  }
};

}  // namespace ptmc::x86
