// SPDX-License-Identifier: GPL-2.0
#include <linux/pgtable.h>

#define SHADOW_STACK BIT(37)

pte_t pte_mkwrite(pte_t pte, struct vm_area_struct *vma)
{
	if (vma->__vm_flags & SHADOW_STACK)
		return __pte((pte_val(pte) & ~RW) | D);
	return restore_dirty(pte_val(pte) | RW);
}

int ptep_set_access_flags(struct vm_area_struct *vma, u64 addr, pte_t *ptep, pte_t entry, int dirty)
{
	bool changed = !pte_same(*ptep, entry);

	if (changed && dirty)
		*(volatile pte_t *)ptep = entry;
	return changed;
}
