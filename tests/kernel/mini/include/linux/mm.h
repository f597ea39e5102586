/* SPDX-License-Identifier: GPL-2.0 */
/* Just enough of the world for the helpers of asm/pgtable.h. */
#ifndef MINI_MM_H
#define MINI_MM_H

typedef _Bool bool;
typedef unsigned long u64;
#define true 1
#define false 0

typedef struct { int counter; } atomic_t;
#define atomic_set(a, v) (*(volatile int *)&(a)->counter = (v))
#define atomic_read(a) (*(volatile int *)&(a)->counter)

struct mm_struct {
	long unused;
	atomic_t tlb_flush_pending;
};
struct vm_area_struct {
	struct mm_struct *vm_mm;
	u64 __vm_flags;
};

#endif
