// What `--help` says below the options of each command.
#pragma once

namespace ptmc::cli {

inline constexpr const char* about_ptmc =
    "Is this page-table optimization safe? ptmc answers for x86-64 and\n"
    "arm64: it explores and proves models of kernel page-table code, and\n"
    "shows the shortest race that breaks one.\n";

inline constexpr const char* about_footer =
    "Start here:\n"
    "  ptmc prove                 every claim, default bounds\n"
    "  ptmc list                  what there is to prove\n"
    "  ptmc prove seed004         one optimization\n"
    "  ptmc prove --help          more, with examples\n\n"
    "Exit: 0 as catalogued, 1 a claim failed, 2 bad input, 3 weaker than\n"
    "catalogued or a limit reached, 4 not covered, 70 our own error,\n"
    "130 interrupted.";

inline constexpr const char* prove_footer =
    "Claims that are named are told in full, otherwise only surprises are.\n\n"
    "Examples:\n"
    "  ptmc prove seed004/reach --arch arm64\n"
    "      one claim, one architecture\n"
    "  ptmc prove seed004 --mutate knob:pte_accessible=no-pending\n"
    "      is it still safe if the code does this instead?\n"
    "  ptmc prove seed004 --mutate drop:reclaim/try_to_unmap_flush\n"
    "      which claims need this step? (ptmc list --paths seed004)\n"
    "  ptmc prove bug/B06 --traces races --format html\n"
    "      a page for each race (or text, markdown, dot, itf)\n"
    "  ptmc prove --json --output report.json\n"
    "      for machines: identical bytes but for the last member, timing\n\n"
    "A mutation is OP:PATH[=ARG][@CALLER]. OP is one of\n"
    "  drop, guard-true, guard-false, split, stale     PATH\n"
    "  move, insert                                    PATH=STEP\n"
    "  operand, knob                                   PATH=VALUE\n"
    "@CALLER limits it to one actor, or to one copy of it.";

inline constexpr const char* explore_footer =
    "Examples:\n"
    "  ptmc explore seed004/reach --arch x86_64\n"
    "  ptmc explore seed004/reach --limit-states 2M --threads 1\n\n"
    "Tells how large the machine is, what fired and which covers were\n"
    "reached: what a verdict stands on.";

inline constexpr const char* replay_footer =
    "Example:\n"
    "  ptmc prove seed004 --mutate drop:reclaim/flush --traces traces\n"
    "  ptmc replay traces/seed004-reach-x86_64.itf.json\n"
    "  ptmc replay traces/seed004-reach-x86_64.itf.json --format html \\\n"
    "    --output race.html\n"
    "      a page to step through, with the state after each step\n\n"
    "FILE is ITF JSON. The machine that the file names is built afresh and\n"
    "run by an interpreter that shares no code with the explorer. FORMAT is\n"
    "text, markdown (mail, bug tracker), dot (Graphviz), html or itf.";

inline constexpr const char* minimise_footer =
    "Example:\n"
    "  ptmc minimise traces/bug-B06-arm64-HA-HD.itf.json --save b06.json\n\n"
    "FILE is ITF JSON, as written or edited by hand: its steps are run\n"
    "again. What fails stays the same; everything else is made as small\n"
    "as it will go within --limit-time (10s unless said otherwise).";

inline constexpr const char* explain_footer =
    "Examples:\n"
    "  ptmc explain seed004/reclaim-numa --arch x86_64\n"
    "      a claim that holds: the shortest run to each of its covers, so\n"
    "      that you see the machine work\n"
    "  ptmc explain bug/B09\n"
    "      a claim that is violated: the smallest race, which single step\n"
    "      more (or moved) would mend it at what cost in flushes, and\n"
    "      whether other hardware is hurt, too\n"
    "  ptmc explain seed004/reclaim-aging --arch arm64 \\\n"
    "      --mutate drop:reclaim/try_to_unmap_flush\n"
    "      the same for a change of your own\n\n"
    "A hint holds within the claim's bounds and for its properties. It is\n"
    "given as what --mutate takes. --limit-time is for the search of\n"
    "hints (10s unless said otherwise) and each of the other searches.";

inline constexpr const char* conform_footer =
    "Example:\n"
    "  ptmc conform --tree linux-6.12\n"
    "  ptmc conform --tree linux-6.12 --arch x86_64 --edit \\\n"
    "    'arch/x86/include/asm/pgtable.h:pte_mkold=s/_PAGE_ACCESSED/0/'\n\n"
    "Compiles the tree's own page-table helpers and proves them equal to\n"
    "the models', for every word. The tree is only read. An EDIT is\n"
    "FILE[:FUNCTION]=s/PATTERN/TEXT/ and is seen by the compiler only.";

inline constexpr const char* bench_footer =
    "Example:\n"
    "  ptmc bench engine --json\n\n"
    "  ptmc bench corpus\n\n"
    "engine: one toy protocol through ptmc, SPIN and hand-packed C++.\n"
    "corpus: every known bug's counterexample, before and after minimise.";

inline constexpr const char* time_footer =
    "Examples:\n"
    "  ptmc time\n"
    "      the machines' own steps over page tables in memory, first compared\n"
    "      step by step with the model; about a minute\n"
    "  ptmc time unmap unmap-protnone\n"
    "  ptmc time mprotect --against-itself\n"
    "      the baseline in every way's place: no difference may be seen\n"
    "  ptmc time --kernel\n"
    "      the system calls of all five seeds; under a minute\n"
    "  ptmc time --kernel 002 004 --json --output timing.json\n"
    "  ptmc time --kernel --format html --output timing.html\n"
    "      a page with charts, offline\n\n"
    "A SUBJECT is mprotect, mprotect-arm64, contpte, contpte-bbm2, unmap or\n"
    "unmap-protnone. With --kernel it is a seed:\n"
    "  000  mprotect, by the size of the folios that are mapped\n"
    "  001  NUMA hinting faults (needs two nodes)\n"
    "  002  mremap, by the alignment of both addresses\n"
    "  003  protection keys, by the writes between two switches (PKRU)\n"
    "  004  MADV_PAGEOUT of accessible and of PROT_NONE pages\n\n"
    "Cases are run in turns and compared by medians with 95% intervals;\n"
    "there is no verdict inside the noise. Up to 3 GiB are used, but never\n"
    "more than a quarter of what is available. Root sees more: which\n"
    "folios pages are in, and 64 KiB folios need a setting of /sys, which\n"
    "is set back. What cannot be done here is said, with the reason.\n"
    "Exit: 0; 3 if nothing could be measured.";

}  // namespace ptmc::cli
