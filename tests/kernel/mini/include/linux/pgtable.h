/* SPDX-License-Identifier: GPL-2.0 */
#ifndef MINI_PGTABLE_H
#define MINI_PGTABLE_H
#include <linux/mm.h>

typedef struct { u64 pte; } pte_t;
typedef struct { u64 pmd; } pmd_t;
typedef struct { u64 pud; } pud_t;
typedef struct { u64 pgprot; } pgprot_t;
#define __pte(v) ((pte_t){ v })
#define __pmd(v) ((pmd_t){ v })
#define __pud(v) ((pud_t){ v })
#define __pgprot(v) ((pgprot_t){ v })
#define pte_val(e) ((e).pte)
#define pmd_val(e) ((e).pmd)
#define pud_val(e) ((e).pud)
#define pgprot_val(e) ((e).pgprot)
#define BIT(n) (1ul << (n))

#include <asm/pgtable.h>

static inline bool pte_same(pte_t a, pte_t b)
{
	return pte_val(a) == pte_val(b);
}

pte_t pte_mkwrite(pte_t pte, struct vm_area_struct *vma);
int ptep_set_access_flags(struct vm_area_struct *vma, u64 addr, pte_t *ptep, pte_t entry, int dirty);

#endif
