/* SPDX-License-Identifier: GPL-2.0 */
#ifndef MINI_SWAPOPS_H
#define MINI_SWAPOPS_H

typedef struct { u64 val; } swp_entry_t;

static inline u64 swp_type(swp_entry_t entry)
{
	return entry.val >> 58;
}

static inline swp_entry_t swp_entry(u64 type, u64 offset)
{
	return (swp_entry_t){ type * BIT(58) + offset % BIT(58) };
}

#endif
