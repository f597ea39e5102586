/* SPDX-License-Identifier: GPL-2.0 */
#define P BIT(0)
#define RW BIT(1)
#define US BIT(2)
#define A BIT(5)
#define D BIT(6)
#define G BIT(8)
#define SOFT_DIRTY BIT(11)
#define SAVED_DIRTY BIT(58)
#define NX BIT(63)
#define FRAME ((BIT(52) - 1) & ~(BIT(12) - 1))
#define DIRTY_BITS (D | SAVED_DIRTY)
#define CHG_MASK (FRAME | BIT(3) | BIT(4) | A | BIT(7) | BIT(9) | BIT(10) | SOFT_DIRTY | BIT(57) | DIRTY_BITS)

#define X86_FEATURE_SHSTK 519

extern u64 __supported_pte_mask;
extern char cpu_bits[];

pgprot_t vm_get_page_prot(u64 vm_flags);

static inline __attribute__((always_inline)) bool cpu_has(unsigned short feature)
{
	asm goto("1: jmp 6f\n"
		 ".pushsection .altinstructions,\"a\"\n .long 1b - .\n .4byte %c0\n .popsection\n"
		 ".pushsection .altinstr_aux,\"ax\"\n"
		 "6: testb $1, cpu_bits\n jnz %l[yes]\n jmp %l[no]\n"
		 ".popsection"
		 : : "i"(feature) : : yes, no);
yes:
	return true;
no:
	return false;
}

static inline bool cmpxchg(u64 *p, u64 *old, u64 new)
{
	bool done;

	asm volatile("lock; cmpxchgq %[new], %[p]"
		     : "=@ccz"(done), [p] "+m"(*p), "+a"(*old) : [new] "r"(new) : "memory");
	return done;
}

static inline bool pte_present(pte_t pte)
{
	return pte_val(pte) & (P | G);
}

static inline bool pte_dirty(pte_t pte)
{
	return pte_val(pte) & DIRTY_BITS;
}

static inline bool pte_write(pte_t pte)
{
	if (pte_val(pte) & RW)
		return true;
	return (pte_val(pte) & D) && cpu_has(X86_FEATURE_SHSTK);
}

static inline bool pte_accessible(struct mm_struct *mm, pte_t pte)
{
	return (pte_val(pte) & P) || ((pte_val(pte) & G) && atomic_read(&mm->tlb_flush_pending));
}

static inline u64 inverted(u64 v)
{
	return v && !(v & P) ? ~0ul : 0;
}

static inline u64 pte_pfn(pte_t pte)
{
	return ((pte_val(pte) ^ inverted(pte_val(pte))) & FRAME) >> 12;
}

static inline pte_t save_dirty(u64 v)
{
	if (!(v & RW) && (v & D))
		v = (v | SAVED_DIRTY) & ~D;
	return __pte(v);
}

static inline pte_t restore_dirty(u64 v)
{
	if ((v & RW) && (v & SAVED_DIRTY))
		v = (v | D) & ~SAVED_DIRTY;
	return __pte(v);
}

static inline pte_t pte_wrprotect(pte_t pte)
{
	return save_dirty(pte_val(pte) & ~RW);
}

static inline pte_t pte_mkdirty(pte_t pte)
{
	return save_dirty(pte_val(pte) | D | SOFT_DIRTY);
}

static inline pte_t pte_modify(pte_t pte, pgprot_t prot)
{
	u64 wanted = pgprot_val(prot), old = pte_val(pte), new;

	if (wanted & P)
		wanted &= __supported_pte_mask;
	new = (old & CHG_MASK) | (wanted & ~CHG_MASK);
	if (inverted(old) != inverted(new))
		new ^= FRAME;
	return old & RW ? save_dirty(new) : restore_dirty(new);
}

static inline void ptep_set_wrprotect(struct mm_struct *mm, u64 addr, pte_t *ptep)
{
	u64 old = *(volatile u64 *)ptep;

	while (!cmpxchg((u64 *)ptep, &old, pte_val(pte_wrprotect(__pte(old)))))
		;
}
