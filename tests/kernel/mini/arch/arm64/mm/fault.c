// SPDX-License-Identifier: GPL-2.0
#include <linux/pgtable.h>

int ptep_set_access_flags(struct vm_area_struct *vma, u64 addr, pte_t *ptep, pte_t entry, int dirty)
{
	u64 old = *(volatile u64 *)ptep, set, new, seen;

	if (old == pte_val(entry))
		return 0;
	set = pte_val(entry) & (AF | WRITE | DIRTY);
	for (;; old = seen) {
		new = old | set;
		if (!(pte_val(entry) & RDONLY))
			new &= ~RDONLY;
		seen = cmpxchg((u64 *)ptep, old, new);
		if (seen == old)
			break;
	}
	asm volatile("dsb ish" : : : "memory");
	return 1;
}

pte_t pte_mkwrite(pte_t pte, struct vm_area_struct *vma)
{
	pte.pte |= WRITE;
	if (pte_val(pte) & DIRTY)
		pte.pte &= ~RDONLY;
	return pte;
}
