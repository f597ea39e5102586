/* SPDX-License-Identifier: GPL-2.0 */
#define VALID BIT(0)
#define USER BIT(6)
#define RDONLY BIT(7)
#define AF BIT(10)
#define NG BIT(11)
#define PRESENT_INVALID NG
#define GP BIT(50)
#define WRITE BIT(51)
#define PXN BIT(53)
#define UXN BIT(54)
#define DIRTY BIT(55)
#define FRAME ((BIT(50) - 1) & ~(BIT(12) - 1))
#define MODIFY_MASK (VALID | BIT(2) * 7 | USER | RDONLY | PRESENT_INVALID | GP | WRITE | PXN | UXN | BIT(60) * 7)

#define ARM64_HAS_LSE_ATOMICS 37

static inline __attribute__((always_inline)) bool cpu_has(int capability)
{
	asm goto("1: b %l[no]\n"
		 ".pushsection .altinstructions,\"a\"\n .word 1b - .\n .word alt_cb_patch_nops - .\n"
		 " .hword %c0\n .popsection"
		 : : "i"(capability) : : no);
	return true;
no:
	return false;
}

static inline u64 cmpxchg(u64 *p, u64 old, u64 new)
{
	u64 found, status;

	if (cpu_has(ARM64_HAS_LSE_ATOMICS)) {
		asm volatile("casal %0, %2, %1" : "+r"(old), "+Q"(*p) : "r"(new) : "memory");
		return old;
	}
	asm volatile("1: ldaxr %0, %2\n"
		     "	eor %1, %0, %3\n"
		     "	cbnz %1, 2f\n"
		     "	stlxr %w1, %4, %2\n"
		     "	cbnz %w1, 1b\n"
		     "2:"
		     : "=&r"(found), "=&r"(status), "+Q"(*p) : "r"(old), "r"(new) : "memory");
	return found;
}

static inline bool pte_present(pte_t pte)
{
	return pte_val(pte) & (VALID | PRESENT_INVALID);
}

static inline bool pte_hw_dirty(pte_t pte)
{
	return (pte_val(pte) & WRITE) && !(pte_val(pte) & RDONLY);
}

static inline bool pte_dirty(pte_t pte)
{
	return pte_hw_dirty(pte) || (pte_val(pte) & DIRTY);
}

static inline bool pte_write(pte_t pte)
{
	return pte_val(pte) & WRITE;
}

static inline bool pte_accessible(struct mm_struct *mm, pte_t pte)
{
	return atomic_read(&mm->tlb_flush_pending) ? pte_present(pte) : pte_val(pte) & VALID;
}

static inline u64 pte_pfn(pte_t pte)
{
	return (pte_val(pte) & FRAME) >> 12;
}

static inline pte_t pte_mkdirty(pte_t pte)
{
	if (pte_write(pte))
		pte.pte &= ~RDONLY;
	return __pte(pte_val(pte) | DIRTY);
}

static inline pte_t pte_wrprotect(pte_t pte)
{
	if (pte_hw_dirty(pte))
		pte = pte_mkdirty(pte);
	return __pte((pte_val(pte) & ~WRITE) | RDONLY);
}

static inline pte_t pte_modify(pte_t pte, pgprot_t prot)
{
	if (pte_hw_dirty(pte))
		pte.pte |= DIRTY;
	pte.pte ^= (pte.pte ^ pgprot_val(prot)) & MODIFY_MASK;
	return pte_val(pte) & DIRTY ? pte_mkdirty(pte) : pte;
}

static inline void ptep_set_wrprotect(struct mm_struct *mm, u64 addr, pte_t *ptep)
{
	u64 old = *(volatile u64 *)ptep, seen;

	for (; (seen = cmpxchg((u64 *)ptep, old, pte_val(pte_wrprotect(__pte(old))))) != old; old = seen)
		;
}
