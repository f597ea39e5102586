#include "model/arch/arm64.hpp"
#include "properties/words/helper_table.hpp"

namespace ptmc::words {
namespace {

template <class A>
void add_arm64(std::vector<Helper>& table) {
  PTMC_IS(pte, pte_valid)
  PTMC_IS(pte, pte_hw_dirty)
  PTMC_IS(pte, pte_sw_dirty)
  PTMC_IS(pte, pte_user)
  PTMC_IS(pte, pte_user_exec)
  PTMC_IS(pte, pte_cont)
  PTMC_IS(pte, pte_tagged)
  PTMC_IS(pte, pte_valid_not_user)
  PTMC_TO(pte, pte_mkcont)
  PTMC_TO(pte, pte_mknoncont)
  PTMC_TO(pte, pte_mkpresent)
  PTMC_HELPER(pte_access_permitted, flag, (pte, flag, keys),
              pte_access_permitted(a[0], truth(a[1]), a[2], cpu))
  PTMC_HELPER(pmd_access_permitted, flag, (pmd, flag, keys),
              pmd_access_permitted(a[0], truth(a[1]), a[2], cpu))
  PTMC_HELPER(pud_access_permitted, flag, (pud, flag, keys),
              pud_access_permitted(a[0], truth(a[1]), a[2], cpu))
  PTMC_HELPER(pte_leaf_size, number, (pte), pte_leaf_size(a[0]))
  PTMC_HELPER(pmd_leaf_size, number, (pmd), pmd_leaf_size(a[0]))
  PTMC_HELPER(pgprot_noncached, prot, (prot), pgprot_noncached(a[0]))
  PTMC_HELPER(pgprot_writecombine, prot, (prot), pgprot_writecombine(a[0]))
  PTMC_HELPER(pgprot_device, prot, (prot), pgprot_device(a[0]))
  PTMC_HELPER(pgprot_tagged, prot, (prot), pgprot_tagged(a[0]))
  PTMC_HELPER(pgattr_change_is_safe, flag, (number, number), pgattr_change_is_safe(a[0], a[1]))
  PTMC_IS(pmd, pmd_valid)
  PTMC_IS(pmd, pmd_table)
  PTMC_IS(pmd, pmd_sect)
  PTMC_IS(pmd, pmd_user)
  PTMC_IS(pmd, pmd_user_exec)
  PTMC_IS(pmd, pmd_cont)
  PTMC_TO(pmd, pmd_mkcont)
  PTMC_IS(pud, pud_valid)
  PTMC_IS(pud, pud_table)
  PTMC_IS(pud, pud_sect)
  PTMC_IS(pud, pud_user)
}

template <class A>
void add_6_12(std::vector<Helper>& table) {
  PTMC_IS(pte, pte_present_invalid)
  PTMC_IS(pte, pte_rdonly)
  PTMC_IS(pte, pte_valid_cont)
  PTMC_HELPER(pte_access_permitted_no_overlay, flag, (pte, flag),
              pte_access_permitted_no_overlay(a[0], truth(a[1])))
  PTMC_TO(pte, pte_mkinvalid)
  PTMC_TO(pte, pte_mkwrite_novma)
  PTMC_TO(pmd, pmd_mkwrite_novma)
  PTMC_HELPER(pte_mkwrite, pte, (pte, vm_flags), pte_mkwrite(a[0], a[1]))
  PTMC_HELPER(pmd_mkwrite, pmd, (pmd, vm_flags), pmd_mkwrite(a[0], a[1]))
  PTMC_HELPER(pte_advance_pfn, pte, (pte, number), pte_advance_pfn(a[0], a[1]))
  PTMC_IS(pud, pud_user_exec)
  PTMC_IS(swp, is_poisoned_swp_entry)
  PTMC_IS(pmd, pmd_special)
  PTMC_TO(pmd, pmd_mkspecial)
  PTMC_IS(pud, pud_special)
  PTMC_TO(pud, pud_mkspecial)
}

template <class A>
void add_6_1(std::vector<Helper>& table) {
  PTMC_IS(pmd, pmd_present_invalid)
  PTMC_TO(pte, pte_mkwrite)
  PTMC_TO(pmd, pmd_mkwrite)
}

template <class A>
std::vector<Helper> all() {
  std::vector<Helper> table;
  add_common<A>(table);
  add_swap<A>(table);
  add_arm64<A>(table);
  return table;
}

}  // namespace

std::vector<Helper> arm64_helpers() {
  auto table = all<Arm64>();
  add_markers<Arm64>(table);
  add_6_12<Arm64>(table);
  return table;
}
std::vector<Helper> arm64_6_1_helpers() {
  auto table = all<Arm64_6_1>();
  add_6_1<Arm64_6_1>(table);
  return table;
}

}  // namespace ptmc::words
