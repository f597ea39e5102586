#!/usr/bin/env python3
"""The benchmark's protocol in Promela, for SPIN.   gen_spin.py CPUS PAGES [BUG] > model.pml

BUG 1: pte_accessible() ignores mm_tlb_flush_pending; 2: mprotect does not call flush_tlb_batched_pending().
pte: 0 none, 1 read-only, 2 writable, 3 PROT_NONE, 4 swapped out.  tlb: 0 none, 1 read-only, 2 writable.
Each transition is one d_step and each location of a process is one value of its program counter, so that states
and transitions are those of tests/peers/toy.hpp and hand_packed/model.hpp; SPIN counts the initial state as a
transition."""
import sys


def cpu(c, pages):
    yield f"active proctype CPU{c}() {{\nend: do"
    for i in range(pages):
        t = f"tlb[{c * pages + i}]"
        yield f" :: d_step {{ ((pte[{i}]==1 || pte[{i}]==2) && {t}!=pte[{i}]) -> {t}=pte[{i}]; assert(!freed[{i}]) }}"
        yield f" :: d_step {{ {t}!=0 -> {t}=0 }}"
        yield f" :: d_step {{ ({t}==2 && !dirty[{i}]) -> assert(!freed[{i}]); dirty[{i}]=1 }}"
    clear = "; ".join(f"tlb[{c * pages + i}]=0" for i in range(pages))
    yield f" :: d_step {{ rip[{c}] -> rip[{c}]=0; {clear} }}"
    yield f" :: d_step {{ mip[{c}] -> mip[{c}]=0; {clear} }}"
    yield " od\n}"


def faults(pages):
    yield "active proctype F() {\nend: do"
    for i in range(pages):
        quiet = "!mfp && lck==0"
        yield f" :: d_step {{ (pte[{i}]==4 && freed[{i}] && {quiet} && vmprot!=0) -> freed[{i}]=0; pte[{i}]=vmprot }}"
        yield f" :: d_step {{ (pte[{i}]==1 && vmprot==2 && {quiet}) -> pte[{i}]=2 }}"
    yield " od\n}"


def reclaim(cpus, pages, bug):
    accessible = "pte[ri]==1 || pte[ri]==2" + ("" if bug == 1 else " || (pte[ri]==3 && mfp)")
    unheld = " && ".join(f"tlb[{c * pages}+ri]==0" for c in range(cpus))
    free = f"if :: (pte[ri]==4 && !freed[ri]) -> assert({unheld}); freed[ri]=1; dirty[ri]=0 :: else -> skip fi"
    last = pages - 1
    yield f"""active proctype R() {{
end: r0: if :: d_step {{ lck==0 -> lck=1 }} fi;
r1: if :: d_step {{ pte[ri]!=4 -> racc=({accessible}); pte[ri]=4 }}; goto r2
       :: d_step {{ pte[ri]==4 -> skip }}; goto r3 fi;
r2: if :: d_step {{ if :: racc -> pend=1; batched=1 :: else -> skip fi; racc=0 }} fi;
r3: if :: d_step {{ ri<{last} -> lck=0; ri=ri+1 }}; goto r0
       :: d_step {{ ri=={last} -> lck=0; ri=0 }}; goto r4 fi;
r4: if :: d_step {{ pend -> pend=0; {set_all("rip", cpus)} }}; goto r5
       :: d_step {{ !pend -> skip }}; goto r6 fi;
r5: if :: d_step {{ ({none_of("rip", cpus)}) -> skip }} fi;
r6: if :: d_step {{ ri<{last} -> {free}; ri=ri+1 }}; goto r6
       :: d_step {{ ri=={last} -> {free}; ri=0 }}; goto r0 fi
}}"""


def mprotect(cpus, pages, bug):
    new = "(vmprot==0 -> 3 : ((vmprot==1 || !dirty[mi]) -> 1 : 2))"
    changed = f"(pte[mi]>=1 && pte[mi]<=3 && pte[mi]!={new})"
    batched = "0" if bug == 2 else "batched"
    obeyed = " && ".join(f"tlb[{k}]<=vmprot" for k in range(cpus * pages))
    last = pages - 1
    yield f"""active proctype M() {{
end: m0: if :: d_step {{ vmprot!=0 -> vmprot=0; mfp=1 }}
            :: d_step {{ vmprot!=1 -> vmprot=1; mfp=1 }}
            :: d_step {{ vmprot!=2 -> vmprot=2; mfp=1 }} fi;
m1: if :: d_step {{ (lck==0 && {batched}) -> lck=2; batched=0; {set_all("mip", cpus)} }}; goto m2
       :: d_step {{ (lck==0 && !{batched}) -> lck=2 }}; goto m3 fi;
m2: if :: d_step {{ ({none_of("mip", cpus)}) -> skip }} fi;
m3: if :: d_step {{ {changed} -> mchg=(mchg || ({new}==3) || (pte[mi]==2 && {new}==1)); pte[mi]=0 }}; goto m4
       :: d_step {{ (!{changed} && mi<{last}) -> mi=mi+1 }}; goto m3
       :: d_step {{ (!{changed} && mi=={last}) -> mi=0 }}; goto m5 fi;
m4: if :: d_step {{ mi<{last} -> pte[mi]={new}; mi=mi+1 }}; goto m3
       :: d_step {{ mi=={last} -> pte[mi]={new}; mi=0 }}; goto m5 fi;
m5: if :: d_step {{ lck=0 }} fi;
m6: if :: d_step {{ mchg -> mchg=0; {set_all("mip", cpus)} }}; goto m7
       :: d_step {{ !mchg -> skip }}; goto m8 fi;
m7: if :: d_step {{ ({none_of("mip", cpus)}) -> skip }} fi;
m8: if :: d_step {{ assert({obeyed}); mfp=0 }}; goto m0 fi
}}"""


def set_all(array, cpus):
    return "; ".join(f"{array}[{c}]=1" for c in range(cpus))


def none_of(array, cpus):
    return " && ".join(f"!{array}[{c}]" for c in range(cpus))


def model(cpus, pages, bug):
    yield f"""byte pte[{pages}] = 2;
byte tlb[{cpus * pages}];
bool dirty[{pages}]; bool freed[{pages}];
bool rip[{cpus}]; bool mip[{cpus}];
byte lck; byte vmprot = 2; byte ri; byte mi;
bool racc; bool pend; bool batched; bool mfp; bool mchg;
"""
    for c in range(cpus):
        yield from cpu(c, pages)
    yield from faults(pages)
    yield from reclaim(cpus, pages, bug)
    yield from mprotect(cpus, pages, bug)


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    if len(numbers) not in (2, 3):
        sys.exit("usage: gen_spin.py CPUS PAGES [BUG] > model.pml")
    print("\n".join(model(numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else 0)))
