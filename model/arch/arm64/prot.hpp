// SPDX-License-Identifier: GPL-2.0
// Kernel: arch/arm64/include/asm/pgtable-prot.h, arch/arm64/mm/mmap.c, 6.12 and 6.1.
// Claim: the user protections and vm_get_page_prot for all VM_* flags.
// Omitted: kernel protections, LPA2.
#pragma once
#include "model/arch/arm64/entry.hpp"

namespace ptmc::arm {

template <class L>
struct Prot {
  static constexpr u64 page_default = L::type_page | L::af | L::shared;  // AttrIndx 0: MT_NORMAL.
  static constexpr u64 page_none =
      (page_default & ~L::valid) | L::present_invalid | L::rdonly | L::ng | L::pxn | L::uxn;
  static constexpr u64 page_execonly = page_default | L::rdonly | L::ng | L::pxn;
  static constexpr u64 page_readonly_exec = page_execonly | L::user,
                       page_readonly = page_readonly_exec | L::uxn;
  /// Writable and clean: RDONLY and WRITE.
  static constexpr u64 page_shared_exec = page_readonly_exec | L::write,
                       page_shared = page_readonly | L::write;
  static constexpr u64 page_copy = page_readonly, page_copy_exec = page_readonly_exec;

  // Memory types are indices into MAIR_EL1 (asm/memory.h): MT_NORMAL_NC, MT_DEVICE_nGnRnE, MT_DEVICE_nGnRE.
  static constexpr auto with_type(const auto& prot, u64 type) { return (prot & ~L::attrindx) | (type << 2); }
  static constexpr auto pgprot_noncached(const auto& prot) { return with_type(prot, 3) | (L::pxn | L::uxn); }
  static constexpr auto pgprot_writecombine(const auto& prot) {
    return with_type(prot, 2) | (L::pxn | L::uxn);
  }
  static constexpr auto pgprot_device(const auto& prot) { return with_type(prot, 4) | (L::pxn | L::uxn); }
  static constexpr auto pgprot_tagged(const auto& prot) { return with_type(prot, 1); }

  /// mmap.c: protection_map[flags], BTI, MTE and (6.12) the overlay index. Private mappings are never
  /// writable here.
  template <class F, class C = NoFeatures>
  static constexpr auto vm_get_page_prot(const F& vm_flags, const C& cpu = {}) {
    const auto shared_write = arch::all(vm_flags, vm::shared | vm::write);
    const auto exec = arch::any(vm_flags, vm::exec);
    const auto exec_only = (vm_flags & (vm::read | vm::write | vm::exec)) == vm::exec && cpu.epan;
    const auto present = page_execonly | arch::when(!exec_only, L::user) | arch::when(!exec, L::uxn) |
                         arch::when(shared_write, L::write);
    const auto base = ite(arch::any(vm_flags, vm::read | vm::write | vm::exec), present, page_none);
    const auto tagged = arch::when(arch::any(vm_flags, L::v6_1 ? vm::mte_6_1 : vm::mte), L::mt_normal_tagged);
    const auto prot = base | tagged | arch::when(arch::any(vm_flags, vm::arm64_bti), L::gp);
    if constexpr (L::v6_1)
      return prot;
    else
      return prot | (((vm_flags & bits(34, 32)) << 28) & arch::when(cpu.poe, ~u64{0}));
  }
};

}  // namespace ptmc::arm
