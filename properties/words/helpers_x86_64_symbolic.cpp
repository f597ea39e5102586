#include "model/arch/x86_64.hpp"
#include "properties/words/helper_table.hpp"

namespace ptmc::words {
namespace {

template <class A>
void add_x86(std::vector<Helper>& table) {
  PTMC_IS(pte, pte_exec)
  PTMC_IS(pte, pte_huge)
  PTMC_IS(pte, pte_global)
  PTMC_TO(pte, pte_mkexec)
  PTMC_TO(pte, pte_clrhuge)
  PTMC_TO(pte, pte_mkglobal)
  PTMC_TO(pte, pte_clrglobal)
  PTMC_HELPER(pte_access_permitted, flag, (pte, flag, keys), pte_access_permitted(a[0], truth(a[1]), a[2]))
  PTMC_HELPER(pmd_access_permitted, flag, (pmd, flag, keys), pmd_access_permitted(a[0], truth(a[1]), a[2]))
  PTMC_HELPER(pud_access_permitted, flag, (pud, flag, keys), pud_access_permitted(a[0], truth(a[1]), a[2]))
  PTMC_HELPER(pgprot_modify, prot, (prot, prot), pgprot_modify(a[0], a[1]))
  PTMC_IS(pud, pud_dirty)
  PTMC_IS(pud, pud_soft_dirty)
  PTMC_HELPER(pgprot_nx, prot, (prot), pgprot_nx(a[0]))
  PTMC_HELPER(pte_flags, number, (pte), pte_flags(a[0]))
  PTMC_HELPER(pmd_flags, number, (pmd), pmd_flags(a[0]))
  PTMC_HELPER(pud_flags, number, (pud), pud_flags(a[0]))
  PTMC_LOOP(pudp_set_access_flags, pud, (pud, pud, flag), pudp_set_access_flags(a[0], a[1], truth(a[2])))
  PTMC_TO(pud, pud_wrprotect)
  PTMC_TO(pud, pud_mkwrite)
  PTMC_TO(pud, pud_mkdirty)
  PTMC_TO(pud, pud_mkclean)
  PTMC_TO(pud, pud_mkold)
  PTMC_TO(pud, pud_mkdevmap)
  PTMC_TO(pud, pud_mksoft_dirty)
  PTMC_TO(pud, pud_clear_soft_dirty)
}

template <class A>
void add_6_12(std::vector<Helper>& table) {
  PTMC_IS_CPU(pte, pte_shstk)
  PTMC_IS_CPU(pmd, pmd_shstk)
  PTMC_IS_CPU(pud, pud_shstk)
  PTMC_TO(pte, pte_mksaveddirty)
  PTMC_TO(pte, pte_clear_saveddirty)
  PTMC_TO(pmd, pmd_mksaveddirty)
  PTMC_TO(pmd, pmd_clear_saveddirty)
  PTMC_TO(pud, pud_mksaveddirty)
  PTMC_TO(pud, pud_clear_saveddirty)
  PTMC_TO(pte, pte_mkwrite_novma)
  PTMC_TO(pte, pte_mkwrite_shstk)
  PTMC_TO(pmd, pmd_mkwrite_novma)
  PTMC_TO(pmd, pmd_mkwrite_shstk)
  PTMC_HELPER(pte_mkwrite, pte, (pte, vm_flags), pte_mkwrite(a[0], a[1]))
  PTMC_HELPER(pmd_mkwrite, pmd, (pmd, vm_flags), pmd_mkwrite(a[0], a[1]))
  PTMC_HELPER(pte_advance_pfn, pte, (pte, number), pte_advance_pfn(a[0], a[1]))
  PTMC_IS(swp, is_poisoned_swp_entry)
  PTMC_IS(pmd, pmd_special)
  PTMC_TO(pmd, pmd_mkspecial)
  PTMC_IS(pud, pud_special)
  PTMC_TO(pud, pud_mkspecial)
  PTMC_HELPER(pud_modify, pud, (pud, prot), pud_modify(a[0], a[1], cpu))
  PTMC_HELPER(pud_mkinvalid, pud, (pud), pud_mkinvalid(a[0], cpu))
}

template <class A>
void add_6_1(std::vector<Helper>& table) {
  PTMC_TO(pte, pte_mkwrite)
  PTMC_TO(pmd, pmd_mkwrite)
}

template <class A>
std::vector<Helper> all() {
  std::vector<Helper> table;
  add_common<A>(table);
  add_swap<A>(table);
  add_markers<A>(table);
  add_x86<A>(table);
  return table;
}

}  // namespace

std::vector<Helper> x86_64_helpers() {
  auto table = all<X86_64>();
  add_6_12<X86_64>(table);
  return table;
}
std::vector<Helper> x86_64_6_1_helpers() {
  auto table = all<X86_64_6_1>();
  add_6_1<X86_64_6_1>(table);
  return table;
}

}  // namespace ptmc::words
