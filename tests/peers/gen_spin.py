#!/usr/bin/env python3
"""The benchmark's protocol in Promela: gen_spin.py CPUS PAGES > m.pml

pte: 0 none, 1 RO, 2 RW, 3 PROT_NONE, 4 swap; tlb: 0 none, 1 RO, 2 RW. Every transition is one d_step and every
process location one program counter, so that states and transitions are those of its peers."""
import sys

CPUS, PAGES = int(sys.argv[1]), int(sys.argv[2])
lines = []
emit = lines.append


def tlb(cpu, page):
    return f"tlb[{cpu * PAGES + page}]"


def post(ipi):
    return "; ".join(f"{ipi}[{c}]=1" for c in range(CPUS))


def acknowledged(ipi):
    return " && ".join(f"!{ipi}[{c}]" for c in range(CPUS))


def cpu(c):
    emit(f"active proctype CPU{c}() {{\nend: do")
    for i in range(PAGES):
        t = tlb(c, i)
        emit(f" :: d_step {{ ((pte[{i}]==1 || pte[{i}]==2) && {t}!=pte[{i}]) -> {t}=pte[{i}]; assert(!freed[{i}]) }}")
        emit(f" :: d_step {{ {t}!=0 -> {t}=0 }}")
        emit(f" :: d_step {{ ({t}==2 && !dirty[{i}]) -> assert(!freed[{i}]); dirty[{i}]=1 }}")
    flush = "; ".join(f"{tlb(c, i)}=0" for i in range(PAGES))
    for ipi in ("rip", "mip"):
        emit(f" :: d_step {{ {ipi}[{c}] -> {ipi}[{c}]=0; {flush} }}")
    emit(" od\n}")


def fault():
    emit("active proctype F() {\nend: do")
    quiet = "!mfp && lck==0"
    for i in range(PAGES):
        emit(f" :: d_step {{ (pte[{i}]==4 && freed[{i}] && {quiet} && vmprot!=0) -> freed[{i}]=0; pte[{i}]=vmprot }}")
        emit(f" :: d_step {{ (pte[{i}]==1 && vmprot==2 && {quiet}) -> pte[{i}]=2 }}")
    emit(" od\n}")


def reclaim():
    unheld = " && ".join(f"tlb[{c * PAGES}+ri]==0" for c in range(CPUS))
    free = f"if :: (pte[ri]==4 && !freed[ri]) -> assert({unheld}); freed[ri]=1; dirty[ri]=0 :: else -> skip fi"
    accessible = "(pte[ri]==1 || pte[ri]==2 || (pte[ri]==3 && mfp))"
    last = PAGES - 1
    emit(f"""active proctype R() {{
end: r0: if :: d_step {{ lck==0 -> lck=1 }} fi;
r1: if :: d_step {{ pte[ri]!=4 -> racc={accessible}; pte[ri]=4 }}; goto r2
       :: d_step {{ pte[ri]==4 -> skip }}; goto r3 fi;
r2: if :: d_step {{ if :: racc -> pend=1; batched=1 :: else -> skip fi; racc=0 }} fi;
r3: if :: d_step {{ ri<{last} -> lck=0; ri=ri+1 }}; goto r0
       :: d_step {{ ri=={last} -> lck=0; ri=0 }}; goto r4 fi;
r4: if :: d_step {{ pend -> pend=0; {post('rip')} }}; goto r5
       :: d_step {{ !pend -> skip }}; goto r6 fi;
r5: if :: d_step {{ ({acknowledged('rip')}) -> skip }} fi;
r6: if :: d_step {{ ri<{last} -> {free}; ri=ri+1 }}; goto r6
       :: d_step {{ ri=={last} -> {free}; ri=0 }}; goto r0 fi
}}""")


def mprotect():
    to = "(vmprot==0 -> 3 : ((vmprot==1 || !dirty[mi]) -> 1 : 2))"
    changed = f"(pte[mi]>=1 && pte[mi]<=3 && pte[mi]!={to})"
    within = " && ".join(f"tlb[{k}]<=vmprot" for k in range(CPUS * PAGES))
    last = PAGES - 1
    emit(f"""active proctype M() {{
end: m0: if :: d_step {{ vmprot!=0 -> vmprot=0; mfp=1 }}
            :: d_step {{ vmprot!=1 -> vmprot=1; mfp=1 }}
            :: d_step {{ vmprot!=2 -> vmprot=2; mfp=1 }} fi;
m1: if :: d_step {{ (lck==0 && batched) -> lck=2; batched=0; {post('mip')} }}; goto m2
       :: d_step {{ (lck==0 && !batched) -> lck=2 }}; goto m3 fi;
m2: if :: d_step {{ ({acknowledged('mip')}) -> skip }} fi;
m3: if :: d_step {{ {changed} -> mchg=(mchg || ({to}==3) || (pte[mi]==2 && {to}==1)); pte[mi]=0 }}; goto m4
       :: d_step {{ (!{changed} && mi<{last}) -> mi=mi+1 }}; goto m3
       :: d_step {{ (!{changed} && mi=={last}) -> mi=0 }}; goto m5 fi;
m4: if :: d_step {{ mi<{last} -> pte[mi]={to}; mi=mi+1 }}; goto m3
       :: d_step {{ mi=={last} -> pte[mi]={to}; mi=0 }}; goto m5 fi;
m5: if :: d_step {{ lck=0 }} fi;
m6: if :: d_step {{ mchg -> mchg=0; {post('mip')} }}; goto m7
       :: d_step {{ !mchg -> skip }}; goto m8 fi;
m7: if :: d_step {{ ({acknowledged('mip')}) -> skip }} fi;
m8: if :: d_step {{ assert({within}); mfp=0 }}; goto m0 fi
}}""")


emit(f"""byte pte[{PAGES}] = 2;
byte tlb[{CPUS * PAGES}];
bool dirty[{PAGES}]; bool freed[{PAGES}];
bool rip[{CPUS}]; bool mip[{CPUS}];
byte lck; byte vmprot = 2; byte ri; byte mi;
bool racc; bool pend; bool batched; bool mfp; bool mchg;
""")
for c in range(CPUS):
    cpu(c)
fault()
reclaim()
mprotect()
print("\n".join(lines))
