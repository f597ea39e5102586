// SPDX-License-Identifier: GPL-2.0
#include <linux/pgtable.h>

#define USER (P | US | A)

/* Indexed by read, write, exec, shared. */
static u64 protection_map[16] = {
	A | G, USER | NX, USER | NX, USER | NX, USER, USER, USER, USER,
	A | G, USER | NX, USER | RW | NX, USER | RW | NX, USER, USER, USER | RW, USER | RW,
};

void adjust_protection_map(u64 mask)
{
	protection_map[0] &= mask;
}

pgprot_t vm_get_page_prot(u64 vm_flags)
{
	u64 prot = protection_map[vm_flags & 15] | ((vm_flags >> 32 & 15) << 59);

	return __pgprot(prot & P ? prot & __supported_pte_mask : prot);
}
